//! The two ends of a signature: `v1`, HMAC-SHA256 of `id.timestamp.body` in base64.

use data_encoding::BASE64;
use subtle::ConstantTimeEq as _;

use crate::Secret;

/// The longest body, in bytes: the specification's advice, so that receivers need no larger buffers.
pub const BODY_BYTES: usize = 20_000;

/// How far a message's timestamp may lie before or after now, in seconds, as in the reference libraries.
pub const TOLERANCE_SECONDS: u64 = 300;

/// What a message carries besides its body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Headers {
    /// `webhook-id`: the same in every attempt.
    pub id: String,
    /// `webhook-timestamp`: Unix seconds of this attempt.
    pub timestamp: String,
    /// `webhook-signature`: one or more, with spaces between.
    pub signature: String,
}

/// Why a message is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rejected {
    /// The id is empty or has a dot in it.
    Id,
    /// The timestamp is no number of seconds.
    Timestamp,
    /// It was signed too long ago.
    TooOld,
    /// It was signed too far ahead.
    TooNew,
    /// No signature is of this secret.
    Signature,
}

impl core::fmt::Display for Rejected {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.write_str(match self {
            Self::Id => "The webhook-id is empty or has a dot in it.",
            Self::Timestamp => "The webhook-timestamp is no number of Unix seconds.",
            Self::TooOld => "The message was signed more than 300 seconds ago. Look at your clock.",
            Self::TooNew => "The message was signed more than 300 seconds ahead of now. Look at your clock.",
            Self::Signature => {
                "No signature is that of this secret over the body as it was sent. Check the raw bytes, and the secret."
            }
        })
    }
}

impl core::error::Error for Rejected {}

/// The value of `webhook-signature` for an attempt at `seconds` (H1): one signature for each secret, the newest first.
/// `id` has no dot; ours never have.
pub fn sign(secrets: &[Secret], id: &str, seconds: u64, body: &[u8]) -> String {
    let text = signed(id, &seconds.to_string(), body);
    let signatures = secrets.iter().map(|secret| format!("v1,{}", BASE64.encode(&secret.mac(&text))));
    signatures.collect::<Vec<_>>().join(" ")
}

/// Whether one of the signatures is of this secret, and the message of now (H1 to H3). `body` is as it came.
///
/// # Errors
/// [`Rejected`].
pub fn verify(secret: &Secret, headers: &Headers, body: &[u8], now_seconds: u64) -> Result<(), Rejected> {
    if headers.id.is_empty() || headers.id.contains('.') {
        return Err(Rejected::Id);
    }
    let digits = &headers.timestamp;
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let seconds: u64 = digits.parse().ok().filter(|_| is_number).ok_or(Rejected::Timestamp)?;
    if now_seconds.saturating_sub(seconds) > TOLERANCE_SECONDS {
        return Err(Rejected::TooOld);
    }
    if seconds.saturating_sub(now_seconds) > TOLERANCE_SECONDS {
        return Err(Rejected::TooNew);
    }
    let expected = secret.mac(&signed(&headers.id, digits, body));
    let is_ours = |signature: &str| {
        let bytes = signature.strip_prefix("v1,").and_then(|text| BASE64.decode(text.as_bytes()).ok());
        // A slice that is shorter is another one, whatever it begins with.
        bytes.is_some_and(|bytes| bool::from(bytes.as_slice().ct_eq(&expected)))
    };
    if headers.signature.split(' ').any(is_ours) { Ok(()) } else { Err(Rejected::Signature) }
}

fn signed(id: &str, timestamp: &str, body: &[u8]) -> Vec<u8> {
    [id.as_bytes(), timestamp.as_bytes(), body].join(&b'.')
}
