//! Keys: made, rotated, revoked.

use primitives::{Digest, Millis, UnixMillis};

use super::room;
use crate::key::KeyId;
use crate::{Book, Fact, Known, NewKey, Refusal, Scope, limits, size};

/// Whether a tenant may begin with this key: there is none that could make another one (K4).
pub(super) fn first(key: &NewKey, now: UnixMillis) -> Result<(), Refusal> {
    possible(key, now)?;
    if is_lasting_admin(key) { Ok(()) } else { Err(Refusal::LastAdminKey) }
}

pub(super) fn create(book: &Book, key: NewKey, by: KeyId, now: UnixMillis) -> Result<Fact, Refusal> {
    fresh(book, &key, &by, now)?;
    if open_keys(book, now) >= book.configuration.keys_max {
        return Err(Refusal::TooManyKeys);
    }
    Ok(Fact::KeyCreated { key, by })
}

/// One more key than is allowed may open while both do: nobody must revoke a key before its successor is there.
pub(super) fn rotate(
    book: &Book,
    id: KeyId,
    key: NewKey,
    overlap: Millis,
    by: KeyId,
    now: UnixMillis,
) -> Result<Fact, Refusal> {
    let old = book.keys.get(&id).ok_or(Refusal::UnknownKey)?;
    if old.revoked_at.is_some() {
        return Err(Refusal::KeyOver);
    }
    if old.rotated.is_some() {
        return Err(Refusal::KeyRotated);
    }
    if old.is_over(now) {
        return Err(Refusal::KeyOver);
    }
    if overlap > limits::OVERLAP_MAX {
        return Err(Refusal::OverlapTooLong);
    }
    fresh(book, &key, &by, now)?;
    if !is_lasting_admin(&key) {
        lasts_without(book, &id)?;
    }
    Ok(Fact::KeyRotated { id, key, until: now.plus(overlap), by })
}

/// Nothing happens to a key that was used or is about to end: who holds it must not be locked out (K10).
pub(super) fn reissue(
    book: &Book,
    id: KeyId,
    secret: Digest,
    used: Known,
    now: UnixMillis,
) -> Result<Option<Fact>, Refusal> {
    let key = book.keys.get(&id).ok_or(Refusal::UnknownKey)?;
    Ok(match used {
        Known::Fresh if key.takes_secret(now) => Some(Fact::KeyReissued { id, secret }),
        Known::Fresh | Known::Filed => None,
    })
}

pub(super) fn revoke(book: &Book, id: KeyId) -> Result<Option<Fact>, Refusal> {
    let key = book.keys.get(&id).ok_or(Refusal::UnknownKey)?;
    if key.revoked_at.is_some() {
        return Ok(None);
    }
    if key.is_lasting_admin() {
        lasts_without(book, &id)?;
    }
    Ok(Some(Fact::KeyRevoked { id }))
}

pub(super) fn reset(book: &Book, by: KeyId) -> Result<Fact, Refusal> {
    let key = book.keys.get(&by).ok_or(Refusal::UnknownKey)?;
    if key.is_lasting_admin() { Ok(Fact::Reset { by }) } else { Err(Refusal::LastAdminKey) }
}

/// Whether this key can be added by that one.
fn fresh(book: &Book, key: &NewKey, by: &KeyId, now: UnixMillis) -> Result<(), Refusal> {
    if book.keys.contains_key(&key.id) {
        return Err(Refusal::KeyExists);
    }
    possible(key, now)?;
    let by = book.keys.get(by).ok_or(Refusal::UnknownKey)?;
    if !key.scopes.iter().all(|scope| by.has(*scope)) {
        return Err(Refusal::ScopeAboveOwn);
    }
    room(book, size::key(key))
}

fn possible(key: &NewKey, now: UnixMillis) -> Result<(), Refusal> {
    if key.expires_at.is_some_and(|at| at <= now) {
        return Err(Refusal::ExpiryPassed);
    }
    if key.rate.is_some_and(|rate| !rate.is_possible()) {
        return Err(Refusal::InvalidConfiguration { field: "rate".to_owned() });
    }
    Ok(())
}

fn open_keys(book: &Book, now: UnixMillis) -> usize {
    book.keys.values().filter(|key| !key.is_over(now)).count()
}

fn is_lasting_admin(key: &NewKey) -> bool {
    key.scopes.contains(&Scope::Admin) && key.expires_at.is_none()
}

/// Whether a key that lasts and may do everything is left without this one (K4).
fn lasts_without(book: &Book, id: &KeyId) -> Result<(), Refusal> {
    let is_left = book.keys.iter().any(|(other, key)| other != id && key.is_lasting_admin());
    if is_left { Ok(()) } else { Err(Refusal::LastAdminKey) }
}
