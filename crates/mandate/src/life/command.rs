//! What the object of a mandate can be asked.

use core::ops::Not;

use alloy_primitives::{Address, B256, Bytes, U256};
use primitives::BaseUnits;
use serde::{Deserialize, Serialize};

use super::{Closed, Filed};
use crate::{Amendment, By, Creation, Request, SignedApproval, Token, UnixSeconds};

/// One request to the object. Who asks, and whose signatures came along, are facts that were established before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Command {
    /// Make the mandate, by the owner that the creation names.
    Create {
        /// What it is made of.
        creation: Box<Creation>,
        /// What is known of its token.
        token: Token,
        /// The owner's private name for it, of at most [`super::limits::LABEL_BYTES`] bytes.
        label: String,
    },
    /// Change the mandate or its money.
    Change {
        /// What is to change.
        change: Change,
        /// Who asks.
        by: Address,
    },
    /// Authorize a payment, or have it wait for the owner's approval when nothing but that is missing. The same request
    /// again submits one that was approved, and else changes nothing; [`super::progress()`] says what became of it.
    Request {
        /// The request.
        request: Box<Request>,
        /// The agent.
        by: By,
        /// What the shell has on file under the request's id.
        filed: Option<Box<Filed>>,
    },
    /// Make sure that a request that was not authorized never is, whether it was made here or not.
    Cancel {
        /// The request.
        request: Box<Request>,
        /// The owner or the agent.
        by: By,
        /// What the shell has on file under the request's id.
        filed: Option<Box<Filed>>,
    },
    /// Do something with one request.
    Act {
        /// The name of its payment.
        payment: B256,
        /// What is done.
        act: Act,
        /// Who does it.
        by: By,
        /// What the shell has on file under that name.
        filed: Option<Box<Filed>>,
    },
    /// Hold a part of the budget and the money for something else in the product.
    Reserve {
        /// The reservation's own name: 32 bytes that its asker derives from what it is for.
        reservation: B256,
        /// What is to be held.
        hold: Hold,
        /// What the shell has on file under the reservation's name.
        closed: Option<Closed>,
    },
    /// Pay all or a part of a reservation. The rest goes back, and the reservation ends. Of what was never reserved nothing
    /// is paid, and it can never be reserved from then on: the shell finds a released reservation on file.
    Commit {
        /// The reservation's name.
        reservation: B256,
        /// Who holds it.
        asker: String,
        /// What is paid.
        amount: BaseUnits,
        /// What the shell has on file under the reservation's name.
        closed: Option<Closed>,
    },
    /// Give a reservation back. What was never reserved can never be from then on.
    Release {
        /// The reservation's name.
        reservation: B256,
        /// Who holds it.
        asker: String,
        /// What the shell has on file under the reservation's name.
        closed: Option<Closed>,
    },
    /// Time has passed.
    Wake,
}

/// A change of the mandate or its money, as the function of [`crate::Mandate`] that has its name makes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields say what they are by name")]
pub enum Change {
    /// By the owner.
    Amend(Box<Amendment>),
    /// By anyone. Nothing applies an amendment by itself.
    ApplyAmendment(Box<Amendment>),
    /// By the owner.
    CancelAmendment,
    /// By the owner.
    Pause,
    /// By the owner.
    Unpause,
    /// By the owner.
    Revoke,
    /// By the agent.
    Renounce,
    /// Money has come in, whole; by the owner, who says so.
    Fund { amount: U256 },
    /// Money that is not reserved goes out, by the owner.
    Withdraw { amount: U256 },
}

/// What can be done with one request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields say what they are by name")]
pub enum Act {
    /// The owner's yes, whose signature is of this payment's name and the approval's end, with the signature as it came.
    /// Only waiting requests take one.
    Approve { approval: SignedApproval, bytes: Bytes },
    /// The owner's no, with a note of at most [`super::limits::NOTE_BYTES`] bytes.
    Reject { note: String },
    /// Authorize with the approval that is kept, by the agent.
    Submit,
    /// See [`crate::Mandate::deliver`].
    Deliver { receipt: B256 },
    /// See [`crate::Mandate::accept`].
    Accept,
    /// See [`crate::Mandate::dispute`].
    Dispute { evidence: B256 },
    /// See [`crate::Mandate::capture`].
    Capture { total: BaseUnits },
    /// See [`crate::Mandate::claim`].
    Claim,
    /// See [`crate::Mandate::void`].
    Void,
    /// See [`crate::Mandate::resolve`].
    Resolve { to_provider: BaseUnits },
    /// See [`crate::Mandate::time_out`].
    TimeOut,
    /// See [`crate::Mandate::expire`].
    Expire,
    /// See [`crate::Mandate::refund`]. Needs what is on file.
    Refund { total: BaseUnits },
}

/// What a reservation holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hold {
    /// The object that asks, by its name of at most [`super::limits::ASKER_BYTES`] bytes. It is told when time ends the
    /// reservation.
    pub asker: String,
    /// Whom it is for.
    pub recipient: Address,
    /// For what: the keccak-256 of the service's name.
    pub service: B256,
    /// How much.
    pub amount: BaseUnits,
    /// It ends by itself then, at most [`super::limits::RESERVATION_WAIT`] seconds from now.
    pub until: UnixSeconds,
    /// Whether the owner has said yes to exactly this. It lets the hold pass the threshold above which the owner is asked,
    /// and nothing else. A fact that the asker has established, by the owner's signature and not by a session: nothing is
    /// left to check here.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub approved: bool,
}
