//! What only a transaction can do with a mandate that the contract keeps, and what to send where.

use mandate::life::{Act, Change};

use crate::problem::Problem;
use crate::settings::Ledger;

/// The refusal of what only a transaction does.
pub fn by_transaction(call: &str, contract: &Ledger) -> Problem {
    let Ledger { chain_id, address, .. } = contract;
    let detail = format!(
        "The contract {address} on chain {chain_id} keeps this mandate, and only a transaction changes it there. Call \
         `{call}` of that contract; this page shows what came of it once its block is read."
    );
    Problem::new(409, "custody_of_contract", detail)
}

/// The function that changes the mandate as a whole.
pub const fn to_change(change: &Change) -> &'static str {
    match change {
        Change::Fund { .. } => "fund",
        Change::Withdraw { .. } => "withdraw",
        Change::Pause => "pause",
        Change::Unpause => "unpause",
        Change::Revoke => "revoke",
        Change::Renounce => "renounce",
        Change::Amend(_) => "amend",
        Change::ApplyAmendment(_) => "applyAmendment",
        Change::CancelAmendment => "cancelAmendment",
    }
}

/// The function that does something with a payment; none where the mirror itself does it.
pub const fn to_do(act: &Act) -> Option<&'static str> {
    Some(match act {
        Act::Approve { .. } | Act::Reject { .. } | Act::Submit => return None,
        Act::Deliver { .. } => "deliver",
        Act::Accept => "accept",
        Act::Dispute { .. } => "dispute",
        Act::Capture { .. } => "capture",
        Act::Claim => "claim",
        Act::Void => "void",
        Act::Resolve { .. } => "resolve",
        Act::TimeOut => "timeOut",
        Act::Expire => "expire",
        Act::Refund { .. } => "refund",
    })
}

/// The refusal of a reservation.
pub fn to_reserve() -> Problem {
    let detail = "The contract reserves money for payments only, so that no part of this mandate's budget can be held for \
                  another use. Take a mandate in custody of the ledger for that.";
    Problem::new(409, "custody_of_contract", detail)
}
