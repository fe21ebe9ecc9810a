//! Where a request stands on its way, and what is written down of it once it is over.

use alloy_primitives::{Address, B256};
use primitives::{BaseUnits, UnixMillis};
use serde::{Deserialize, Serialize};

use super::{Act, limits};
use crate::amount::ZERO;
use crate::{Payment, Request, State, UnixSeconds};

macro_rules! named {
    ($(#[$meta:meta])* $kind:ident { $($(#[$doc:meta])* $name:ident $text:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum $kind { $($(#[$doc])* $name,)+ }

        impl $kind {
            /// Stable, for programs.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $text,)+ }
            }
        }
    };
}
pub(crate) use named;

named! {
    /// Where a request stands. In custody of the ledger asking and authorizing are one step, so that no request rests
    /// between them.
    Progress {
        /// Above the threshold: it waits for the owner.
        AwaitingApproval "awaiting_approval",
        /// The owner signed; it waits to be submitted.
        Approved "approved",
        /// Over: the owner said no. Nothing was reserved.
        Rejected "rejected",
        /// Over: the request, the wait for an approval or the approval ran out, or the policy changed. Nothing was
        /// reserved.
        Expired "expired",
        /// Over: killed by the owner or the agent before it was authorized.
        Cancelled "cancelled",
        /// The amount is reserved, and the provider works.
        Escrowed "escrowed",
        /// Delivered; the owner may dispute, then the provider may capture.
        Delivered "delivered",
        /// The resolver decides.
        Disputed "disputed",
        /// Over: the provider was paid, wholly or in part.
        Settled "settled",
        /// Over: nothing was paid, and all is available again.
        Refunded "refunded",
        /// Over: the provider gave back what was held.
        Voided "voided",
        /// Over: the resolver was silent, and the amount was split as the terms say.
        TimedOut "timed_out",
    }
}

impl Progress {
    /// Where a request stands whose payment is in `state`; none before there is a payment.
    pub const fn of(state: State) -> Option<Self> {
        match state {
            State::None => None,
            State::Cancelled => Some(Self::Cancelled),
            State::Escrowed => Some(Self::Escrowed),
            State::Delivered => Some(Self::Delivered),
            State::Disputed => Some(Self::Disputed),
            State::Settled => Some(Self::Settled),
            State::Refunded => Some(Self::Refunded),
            State::Voided => Some(Self::Voided),
            State::TimedOut => Some(Self::TimedOut),
        }
    }

    /// The state of the payment; [`State::None`] as long as nothing was reserved.
    pub const fn state(self) -> State {
        match self {
            Self::AwaitingApproval | Self::Approved | Self::Rejected | Self::Expired => State::None,
            Self::Cancelled => State::Cancelled,
            Self::Escrowed => State::Escrowed,
            Self::Delivered => State::Delivered,
            Self::Disputed => State::Disputed,
            Self::Settled => State::Settled,
            Self::Refunded => State::Refunded,
            Self::Voided => State::Voided,
            Self::TimedOut => State::TimedOut,
        }
    }

    /// Whether the request is over. Only refunds can follow.
    pub const fn is_over(self) -> bool {
        match self {
            Self::AwaitingApproval | Self::Approved | Self::Escrowed | Self::Delivered | Self::Disputed => {
                false
            }
            Self::Rejected
            | Self::Expired
            | Self::Cancelled
            | Self::Settled
            | Self::Refunded
            | Self::Voided
            | Self::TimedOut => true,
        }
    }
}

named! {
    /// How a reservation ended.
    Ending {
        /// All or a part was paid.
        Committed "committed",
        /// Given back by its asker.
        Released "released",
        /// Given back by time.
        Expired "expired",
    }
}

/// What a request has left on its way, for whoever looks at it. No rule reads it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trail {
    /// When it was made.
    pub asked: UnixMillis,
    /// The provider's receipt, once it has delivered.
    pub receipt: Option<B256>,
    /// The evidence of a dispute; zero when the owner named none.
    pub evidence: Option<B256>,
    /// The owner's note, when it was rejected.
    pub note: Option<String>,
}

impl Trail {
    /// Of a request that is made now.
    pub(super) const fn new(asked: UnixMillis) -> Self {
        Self { asked, receipt: None, evidence: None, note: None }
    }

    /// The trail after an act.
    pub(super) fn after(self, act: &Act) -> Self {
        match act {
            Act::Deliver { receipt } => Self { receipt: Some(*receipt), ..self },
            Act::Dispute { evidence } => Self { evidence: Some(*evidence), ..self },
            Act::Reject { note } => Self { note: Some(note.clone()), ..self },
            Act::Approve { .. }
            | Act::Submit
            | Act::Accept
            | Act::Capture { .. }
            | Act::Claim
            | Act::Void
            | Act::Resolve { .. }
            | Act::TimeOut
            | Act::Expire
            | Act::Refund { .. } => self,
        }
    }
}

/// A request that is over. The shell keeps it by its payment's name and by its request's id, at least until the last of the
/// request's windows is over, and hands it in with whatever names that payment, or asks under that id, again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Filed {
    /// The request.
    pub request: Request,
    /// How it ended.
    pub progress: Progress,
    /// Its payment; none when nothing was ever reserved.
    pub payment: Option<Payment>,
    /// What it has left on its way.
    pub trail: Trail,
}

/// A reservation that is over. The shell keeps it by its name, at least until `until`, and hands it in with whatever names
/// it again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Closed {
    /// Who held it.
    pub asker: String,
    /// Whom it was for.
    pub recipient: Address,
    /// When it would have ended by itself.
    pub until: UnixSeconds,
    /// How it ended.
    pub ending: Ending,
    /// What was paid.
    pub paid: BaseUnits,
}

impl Closed {
    /// Of a reservation that never was: it is for nobody, and kept for as long as one could have been held.
    pub(super) fn barred(asker: String, at: UnixMillis) -> Self {
        let until = UnixSeconds::from(at).plus(limits::RESERVATION_WAIT);
        Self { asker, recipient: Address::ZERO, until, ending: Ending::Released, paid: ZERO }
    }
}
