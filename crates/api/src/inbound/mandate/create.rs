//! A mandate is made.

use alloy_primitives::{Address, B256, keccak256};
use mandate::{Creation, life};
use serde_json::Value;

use super::policy::{bound_entries, entries, policy};
use crate::inbound::{Faults, shape};
use crate::problem::Problem;
use crate::settings::Ledger;
use crate::wire::CreateMandate;

const SALT_PURPOSE: &[u8] = b"guildhall salt v1\0";

/// The longest `Idempotency-Key`, in bytes. A UUID has 36.
const KEY_BYTES_MAX: usize = 255;

/// Reads a mandate to be made for `owner`, and the owner's private name for it, which is empty if there is none.
///
/// The same body with the same salt or key is the same mandate.
///
/// # Errors
/// 400 with every fault, or `idempotency_key_required`.
pub fn create(
    body: &Value,
    key: Option<&str>,
    owner: Address,
    ledger: &Ledger,
) -> Result<(Creation, String), Problem> {
    bound_entries(body)?;
    let body: CreateMandate = shape(body)?;
    let mut faults = Faults::default();
    let salt = match &body.salt {
        Some(salt) => faults.hash("salt", salt),
        None => salt_of(idempotency_key(key)?),
    };
    let label = body.label.unwrap_or_default();
    faults.bytes("label", &label, life::limits::LABEL_BYTES);
    let policy = policy(&mut faults, &body.policy);
    if body.entries.is_empty() {
        faults.add("entries", "must have at least one entry: without any the agent may pay nobody");
    }
    let creation = Creation {
        id: ledger.mandate_id(owner, salt),
        owner,
        agent: faults.address("agent", &body.agent),
        token: ledger.token,
        owner_kind: body.owner_kind.into(),
        agent_kind: body.agent_kind.into(),
        amend_delay: body.amend_delay_seconds,
        entries: entries(&mut faults, &body.entries, policy.payment_cap),
        policy,
    };
    faults.finish(Some((creation, label)))
}

fn salt_of(key: &str) -> B256 {
    keccak256([SALT_PURPOSE, key.as_bytes()].concat())
}

/// The value of the header `Idempotency-Key`.
///
/// # Errors
/// 400 when there is none, or it is not 1 to 255 characters of visible ASCII.
pub fn idempotency_key(header: Option<&str>) -> Result<&str, Problem> {
    let is_key = |key: &&str| {
        (1..=KEY_BYTES_MAX).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic())
    };
    header.filter(is_key).ok_or_else(|| {
        Problem::new(
            400,
            "idempotency_key_required",
            "Send the header `Idempotency-Key` with 1 to 255 characters of visible ASCII, such as a fresh UUID, and the \
             same one again when you repeat the request.",
        )
    })
}
