//! The three headers: JSON in UTF-8, then standard padded base64 (HTTP transport, section "headers").

use data_encoding::BASE64;
use serde::{Serialize, de::DeserializeOwned};

use crate::{HEADER_BYTES, PaymentPayload};

/// Why a header value cannot be read. The texts never repeat the value: it may hold a signature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HeaderFault {
    /// Longer than [`HEADER_BYTES`].
    TooLong(usize),
    /// Not standard padded base64; base64url is another alphabet.
    NotBase64,
    /// Not JSON in UTF-8.
    NotJson,
    /// JSON of another shape.
    NotExpected {
        /// The field that is missing, where that is what is wrong.
        missing: Option<String>,
    },
}

impl core::fmt::Display for HeaderFault {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::TooLong(bytes) => {
                write!(formatter, "the header value has {bytes} bytes; at most {HEADER_BYTES} are read")
            }
            Self::NotBase64 => {
                formatter.write_str("the header value is not standard padded base64 (A-Z a-z 0-9 + / =)")
            }
            Self::NotJson => formatter.write_str("the header value does not decode to JSON in UTF-8"),
            Self::NotExpected { missing: Some(field) } => {
                write!(formatter, "the decoded header value lacks the field `{field}` of x402 version 2")
            }
            Self::NotExpected { missing: None } => formatter.write_str(
                "a field of the decoded header value has another type than x402 version 2 gives it",
            ),
        }
    }
}

impl core::error::Error for HeaderFault {}

/// The header value of a message.
///
/// # Errors
/// Never for the messages of this crate; for other values when they have no JSON form.
pub fn encode<T: Serialize>(message: &T) -> Result<String, serde_json::Error> {
    Ok(BASE64.encode(&serde_json::to_vec(message)?))
}

/// The message in a header value.
///
/// # Errors
/// When the value is too long, not standard padded base64, not JSON, or JSON of another shape.
pub fn decode<T: DeserializeOwned>(value: &str) -> Result<T, HeaderFault> {
    if value.len() > HEADER_BYTES {
        return Err(HeaderFault::TooLong(value.len()));
    }
    // The library also takes several padded texts in a row, which would give one message several texts.
    if value.trim_end_matches('=').contains('=') {
        return Err(HeaderFault::NotBase64);
    }
    let json = BASE64.decode(value.as_bytes()).map_err(|_| HeaderFault::NotBase64)?;
    serde_json::from_slice(&json).map_err(|error| match error.classify() {
        serde_json::error::Category::Data => HeaderFault::NotExpected { missing: missing_field(&error) },
        serde_json::error::Category::Io
        | serde_json::error::Category::Syntax
        | serde_json::error::Category::Eof => HeaderFault::NotJson,
    })
}

/// The payment in a `PAYMENT-SIGNATURE` header.
///
/// # Errors
/// As [`decode`].
pub fn decode_payment(value: &str) -> Result<PaymentPayload, HeaderFault> {
    decode(value)
}

/// The only part of a shape error that names a field of ours and nothing of the caller's.
fn missing_field(error: &serde_json::Error) -> Option<String> {
    let text = error.to_string();
    let field = text.strip_prefix("missing field `")?.split('`').next()?;
    Some(field.to_owned())
}
