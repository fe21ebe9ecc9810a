//! Words from outside, each with its bound. Parsed on the way in, plain text in JSON.

use core::str::FromStr;

use primitives::Malformed;
use serde::{Deserialize, Deserializer, Serialize, de};

use crate::limits;

/// Text with a rule.
macro_rules! text {
    ($(#[$doc:meta])* $name:ident, $what:literal, $allowed:literal, $valid:expr) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
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
    /// The id of one command, which its run gives. No two commands of a run or of two runs have the same.
    #[derive(Debug)]
    CommandId,
    "command id",
    "1 to 64 characters of A-Z a-z 0-9 . _ : -",
    |text| {
        (1..=limits::COMMAND_ID_BYTES).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._:-".contains(&byte))
    }
);

text!(
    /// What the executor is to do: the JSON text of a command. Nothing in it is read, and its `Debug` shows nothing of it.
    Body,
    "command",
    "1 to 16384 bytes of JSON without line breaks and other characters below U+0020",
    |text| {
        (1..=limits::BODY_BYTES).contains(&text.len()) && text.bytes().all(|byte| byte >= b' ')
    }
);

impl core::fmt::Debug for Body {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(formatter, "Body({} bytes)", self.0.len())
    }
}

text!(
    /// How whoever registers an executor calls it, such as `laptop`.
    #[derive(Debug)]
    Label,
    "label",
    "1 to 80 characters without control characters and without spaces at either end",
    |text| {
        !text.is_empty()
            && text.chars().count() <= limits::LABEL_CHARS
            && text.trim() == text
            && !text.chars().any(char::is_control)
    }
);
