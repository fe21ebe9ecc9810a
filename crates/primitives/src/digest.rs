//! SHA-256 digests and the canonical text of a JSON value.

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

/// 32 bytes of SHA-256; lower-case hexadecimal in JSON.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Digest(#[serde(with = "hex::serde")] pub [u8; 32]);

impl Digest {
    /// Where every hash chain begins.
    pub const ZERO: Self = Self([0; 32]);

    /// SHA-256 of the parts, one after another. Parts of varying length need a length or separator of their own.
    pub fn of(parts: &[&[u8]]) -> Self {
        let mut hasher = Sha256::new();
        for part in parts {
            hasher.update(part);
        }
        Self(hasher.finalize().into())
    }

    /// SHA-256 of the canonical JSON of a value.
    ///
    /// # Errors
    /// When the value has no JSON form, such as a map whose keys are not text.
    pub fn of_json<T: Serialize>(value: &T) -> Result<Self, serde_json::Error> {
        Ok(Self::of(&[canonical_json(value)?.as_bytes()]))
    }

    /// Whether two digests are the same, in a time that does not depend on where they differ.
    pub fn same_as(&self, other: &Self) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

impl core::fmt::Display for Digest {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.write_str(&hex::encode(self.0))
    }
}

impl core::fmt::Debug for Digest {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(formatter, "Digest({self})")
    }
}

/// JSON without spaces whose object keys are sorted by code point, so that equal values have equal bytes.
/// Numbers in our records are integers, for which this is the form of RFC 8785.
///
/// # Errors
/// When the value has no JSON form.
pub fn canonical_json<T: Serialize>(value: &T) -> Result<String, serde_json::Error> {
    // `serde_json::Value` keeps object keys in a sorted map.
    serde_json::to_string(&serde_json::to_value(value)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sha256_of_abc_is_the_published_value() {
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(Digest::of(&[b"a", b"bc"]).to_string(), expected);
    }

    /// Fails when a feature of `serde_json` (`preserve_order`) is switched on anywhere in the build: fingerprints and
    /// hash chains would depend on the order in which a caller wrote its fields.
    #[test]
    fn canonical_json_sorts_keys_at_every_depth() {
        let value = serde_json::json!({ "b": [ { "z": 1, "a": 2 } ], "a": "é" });
        assert_eq!(canonical_json(&value).unwrap(), r#"{"a":"é","b":[{"a":2,"z":1}]}"#);
        let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
        let (one, two) = (read(r#"{"b":1,"a":{"d":1,"c":2}}"#), read(r#"{ "a": {"c":2, "d":1}, "b":1 }"#));
        assert_eq!(Digest::of_json(&one).unwrap(), Digest::of_json(&two).unwrap());
    }

    #[test]
    fn a_digest_travels_as_64_lower_case_digits() {
        let digest = Digest::of(&[b"abc"]);
        let text = serde_json::to_string(&digest).unwrap();
        assert_eq!(text, format!("\"{digest}\""));
        assert_eq!(serde_json::from_str::<Digest>(&text).unwrap(), digest);
        for bad in ["\"\"", "\"00\"", "7", "null"] {
            assert!(serde_json::from_str::<Digest>(bad).is_err(), "{bad}");
        }
        assert!(digest.same_as(&digest) && !digest.same_as(&Digest::ZERO));
    }
}
