//! A quantity as it comes in: a decimal text, or a JSON integer that every reader of JSON has exactly.

use core::fmt;

use serde::de::{Deserializer, Error, Visitor};

const SAFE: u64 = 1 << 53;

/// Reads a quantity as its decimal text. Whether the text is one is the domain's to say.
pub(super) fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    deserializer.deserialize_any(Quantity)
}

struct Quantity;

impl Visitor<'_> for Quantity {
    type Value = String;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .write_str("a quantity: a decimal text such as \"3\" or \"0.25\", or a JSON integer below 2^53")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<String, E> {
        Ok(text.to_owned())
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<String, E> {
        if number < SAFE {
            return Ok(number.to_string());
        }
        Err(E::custom(
            "is a JSON number of 2^53 or more, which some readers round; write it as a text, such as \"9007199254740993\"",
        ))
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<String, E> {
        Err(E::custom("is below zero; to take usage back, reverse its event: POST /v1/usage/reverse"))
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<String, E> {
        Err(E::custom(
            "is a JSON number with a fraction or an exponent, or too large for one, which readers round; write it as a \
             text, such as \"1.5\"",
        ))
    }
}

/// Its schema.
#[cfg(feature = "schema")]
pub(super) fn schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({
        "oneOf": [
            { "type": "string", "pattern": "^(0|[1-9][0-9]{0,19})(\\.[0-9]{1,6})?$" },
            { "type": "integer", "minimum": 0, "maximum": 9_007_199_254_740_991_u64 }
        ]
    })
}
