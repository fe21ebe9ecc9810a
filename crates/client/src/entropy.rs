//! The two things that only the operating system knows: randomness and the time. Everything else gets them passed in.

use eip712::{B256, Signer};
use primitives::{AgentIdentity, Digest, MessageId, Millis, UnixMillis};

use crate::Error;

/// 32 bytes that nobody can guess.
pub(crate) fn random() -> Result<[u8; 32], Error> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|_| Error::NoRandomness)?;
    Ok(bytes)
}

/// 32 bytes that nobody has used before: the salt of a mandate, or the id of a request under one.
///
/// # Errors
/// [`Error::NoRandomness`] when the operating system has none to give.
pub fn fresh_hash() -> Result<B256, Error> {
    random().map(B256::from)
}

/// A message id that nobody has used before: 64 hexadecimal digits.
///
/// # Errors
/// [`Error::NoRandomness`] when the operating system has none to give.
pub fn fresh_message_id() -> Result<MessageId, Error> {
    Digest(random()?).to_string().parse().map_err(|_| Error::NoRandomness)
}

/// A key that nobody has used before. It is kept nowhere: what it signs for ends with it.
///
/// # Errors
/// [`Error::NoRandomness`] when the operating system has none to give.
pub fn fresh_signer() -> Result<Signer, Error> {
    // About one of 2^127 random values is no key.
    Signer::from_bytes(&random()?).map_err(|_| Error::NoRandomness)
}

/// The identity that an agent with this key goes by when it has no other: its address.
///
/// # Errors
/// Never for an address; the text is checked all the same.
pub fn identity_of(signer: &Signer) -> Result<AgentIdentity, Error> {
    signer.address().to_string().parse().map_err(|why| Error::Address(format!("the signer's address {why}")))
}

/// The moment that lies `span` ahead, by the machine's clock.
pub fn after(span: Millis) -> UnixMillis {
    now().plus(span)
}

/// The time of the machine's clock.
#[expect(clippy::disallowed_methods, reason = "the rule protects wasm32; this crate is native only")]
pub(crate) fn now() -> UnixMillis {
    let since_1970 = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    UnixMillis(u64::try_from(since_1970.as_millis()).unwrap_or(u64::MAX))
}
