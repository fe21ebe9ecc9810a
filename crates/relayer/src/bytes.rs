//! Bytes as the chain's JSON writes them: `0x` and two hexadecimal digits each.

use core::fmt;

use primitives::Malformed;
use serde::{Deserialize, Serialize};

/// Exactly `N` bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Fixed<const N: usize>(pub [u8; N]);

/// An account or a contract.
pub type Address = Fixed<20>;

/// The hash of a transaction or a block.
pub type Hash = Fixed<32>;

/// Any number of bytes.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Bytes(pub Vec<u8>);

impl<const N: usize> TryFrom<String> for Fixed<N> {
    type Error = Malformed;

    fn try_from(text: String) -> Result<Self, Malformed> {
        let mut bytes = [0; N];
        let digits = text.strip_prefix("0x");
        digits.and_then(|digits| hex::decode_to_slice(digits, &mut bytes).ok()).ok_or(Malformed {
            what: "address or hash",
            allowed: "0x and two hexadecimal digits for each of 20 or 32 bytes",
        })?;
        Ok(Self(bytes))
    }
}

impl TryFrom<String> for Bytes {
    type Error = Malformed;

    fn try_from(text: String) -> Result<Self, Malformed> {
        let bytes = text.strip_prefix("0x").and_then(|digits| hex::decode(digits).ok());
        bytes
            .map(Self)
            .ok_or(Malformed { what: "byte string", allowed: "0x and two hexadecimal digits for each byte" })
    }
}

impl<const N: usize> From<Fixed<N>> for String {
    fn from(fixed: Fixed<N>) -> Self {
        fixed.to_string()
    }
}

impl From<Bytes> for String {
    fn from(bytes: Bytes) -> Self {
        bytes.to_string()
    }
}

impl<const N: usize> fmt::Display for Fixed<N> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "0x{}", hex::encode(self.0))
    }
}

impl fmt::Display for Bytes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "0x{}", hex::encode(&self.0))
    }
}

impl<const N: usize> fmt::Debug for Fixed<N> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl fmt::Debug for Bytes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_travel_as_digits_and_nothing_else_is_taken_for_them() {
        let address = Fixed([0xab; 20]);
        let text = serde_json::to_string(&address).unwrap();
        assert_eq!(text, format!("\"0x{}\"", "ab".repeat(20)));
        assert_eq!(serde_json::from_str::<Address>(&text).unwrap(), address);
        assert_eq!(serde_json::from_str::<Bytes>("\"0x\"").unwrap(), Bytes(Vec::new()));
        assert_eq!(serde_json::to_string(&Bytes(vec![0, 255])).unwrap(), "\"0x00ff\"");
        for bad in ["\"\"", "\"ab\"", "\"0xa\"", "\"0xzz\"", "7"] {
            assert!(serde_json::from_str::<Bytes>(bad).is_err(), "{bad}");
            assert!(serde_json::from_str::<Hash>(bad).is_err(), "{bad}");
        }
        assert!(serde_json::from_str::<Hash>(&text).is_err());
    }
}
