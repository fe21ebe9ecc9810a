//! The part of JSON Schema 2020-12 in which a `bazaar` block describes a request.
//!
//! Understood are `type const enum`, `properties required additionalProperties minProperties maxProperties`,
//! `items minItems maxItems`, `minLength maxLength`, `minimum maximum exclusiveMinimum exclusiveMaximum` and
//! `allOf anyOf oneOf`; annotations (`format` is one in this version) assert nothing. A schema with any other keyword
//! is refused as a whole: what is not understood cannot be vouched for. That includes every reference, so that no
//! schema makes anyone fetch or loop, and `pattern`, so that no stranger's expression is run. A full validator weighs
//! more than the rest of a Worker.

use serde_json::{Map, Value};

/// The only dialect that `$schema` may name.
pub(crate) const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// Keywords that describe and do not assert.
const ANNOTATIONS: [&str; 9] = [
    "title",
    "description",
    "default",
    "examples",
    "format",
    "deprecated",
    "readOnly",
    "writeOnly",
    "$comment",
];

/// Why a schema is not understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SchemaFault {
    /// A keyword outside of the part.
    Keyword(String),
    /// A keyword with a value that it cannot have.
    Malformed(String),
}

/// A schema that is understood in every part. It borrows from its JSON.
#[derive(Debug)]
pub(crate) struct Schema<'a>(Vec<Rule<'a>>);

