//! Numbers that come in as a JSON integer or a decimal text, as wallets and libraries write both.

use core::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error, Unexpected, Visitor};

/// Reads an unsigned integer of up to 64 bits.
pub(super) fn integer<'de, D: Deserializer<'de>, T: TryFrom<u64>>(deserializer: D) -> Result<T, D::Error> {
    let digits = digits(deserializer)?;
    let number: Option<u64> = digits.parse().ok();
    number.and_then(|number| T::try_from(number).ok()).ok_or_else(|| {
        let bits = size_of::<T>().saturating_mul(8);
        D::Error::custom(format_args!("{digits} is too large; the number has {bits} bits"))
    })
}

/// Reads an unsigned integer of any size as its decimal text.
pub(super) fn digits<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    deserializer.deserialize_any(Digits)
}

/// The same, where null and nothing stand for no number.
pub(super) fn optional_digits<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<String>, D::Error> {
    #[derive(Deserialize)]
    struct Number(#[serde(deserialize_with = "digits")] String);
    Ok(Option::<Number>::deserialize(deserializer)?.map(|Number(digits)| digits))
}

struct Digits;

impl Visitor<'_> for Digits {
    type Value = String;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .write_str("a whole number: a JSON integer, or decimal digits in a text, without leading zeros")
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<String, E> {
        Ok(number.to_string())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<String, E> {
        let is_canonical = text == "0"
            || (!text.is_empty() && !text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit()));
        if is_canonical { Ok(text.to_owned()) } else { Err(E::invalid_value(Unexpected::Str(text), &self)) }
    }
}
