//! What there is to see of a settlement: by its callers, and by the shell that looks at the chain for it.

use primitives::{BaseUnits, Digest, UnixMillis};
use serde::{Deserialize, Serialize};

use crate::{Bytes, Cause, Inclusion, Lifecycle, Pursuit, Refusal, State, Terms, Tier};

/// What a caller is told. Only to one whose request [`matches()`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Answer {
    /// Nothing was asked.
    None,
    /// Nothing was sent, and the same may be asked again.
    Declined {
        /// The relayer's reason code.
        reason: String,
    },
    /// Nobody knows yet.
    Pending {
        /// The transaction that carries it, once one does.
        transaction: Option<String>,
    },
    /// The money moved. To be said only in return for [`crate::Command::Collect`] (T10); who is refused it is told of a
    /// duplicate, with the transaction.
    Settled {
        /// The transaction that moved it.
        transaction: String,
        /// How much.
        amount: BaseUnits,
        /// How firmly it stands.
        tier: Tier,
    },
    /// The money did not move, and this authorization will never move it.
    Failed {
        /// Why.
        cause: Cause,
        /// The transaction that shows it, if one does.
        transaction: Option<String>,
    },
}

/// What a caller is told.
pub fn answer(state: &State) -> Answer {
    match state {
        State::New => Answer::None,
        State::Declined { reason, .. } => Answer::Declined { reason: reason.clone() },
        State::Underway(pursuit) => Answer::Pending {
            transaction: pursuit.calls.as_ref().and_then(|calls| calls.hashes.last().cloned()),
        },
        State::Reverted { transaction, .. } => Answer::Pending { transaction: Some(transaction.clone()) },
        State::Transferred { pursuit, inclusion, tier, .. } => {
            let transaction = inclusion.transaction.clone();
            if state.lifecycle() == Lifecycle::Settled {
                Answer::Settled { transaction, amount: pursuit.order.terms.amount, tier: *tier }
            } else {
                Answer::Pending { transaction: Some(transaction) }
            }
        }
        State::Failed { cause, transaction, .. } => {
            Answer::Failed { cause: *cause, transaction: transaction.clone() }
        }
    }
}

/// Whether the authorization is free for the request of that fingerprint, or serves it already (T1).
///
/// # Errors
/// [`Refusal::Other`] when it serves another.
pub fn matches(state: &State, fingerprint: &Digest) -> Result<(), Refusal> {
    match state {
        State::New | State::Declined { .. } => Ok(()),
        State::Underway(Pursuit { order, .. })
        | State::Reverted { pursuit: Pursuit { order, .. }, .. }
        | State::Transferred { pursuit: Pursuit { order, .. }, .. }
        | State::Failed { order, .. } => {
            if order.fingerprint.same_as(fingerprint) {
                Ok(())
            } else {
                Err(Refusal::Other)
            }
        }
    }
}

/// What one look at the chain is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Look {
    /// Its number, to be told with what it saw.
    pub number: u32,
    /// What is looked for: a use of the payer's nonce, and the transfer of the amount to the recipient.
    pub terms: Terms,
    /// The transactions of our own, newest first.
    pub transactions: Vec<String>,
    /// Where the transfer stood when it was last looked at, by whichever transaction.
    pub stood: Option<Inclusion>,
    /// A signed transaction that is to be sent again if the chain shows neither a use of the authorization nor a
    /// transaction of ours: a reorganisation, or a full pool, may have dropped it. Sending what is known is harmless.
    pub raw: Option<Bytes>,
}

/// What the latest look is for. To be asked after a step whose events hold [`crate::Fact::LookStarted`]; `None` before the
/// first, and when nothing can change any more.
///
/// The chain is to be asked in this order, which leaves no gap through which a block could slip:
///
/// 1. The headers of the latest, safe and finalized blocks. A latest block older than that of `stood` is a node that
///    lags: nothing is told.
/// 2. The receipts of `stood` and of `transactions`. The transfer's log in one is [`crate::Sighting::Transferred`], at the
///    tier that its block number has by the headers of step 1.
/// 3. Whether the authorization is used at the latest block. If so, which transaction used it, by the log of the use:
///    [`crate::Sighting::Transferred`] or [`crate::Sighting::UsedOtherwise`] by its receipt. Not found: nothing is told.
/// 4. Not used: [`crate::Sighting::Unused`], with the transaction of `transactions` that step 2 found mined; the window
///    is closed if the finalized block of step 1 has a time at or past `valid_before`.
pub fn look(state: &State, now: UnixMillis) -> Option<Look> {
    let pursuit = state.unfinished().filter(|pursuit| pursuit.looks > 0)?;
    let stood = match state {
        State::Transferred { inclusion, .. } => Some(inclusion.clone()),
        State::New
        | State::Declined { .. }
        | State::Underway(_)
        | State::Reverted { .. }
        | State::Failed { .. } => None,
    };
    let terms = &pursuit.order.terms;
    // What is mined after the window only burns its fee.
    let is_in_time = now < terms.valid_before;
    Some(Look {
        number: pursuit.looks,
        terms: terms.clone(),
        transactions: pursuit.calls.iter().flat_map(|calls| calls.hashes.iter().rev().cloned()).collect(),
        stood,
        raw: pursuit.calls.as_ref().filter(|_| is_in_time).map(|calls| calls.raw.clone()),
    })
}
