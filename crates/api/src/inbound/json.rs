//! JSON in which each name of an object stands once (RFC 7493, section 2.3): readers that take the first of two and those
//! that take the last would see different bodies.

use core::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// Reads a text.
///
/// # Errors
/// When it is no JSON, is nested too deeply, or has a name twice in one object.
pub(super) fn read(text: &str) -> Result<Value, serde_json::Error> {
    serde_json::from_str(text).map(|Strict(value)| value)
}

struct Strict(Value);

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyValue).map(Self)
    }
}

struct AnyValue;

impl<'de> Visitor<'de> for AnyValue {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("JSON")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut values: A) -> Result<Value, A::Error> {
        let mut array = Vec::new();
        while let Some(Strict(value)) = values.next_element()? {
            array.push(value);
        }
        Ok(Value::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some((name, Strict(value))) = entries.next_entry::<String, _>()? {
            if object.contains_key(&name) {
                let shown: String = name.chars().take(40).collect();
                return Err(Error::custom(format_args!("the name {shown:?} stands twice in one object")));
            }
            object.insert(name, value);
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_each_name_once_is_read_as_it_is_and_nothing_else_is() {
        for text in [
            r#"{"a":{"a":[1,-2,2.5,18446744073709551615,true,null,"\u0061"]},"b":{}}"#,
            "[]",
            "7",
            r#"[{"a":1},{"a":1}]"#,
        ] {
            assert_eq!(read(text).unwrap(), serde_json::from_str::<Value>(text).unwrap(), "{text}");
        }
        for text in [r#"{"a":1,"a":1}"#, r#"{"a":1,"\u0061":2}"#, r#"[{"b":{"a":1,"c":2,"a":3}}]"#] {
            assert!(read(text).unwrap_err().to_string().contains(r#""a" stands twice"#), "{text}");
        }
        assert!(read(&format!("{}{}", "[".repeat(200), "]".repeat(200))).is_err());
    }
}
