//! Numbers and bytes in JSON, as nodes write them (Ethereum JSON-RPC, "hex encoding").

use eip712::{Address, B256};
use primitives::Malformed;
use serde_json::Value;

use crate::limits::QUANTITY_DIGITS;

/// A number, as `0x` and hexadecimal digits without leading zeros.
pub(crate) fn quantity_text(number: u128) -> String {
    format!("{number:#x}")
}

/// Bytes, as `0x` and two digits each.
pub(crate) fn bytes_text(bytes: impl AsRef<[u8]>) -> String {
    format!("0x{}", hex::encode(bytes))
}

/// A number. Some nodes pad with zeros, so these are passed over.
pub(crate) fn quantity<T: TryFrom<u128>>(value: &Value, what: &'static str) -> Result<T, Malformed> {
    digits(value)
        .filter(|digits| (1..=QUANTITY_DIGITS).contains(&digits.len()))
        // The standard parser also takes a sign.
        .filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
        .and_then(|digits| u128::from_str_radix(digits, 16).ok())
        .and_then(|number| T::try_from(number).ok())
        .ok_or(Malformed { what, allowed: "0x and hexadecimal digits, within the number's range" })
}

/// Bytes of any length.
pub(crate) fn bytes(value: &Value, what: &'static str) -> Result<Vec<u8>, Malformed> {
    digits(value)
        .and_then(|digits| hex::decode(digits).ok())
        .ok_or(Malformed { what, allowed: "0x and two hexadecimal digits for each byte" })
}

/// A hash, or another word of 32 bytes.
pub(crate) fn word(value: &Value, what: &'static str) -> Result<B256, Malformed> {
    fixed(value).map(B256::new).ok_or(Malformed { what, allowed: "0x and 64 hexadecimal digits" })
}

/// An address.
pub(crate) fn address(value: &Value, what: &'static str) -> Result<Address, Malformed> {
    fixed(value).map(Address::new).ok_or(Malformed { what, allowed: "0x and 40 hexadecimal digits" })
}

/// How a value of the node becomes one of ours; the text names it in the refusal.
pub(crate) type Read<T> = fn(&Value, &'static str) -> Result<T, Malformed>;

/// A member that must be there.
pub(crate) fn member<T>(object: &Value, name: &'static str, read: Read<T>) -> Result<T, Malformed> {
    read(object.get(name).unwrap_or(&Value::Null), name)
}

/// A member that may be absent or null.
pub(crate) fn optional<T>(object: &Value, name: &'static str, read: Read<T>) -> Result<Option<T>, Malformed> {
    object.get(name).filter(|value| !value.is_null()).map(|value| read(value, name)).transpose()
}

fn digits(value: &Value) -> Option<&str> {
    value.as_str()?.strip_prefix("0x")
}

fn fixed<const N: usize>(value: &Value) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    hex::decode_to_slice(digits(value)?, &mut bytes).ok()?;
    Some(bytes)
}
