//! The extension `payment-identifier`: a client's own name for a payment, under which it can ask again.
//!
//! The same identifier with the same request is answered with the same answer; with another request it is a conflict.
//! That is the server's to keep; here are the words.

use serde_json::{Value, json};

use crate::{InvalidReason, PaymentPayload, limits::PAYMENT_IDENTIFIER_CHARACTERS};

/// The extension's name.
pub const NAME: &str = "payment-identifier";

/// A client's name for a payment: 16 to 128 of `A-Z a-z 0-9 _ -`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PaymentIdentifier(String);

impl PaymentIdentifier {
    /// The text as it came.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn parse(text: &str) -> Option<Self> {
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
        let fits = PAYMENT_IDENTIFIER_CHARACTERS.contains(&text.len()) && text.bytes().all(allowed);
        fits.then(|| Self(text.to_owned()))
    }
}

/// What a 402 says under [`NAME`]: an identifier is welcome. It is never required, since stock clients send none unless
/// their application names one.
pub fn declare() -> Value {
    json!({
        "info": { "required": false },
        "schema": {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "properties": {
                "required": { "type": "boolean" },
                "id": {
                    "type": "string",
                    "minLength": PAYMENT_IDENTIFIER_CHARACTERS.start(),
                    "maxLength": PAYMENT_IDENTIFIER_CHARACTERS.end(),
                    "pattern": "^[a-zA-Z0-9_-]+$",
                },
            },
            "required": ["required"],
        },
    })
}

/// The identifier that a payment carries, if any.
///
/// # Errors
/// When there is one of another form, or the extension is not an object with an `info`.
pub fn read(payment: &PaymentPayload) -> Result<Option<PaymentIdentifier>, InvalidReason> {
    let malformed = |field| InvalidReason::Payload { field };
    let Some(extension) = payment.extensions.as_ref().and_then(|extensions| extensions.get(NAME)) else {
        return Ok(None);
    };
    let info = extension.get("info").and_then(Value::as_object);
    let info = info.ok_or(malformed("extensions.payment-identifier.info"))?;
    let Some(id) = info.get("id").filter(|id| !id.is_null()) else { return Ok(None) };
    let id = id.as_str().and_then(PaymentIdentifier::parse);
    id.map(Some).ok_or(malformed("extensions.payment-identifier.info.id"))
}
