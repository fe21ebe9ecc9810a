//! What is kept of a key.

use data_encoding::BASE64URL_NOPAD;
use primitives::Digest;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The first 8 bytes of a key's digest.
pub(super) type Mark = [u8; 8];

/// Shorter than a digest, which costs nothing in safety: two keys with one mark are an agent's own bad luck, of which the
/// second is refused.
pub(super) const fn mark(key: &Digest) -> Mark {
    let [a, b, c, d, e, f, g, h, ..] = key.0;
    [a, b, c, d, e, f, g, h]
}

/// Marks in the order of their use; one text of base64url in JSON.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Marks(pub(super) Vec<Mark>);

impl Serialize for Marks {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&BASE64URL_NOPAD.encode(self.0.as_flattened()))
    }
}

impl<'de> Deserialize<'de> for Marks {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let bytes = BASE64URL_NOPAD.decode(text.as_bytes()).map_err(D::Error::custom)?;
        let (marks, rest) = bytes.as_chunks();
        if marks.is_empty() || !rest.is_empty() {
            return Err(D::Error::custom("these are not whole marks of 8 bytes"));
        }
        Ok(Self(marks.to_vec()))
    }
}
