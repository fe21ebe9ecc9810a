//! A line of an owner's log.

use eip712::B256;
use mandate::life::Activity;

use crate::wire::ActivityLine;

/// A line as the owner reads it; nobody else does. `seq` is the number of its event in the mandate's journal.
pub fn activity(line: &Activity, mandate: B256, seq: u64) -> ActivityLine {
    let Activity { at, kind, role, actor, subject, amount, paid, returned, token, provider, result, reason } =
        line;
    ActivityLine {
        at: at.to_rfc3339(),
        mandate: mandate.to_string(),
        seq,
        kind: kind.name().to_owned(),
        role: role.name().to_owned(),
        actor: actor.map(|actor| actor.to_string()),
        payment: subject.map(|subject| subject.to_string()),
        amount: amount.map(|amount| amount.to_string()),
        paid: paid.to_string(),
        returned: returned.to_string(),
        token: token.map(|token| token.to_string()),
        provider: provider.map(|provider| provider.to_string()),
        result: result.clone(),
        reason: reason.clone(),
        transaction: None,
        source: "ledger".to_owned(),
    }
}
