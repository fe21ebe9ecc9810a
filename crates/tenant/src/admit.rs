//! Who is let in, and to what.

use primitives::{Digest, ServiceName, UnixMillis};
use serde::{Deserialize, Serialize};

use crate::key::{Environment, KeyId};
use crate::rate::Rate;
use crate::{Book, Key, Refusal, Scope, Service, ServiceStatus, State};

/// A key as it was presented.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Presented {
    /// Which it says that it is.
    pub id: KeyId,
    /// SHA-256 of its secret part.
    pub secret: Digest,
    /// Where it is for.
    pub environment: Environment,
}

/// What is asked for with it. A pause stops every write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Access {
    /// To look at what every key may look at.
    Look,
    /// To look.
    Read(Scope),
    /// To change something.
    Write(Scope),
    /// To change what a pause leaves open: the pause itself, and keys.
    Recover(Scope),
}

/// Whoever was let in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Admitted<'a> {
    /// The tenant.
    pub book: &'a Book,
    /// The key.
    pub key: &'a Key,
    /// How often it may ask.
    pub rate: Rate,
}

/// Lets a key in, or not (K1). A key that does not verify is told nothing about why: not whose it is, nor whether there is
/// one. What a key that does verify may not do is said only after its rate was charged: see [`Admitted::may`].
///
/// # Errors
/// [`Refusal::InvalidKey`], or for a key whose secret is right what is wrong with it.
pub fn admit<'a>(state: &'a State, presented: &Presented, now: UnixMillis) -> Result<Admitted<'a>, Refusal> {
    let found = state.book().and_then(|book| Some((book, book.keys.get(&presented.id)?)));
    // Without a key something is compared as well: the time says nothing about whether there is one.
    let secret = found.map_or(Digest::ZERO, |(_, key)| key.secret);
    let is_its = secret.same_as(&presented.secret);
    let (book, key) = found.filter(|_| is_its).ok_or(Refusal::InvalidKey)?;
    if key.revoked_at.is_some() {
        return Err(Refusal::RevokedKey);
    }
    if key.expires_at.is_some_and(|at| at <= now) {
        return Err(Refusal::ExpiredKey);
    }
    if key.is_over(now) {
        return Err(Refusal::ReplacedKey);
    }
    Ok(Admitted { book, key, rate: book.rate_of(key) })
}

impl Admitted<'_> {
    /// Whether its key may do this now (K2, K3).
    ///
    /// # Errors
    /// [`Refusal::MissingScope`], [`Refusal::Suspended`] or [`Refusal::Paused`].
    pub fn may(&self, access: Access) -> Result<(), Refusal> {
        let scope = match access {
            Access::Look => None,
            Access::Read(scope) | Access::Write(scope) | Access::Recover(scope) => Some(scope),
        };
        match scope {
            Some(scope) if !self.key.has(scope) => Err(Refusal::MissingScope { scope }),
            Some(_) | None => open(self.book, access),
        }
    }
}

/// Whether a tenant takes this now, whoever asks (K3).
///
/// # Errors
/// [`Refusal::Suspended`] or [`Refusal::Paused`], for writes.
pub const fn open(book: &Book, access: Access) -> Result<(), Refusal> {
    match access {
        Access::Look | Access::Read(_) | Access::Recover(_) => Ok(()),
        Access::Write(_) if book.suspended.is_some() => Err(Refusal::Suspended),
        Access::Write(_) if book.paused.is_some() => Err(Refusal::Paused),
        Access::Write(_) => Ok(()),
    }
}

/// A service that takes usage.
///
/// # Errors
/// [`Refusal::UnknownService`] or [`Refusal::ServiceDisabled`].
pub fn service<'a>(book: &'a Book, name: &ServiceName) -> Result<&'a Service, Refusal> {
    let service = book.service(name).ok_or(Refusal::UnknownService)?;
    match service.status {
        ServiceStatus::Enabled => Ok(service),
        ServiceStatus::Disabled => Err(Refusal::ServiceDisabled),
        ServiceStatus::Deleted => Err(Refusal::UnknownService),
    }
}
