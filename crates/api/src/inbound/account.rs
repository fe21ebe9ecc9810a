//! What an owner keeps for itself: names of agents, and drafts of mandates.

use account::{Change, Content, DraftId, Name, Plan, Refusal};
use eip712::{Address, B256};
use primitives::{Digest, MessageId};
use serde_json::{Map, Value};

use super::{Faults, shape};
use crate::outbound::account::refused;
use crate::problem::Problem;
use crate::wire::{AgentBody, DraftBody, DraftPatch};

/// Reads which agent is to be called what.
///
/// # Errors
/// 400 with every fault.
pub fn naming(value: &Value) -> Result<(Address, Name), Problem> {
    let body: AgentBody = shape(value)?;
    let mut faults = Faults::default();
    let agent = hexadecimal::<Address>(&body.agent, Address::len_bytes());
    if agent.is_none() {
        faults.add("agent", "must be an address: 0x and 40 hexadecimal digits");
    }
    let name = faults.take("name", body.name.parse());
    faults.finish(agent.zip(name))
}

/// Reads a draft, with the digest of its words.
///
/// # Errors
/// 400 with every fault.
pub fn drafting(value: &Value) -> Result<(Digest, Content), Problem> {
    let body: DraftBody = shape(value)?;
    let mut faults = Faults::default();
    let label = faults.take("label", body.label.unwrap_or_default().parse());
    let plan = plan(&mut faults, body.mandate);
    let transaction = transaction(&mut faults, &body.transaction.unwrap_or_default());
    let note = faults.take("note", body.note.unwrap_or_default().parse());
    let fingerprint = Digest::of_json(value).unwrap_or(Digest::ZERO);
    let content =
        label.zip(plan).zip(note).map(|((label, plan), note)| Content { label, plan, transaction, note });
    faults.finish(content.map(|content| (fingerprint, content)))
}

/// Reads what of a draft is to be otherwise.
///
/// # Errors
/// 400 with every fault.
pub fn changes(value: &Value) -> Result<Vec<Change>, Problem> {
    let patch: DraftPatch = shape(value)?;
    let mut faults = Faults::default();
    let label = patch.label.and_then(|label| faults.take("label", label.parse()));
    let plan = patch.mandate.and_then(|mandate| plan(&mut faults, mandate));
    let transaction = patch.transaction.map(|text| transaction(&mut faults, &text));
    let note = patch.note.and_then(|note| faults.take("note", note.parse()));
    let changes = [
        label.map(Change::Label),
        plan.map(Change::Plan),
        transaction.map(Change::Transaction),
        note.map(Change::Note),
    ];
    faults.finish(Some(changes.into_iter().flatten().collect()))
}

fn plan(faults: &mut Faults, mandate: Map<String, Value>) -> Option<Plan> {
    faults.take("mandate", Value::Object(mandate).to_string().parse())
}

/// A transaction's hash; empty for none.
fn transaction(faults: &mut Faults, text: &str) -> Option<B256> {
    let hash = hexadecimal(text, B256::len_bytes());
    if hash.is_none() && !text.is_empty() {
        faults.add("transaction", "must be the hash of a transaction: 0x and 64 hexadecimal digits");
    }
    hash
}

/// So many bytes: `0x` and two hexadecimal digits for each.
fn hexadecimal<T: core::str::FromStr>(text: &str, bytes: usize) -> Option<T> {
    let digits = text.strip_prefix("0x").filter(|digits| digits.len() == bytes.saturating_mul(2))?;
    digits.parse().ok()
}

/// The id of a draft that is to be made: that of the owner's `Idempotency-Key`, or of 16 fresh random bytes.
///
/// # Errors
/// 400 for a key that is none.
pub fn new_draft(owner: Address, key: Option<&str>, fresh: [u8; 16]) -> Result<DraftId, Problem> {
    let Some(key) = key else { return Ok(DraftId::from_random(fresh)) };
    let key: MessageId = key.parse().map_err(|_| {
        let detail = "Idempotency-Key must have 1 to 256 characters without control characters.";
        Problem::new(400, "invalid_idempotency_key", detail)
    })?;
    Ok(DraftId::derive(&owner.into_array(), key.as_str()))
}

/// The draft that is the last part of a path.
///
/// # Errors
/// 404 for what is no draft's id: no owner has such a draft.
pub fn draft(path: &str) -> Result<DraftId, Problem> {
    let (_, last) = path.rsplit_once('/').unwrap_or_default();
    last.parse().map_err(|_| refused(&Refusal::UnknownDraft))
}

/// The version that `If-Match` demands (RFC 9110, section 13.1.1); `None` for any. One version is taken, not a list.
///
/// # Errors
/// 400 for what is not `*` or an `ETag` as it was given.
pub fn seen(if_match: Option<&str>) -> Result<Option<u32>, Problem> {
    let tag = match if_match.map(str::trim) {
        None | Some("*") => return Ok(None),
        Some(tag) => tag.strip_prefix('"').and_then(|tag| tag.strip_suffix('"')),
    };
    let version = tag.and_then(|tag| tag.parse().ok().filter(|version: &u32| version.to_string() == tag));
    version.map(Some).ok_or_else(|| {
        let detail = "If-Match must be the ETag of the draft as you read it, such as \"3\", or *.";
        Problem::new(400, "invalid_if_match", detail)
    })
}
