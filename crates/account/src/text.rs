//! The owner's words, each with its bound. Parsed on the way in, plain text in JSON.

use core::str::FromStr;

use primitives::Malformed;
use serde::{Deserialize, Deserializer, Serialize, de};

use crate::limits;

/// Text with a rule.
macro_rules! text {
    ($(#[$doc:meta])* $name:ident, $what:literal, $allowed:literal, $valid:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Serialize)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = Malformed;

            fn from_str(text: &str) -> Result<Self, Malformed> {
                let valid: fn(&str) -> bool = $valid;
                if valid(text) { Ok(Self(text.to_owned())) } else { Err(Malformed { what: $what, allowed: $allowed }) }
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
            }
        }
    };
}

text!(
    /// An agent's name.
    Name,
    "name",
    "1 to 80 characters without control characters and without spaces at either end",
    |text| {
        !text.is_empty()
            && text.chars().count() <= limits::NAME_CHARS_MAX
            && text.trim() == text
            && !text.chars().any(char::is_control)
    }
);

text!(
    /// A draft's label; empty for none.
    Label,
    "label",
    "at most 120 bytes without control characters",
    |text| text.len() <= limits::LABEL_BYTES_MAX && !text.chars().any(char::is_control)
);

text!(
    /// The note to a draft; empty for none.
    Note,
    "note",
    "at most 500 bytes without control characters other than line breaks and tabs",
    |text| {
        text.len() <= limits::NOTE_BYTES_MAX
            && !text.chars().any(|letter| letter.is_control() && !matches!(letter, '\n' | '\r' | '\t'))
    }
);

text!(
    /// What the mandate is to be: the text of a JSON object. Nothing in it is read or checked.
    Plan,
    "draft of a mandate",
    "a JSON object of at most 16384 bytes as text without spaces",
    |text| text.len() <= limits::PLAN_BYTES_MAX && text.starts_with('{') && text.ends_with('}')
);
