//! `Content-Digest`: what the body must be (RFC 9530, section 2), with SHA-256.

use data_encoding::BASE64;
use primitives::Digest;

use crate::{
    Refusal,
    fields::{Cursor, dictionary},
    limits::DIGEST_HEADER_BYTES,
};

pub(crate) const CONTENT_DIGEST: &str = "content-digest";
const ALGORITHM: &str = "sha-256";

/// The header value for a body: `sha-256=:…:`.
pub fn content_digest(body: &[u8]) -> String {
    format!("{ALGORITHM}=:{}:", BASE64.encode(&Digest::of(&[body]).0))
}

/// Holds a body against a header value. Digests of other algorithms are passed over, as RFC 9530 allows.
///
/// # Errors
/// When the value is malformed, has no SHA-256, or its SHA-256 is another body's.
pub fn check_content_digest(value: &str, body: &[u8]) -> Result<(), Refusal> {
    let digests = dictionary(CONTENT_DIGEST, value, DIGEST_HEADER_BYTES, Cursor::bytes)?;
    let (_, stated) =
        digests.into_iter().find(|(algorithm, _)| algorithm == ALGORITHM).ok_or(Refusal::DigestAlgorithm)?;
    let stated = stated.try_into().map(Digest).map_err(|_| Refusal::DigestMismatch)?;
    if Digest::of(&[body]).same_as(&stated) { Ok(()) } else { Err(Refusal::DigestMismatch) }
}
