//! Numbers, moments, outcomes and base58 in JSON, as Solana's nodes write them.

use core::str::FromStr;

use primitives::{Malformed, Millis, UnixMillis};
use serde_json::Value;

/// A whole number that fits.
pub(super) fn number<T: TryFrom<u64>>(value: &Value, what: &'static str) -> Result<T, Malformed> {
    let number = value.as_u64().and_then(|number| T::try_from(number).ok());
    number.ok_or(Malformed { what, allowed: "a whole number within its range" })
}

/// An amount of tokens in base units: decimal digits in a text.
pub(super) fn amount(value: &Value, what: &'static str) -> Result<u64, Malformed> {
    let digits = value.as_str().filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
    let amount = digits.and_then(|digits| digits.parse().ok());
    amount.ok_or(Malformed { what, allowed: "decimal digits of a number below 2^64" })
}

/// An address or a signature.
pub(super) fn base58<T: FromStr<Err = Malformed>>(value: &Value, what: &'static str) -> Result<T, Malformed> {
    value.as_str().ok_or(Malformed { what, allowed: "base58" })?.parse()
}

/// Members of a list that must be there.
pub(super) fn list<'a>(object: &'a Value, name: &'static str) -> Result<&'a Vec<Value>, Malformed> {
    object.get(name).and_then(Value::as_array).ok_or(Malformed { what: name, allowed: "a list" })
}

/// The value of an answer that says as of which slot it is.
pub(super) fn value(result: &Value) -> Result<&Value, Malformed> {
    result.get("value").ok_or(Malformed { what: "answer", allowed: "an object with a context and a value" })
}

/// Whether a transaction ran to its end, by its `err`: `null` for a success, else a word or an object. Silence is
/// neither.
pub(super) fn succeeded(outcome: &Value) -> Result<bool, Malformed> {
    match outcome.get("err") {
        Some(Value::Null) => Ok(true),
        Some(Value::String(_) | Value::Object(_)) => Ok(false),
        Some(Value::Bool(_) | Value::Number(_) | Value::Array(_)) | None => {
            Err(Malformed { what: "err", allowed: "null, a word or an object" })
        }
    }
}

/// A moment in whole seconds.
pub(super) fn seconds(value: &Value, what: &'static str) -> Result<UnixMillis, Malformed> {
    Ok(UnixMillis(Millis::from_seconds(number(value, what)?).0))
}