#[derive(Debug)]
enum Rule<'a> {
    Never,
    Types(Vec<Type>),
    Values(Vec<&'a Value>),
    Required(Vec<&'a str>),
    Properties(Vec<(&'a str, Schema<'a>)>),
    OtherProperties { named: Option<&'a Map<String, Value>>, schema: Schema<'a> },
    Items(Schema<'a>),
    Size { of: Sized, within: Bound, limit: u64 },
    Number { within: Bound, limit: f64 },
    All(Vec<Schema<'a>>),
    Any(Vec<Schema<'a>>),
    One(Vec<Schema<'a>>),
}

#[derive(Debug, Clone, Copy)]
enum Type {
    Null,
    Boolean,
    Integer,
    Number,
    String,
    Array,
    Object,
}

/// What has a size.
#[derive(Debug, Clone, Copy)]
enum Sized {
    Text,
    List,
    Object,
}

#[derive(Debug, Clone, Copy)]
enum Bound {
    AtLeast,
    AtMost,
    Above,
    Below,
}

impl<'a> Schema<'a> {
    /// # Errors
    /// When a keyword is not understood, wherever it stands.
    pub(crate) fn parse(schema: &'a Value) -> Result<Self, SchemaFault> {
        let keywords = match schema {
            Value::Bool(true) => return Ok(Self(Vec::new())),
            Value::Bool(false) => return Ok(Self(vec![Rule::Never])),
            Value::Object(keywords) => keywords,
            Value::Null | Value::Number(_) | Value::String(_) | Value::Array(_) => {
                return Err(SchemaFault::Malformed("schema".to_owned()));
            }
        };
        let is_annotation = |keyword: &str| ANNOTATIONS.contains(&keyword);
        let asserting = keywords.iter().filter(|(keyword, _)| !is_annotation(keyword));
        asserting
            .filter(|(keyword, value)| !(*keyword == "$schema" && *value == DIALECT))
            .map(|(keyword, value)| Rule::parse(keyword, value, keywords))
            .collect::<Result<_, _>>()
            .map(Self)
    }

    /// Whether `value` is one of those that the schema describes.
    pub(crate) fn accepts(&self, value: &Value) -> bool {
        self.0.iter().all(|rule| rule.accepts(value))
    }

    fn several(schemas: &'a Value) -> Option<Result<Vec<Self>, SchemaFault>> {
        let schemas = schemas.as_array().filter(|schemas| !schemas.is_empty())?;
        Some(schemas.iter().map(Self::parse).collect())
    }
}

impl<'a> Rule<'a> {
    fn parse(keyword: &str, value: &'a Value, siblings: &'a Map<String, Value>) -> Result<Self, SchemaFault> {
        let malformed = || SchemaFault::Malformed(keyword.to_owned());
        let size =
            |of, within| value.as_u64().map(|limit| Self::Size { of, within, limit }).ok_or_else(malformed);
        let number =
            |within| value.as_f64().map(|limit| Self::Number { within, limit }).ok_or_else(malformed);
        let several = || Schema::several(value).ok_or_else(malformed)?;
        match keyword {
            "type" => types(value).map(Self::Types).ok_or_else(malformed),
            "const" => Ok(Self::Values(vec![value])),
            "enum" => {
                value.as_array().map(|values| Self::Values(values.iter().collect())).ok_or_else(malformed)
            }
            "required" => {
                let names = value.as_array().and_then(|names| names.iter().map(Value::as_str).collect());
                names.map(Self::Required).ok_or_else(malformed)
            }
            "properties" => {
                let properties = value.as_object().ok_or_else(malformed)?.iter();
                let parse = |(name, schema): (&'a String, _)| Ok((name.as_str(), Schema::parse(schema)?));
                properties.map(parse).collect::<Result<_, _>>().map(Self::Properties)
            }
            "additionalProperties" => {
                let named = siblings.get("properties").and_then(Value::as_object);
                Ok(Self::OtherProperties { named, schema: Schema::parse(value)? })
            }
            "items" => Schema::parse(value).map(Self::Items),
            "minProperties" => size(Sized::Object, Bound::AtLeast),
            "maxProperties" => size(Sized::Object, Bound::AtMost),
            "minItems" => size(Sized::List, Bound::AtLeast),
            "maxItems" => size(Sized::List, Bound::AtMost),
            "minLength" => size(Sized::Text, Bound::AtLeast),
            "maxLength" => size(Sized::Text, Bound::AtMost),
            "minimum" => number(Bound::AtLeast),
            "maximum" => number(Bound::AtMost),
            "exclusiveMinimum" => number(Bound::Above),
            "exclusiveMaximum" => number(Bound::Below),
            "allOf" => several().map(Self::All),
            "anyOf" => several().map(Self::Any),
            "oneOf" => several().map(Self::One),
            _ => Err(SchemaFault::Keyword(keyword.to_owned())),
        }
    }

    /// A rule about another type of value than this one holds.
    fn accepts(&self, value: &Value) -> bool {
        match self {
            Self::Never => false,
            Self::Types(types) => types.iter().any(|kind| kind.holds(value)),
            Self::Values(values) => values.contains(&value),
            Self::Required(names) => {
                value.as_object().is_none_or(|object| names.iter().all(|name| object.contains_key(*name)))
            }
            Self::Properties(properties) => value.as_object().is_none_or(|object| {
                properties
                    .iter()
                    .all(|(name, schema)| object.get(*name).is_none_or(|value| schema.accepts(value)))
            }),
            Self::OtherProperties { named, schema } => value.as_object().is_none_or(|object| {
                let is_named = |name: &String| named.is_some_and(|named| named.contains_key(name));
                object.iter().all(|(name, value)| is_named(name) || schema.accepts(value))
            }),
            Self::Items(schema) => {
                value.as_array().is_none_or(|list| list.iter().all(|value| schema.accepts(value)))
            }
            Self::Size { of, within, limit } => of.size(value).is_none_or(|size| within.holds(&size, limit)),
            Self::Number { within, limit } => {
                value.as_f64().is_none_or(|number| within.holds(&number, limit))
            }
            Self::All(schemas) => schemas.iter().all(|schema| schema.accepts(value)),
            Self::Any(schemas) => schemas.iter().any(|schema| schema.accepts(value)),
            Self::One(schemas) => schemas.iter().filter(|schema| schema.accepts(value)).count() == 1,
        }
    }
}

/// One type's name, or several.
fn types(value: &Value) -> Option<Vec<Type>> {
    match value.as_array() {
        Some(names) => names.iter().map(|name| Type::parse(name.as_str()?)).collect(),
        None => Some(vec![Type::parse(value.as_str()?)?]),
    }
}

impl Type {
    fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "null" => Self::Null,
            "boolean" => Self::Boolean,
            "integer" => Self::Integer,
            "number" => Self::Number,
            "string" => Self::String,
            "array" => Self::Array,
            "object" => Self::Object,
            _ => return None,
        })
    }

    fn holds(self, value: &Value) -> bool {
        match self {
            Self::Null => value.is_null(),
            Self::Boolean => value.is_boolean(),
            // 1.0 is an integer here, whatever its text.
            Self::Integer => value.as_f64().is_some_and(|number| number.trunc() == number),
            Self::Number => value.is_number(),
            Self::String => value.is_string(),
            Self::Array => value.is_array(),
            Self::Object => value.is_object(),
        }
    }
}

impl Sized {
    /// Of a text in characters, of a list or object in members.
    fn size(self, value: &Value) -> Option<u64> {
        let size = match self {
            Self::Text => value.as_str()?.chars().count(),
            Self::List => value.as_array()?.len(),
            Self::Object => value.as_object()?.len(),
        };
        u64::try_from(size).ok()
    }
}

impl Bound {
    fn holds<T: PartialOrd>(self, value: &T, limit: &T) -> bool {
        match self {
            Self::AtLeast => value >= limit,
            Self::AtMost => value <= limit,
            Self::Above => value > limit,
            Self::Below => value < limit,
        }
    }
}

#[cfg(test)]
#[path = "json_schema_tests.rs"]
mod tests;
