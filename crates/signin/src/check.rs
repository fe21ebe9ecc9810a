//! Whether a message is the one that we asked for, and now.

use eip712::{Address, B256, personal_digest};
use primitives::UnixMillis;

use crate::limits::ISSUED_WITHIN;
use crate::origin::Foreign;
use crate::{Message, Nonce, Origin, Refusal, Statement, Uri};

/// What we asked a wallet to sign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expected {
    /// The origin of our pages.
    pub origin: Origin,
    /// The chains that are served (EIP-155).
    pub chain_ids: Vec<u64>,
    /// The statement that was given out, or none.
    pub statement: Option<Statement>,
    /// The resources that were given out, in their order.
    pub resources: Vec<Uri>,
    /// The nonce that the server made for this visitor. Whoever keeps it has burnt it before anything is judged.
    pub nonce: Nonce,
}

/// A person who signed in. Only a signature makes one: see [`crate::verify()`].
///
/// It proves who is there and is never consent to move money: some wallets sign such messages by themselves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignIn {
    address: Address,
    chain_id: u64,
    expires: Option<UnixMillis>,
}

impl SignIn {
    /// Who signed in.
    pub fn address(&self) -> Address {
        self.address
    }

    /// The chain that the session is bound to (EIP-155).
    pub fn chain_id(&self) -> u64 {
        self.chain_id
    }

    /// When the message expires. How long the session lasts that it begins, whoever keeps sessions decides.
    pub fn expires(&self) -> Option<UnixMillis> {
        self.expires
    }
}

/// A message that is the one we asked for, before its signature is judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    pub(crate) sign_in: SignIn,
    pub(crate) digest: B256,
}

/// Holds a message against what was asked for, at the moment `now`: scheme, domain, URI, chain, nonce, statement,
/// resources, request id, Issued At, Expiration Time, Not Before.
///
/// Version and address have only one text, so that reading the message judged them. An expiration time is not demanded:
/// a message counts for five minutes after Issued At anyway, and many wallets' libraries write none. Where there is
/// one, it holds.
///
/// # Errors
/// The first that differs, in this order.
pub fn check(message: &Message, expected: &Expected, now: UnixMillis) -> Result<Checked, Refusal> {
    check_asked(message, expected)?;
    check_time(message, now)?;
    Ok(Checked {
        sign_in: SignIn {
            address: message.address,
            chain_id: message.chain_id,
            expires: message.expiration_time.as_ref().map(crate::Timestamp::at),
        },
        digest: personal_digest(&message.text()),
    })
}

fn check_asked(message: &Message, expected: &Expected) -> Result<(), Refusal> {
    let ours = &expected.origin;
    ours.asks(message).map_err(|foreign| match foreign {
        Foreign::Scheme => Refusal::Scheme(ours.clone()),
        Foreign::Domain => Refusal::Domain(ours.clone()),
        Foreign::Uri => Refusal::Uri(ours.clone()),
    })?;
    if !expected.chain_ids.contains(&message.chain_id) {
        return Err(Refusal::Chain { chain_id: message.chain_id, served: expected.chain_ids.clone() });
    }
    if message.nonce != expected.nonce {
        return Err(Refusal::Nonce);
    }
    if message.statement != expected.statement {
        return Err(Refusal::Statement);
    }
    if message.resources.as_deref().unwrap_or_default() != expected.resources {
        return Err(Refusal::Resources);
    }
    if message.request_id.is_some() {
        return Err(Refusal::RequestId);
    }
    Ok(())
}

fn check_time(message: &Message, now: UnixMillis) -> Result<(), Refusal> {
    let issued_at = message.issued_at.at();
    if issued_at.since(now) > ISSUED_WITHIN {
        return Err(Refusal::IssuedInFuture);
    }
    if now.since(issued_at) > ISSUED_WITHIN {
        return Err(Refusal::IssuedLongAgo);
    }
    if message.expiration_time.as_ref().is_some_and(|expiration| now >= expiration.at()) {
        return Err(Refusal::Expired);
    }
    if message.not_before.as_ref().is_some_and(|start| now < start.at()) {
        return Err(Refusal::NotYet);
    }
    Ok(())
}
