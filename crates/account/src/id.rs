//! What a draft is called.

use core::str::FromStr;

use primitives::{Digest, Malformed};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

const PREFIX: &str = "dft_";

/// A draft's id: `dft_` and 32 lower-case hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DraftId([u8; 16]);

impl DraftId {
    /// The id of the draft that `owner` asks for under an idempotency key.
    pub fn derive(owner: &[u8; 20], key: &str) -> Self {
        let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, ..] =
            Digest::of(&[b"guildhall draft v1\0", owner, key.as_bytes()]).0;
        Self([a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p])
    }

    /// An id from 16 bytes of a cryptographic random source.
    pub const fn from_random(bits: [u8; 16]) -> Self {
        Self(bits)
    }
}

impl FromStr for DraftId {
    type Err = Malformed;

    fn from_str(text: &str) -> Result<Self, Malformed> {
        const MALFORMED: Malformed =
            Malformed { what: "draft id", allowed: "dft_ and 32 lower-case hexadecimal digits" };
        let digits = text.strip_prefix(PREFIX).ok_or(MALFORMED)?;
        if digits.bytes().any(|byte| byte.is_ascii_uppercase()) {
            return Err(MALFORMED);
        }
        let mut bits = [0; 16];
        hex::decode_to_slice(digits, &mut bits).map_err(|_| MALFORMED)?;
        Ok(Self(bits))
    }
}

impl core::fmt::Display for DraftId {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(formatter, "{PREFIX}{}", hex::encode(self.0))
    }
}

impl Serialize for DraftId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for DraftId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}
