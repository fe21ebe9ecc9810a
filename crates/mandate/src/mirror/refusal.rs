//! How a mirror says no.

use serde::{Deserialize, Serialize};

use super::{Block, Progress, limits};
use crate::{Reason, Refused};

/// What there is only so much of, or so long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// Entries of the mandate.
    Entries,
    /// Requests of ours that are not over.
    Asks,
    /// Payments that the chain holds open.
    Payments,
    /// Events since the newest final block, by weight.
    Tail,
    /// Events of one observation, by weight.
    Told,
    /// Bytes of the label.
    Label,
    /// Bytes of a note.
    Note,
    /// Bytes of a signature.
    Signature,
}

impl Bound {
    /// The most that there can be.
    pub const fn most(self) -> usize {
        match self {
            Self::Entries => limits::ENTRIES,
            Self::Asks => limits::ASKS,
            Self::Payments => limits::PAYMENTS,
            Self::Tail => limits::TAIL,
            Self::Told => limits::TOLD,
            Self::Label => limits::LABEL_BYTES,
            Self::Note => limits::NOTE_BYTES,
            Self::Signature => limits::SIGNATURE_BYTES,
        }
    }

    /// Stable, for programs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Entries => "too_many_entries",
            Self::Asks => "too_many_waiting_requests",
            Self::Payments => "too_many_open_payments",
            Self::Tail => "too_many_unsealed_events",
            Self::Told => "too_many_events",
            Self::Label => "label_too_long",
            Self::Note => "note_too_long",
            Self::Signature => "signature_too_long",
        }
    }
}

pub(super) fn bound(count: usize, what: Bound) -> Result<(), Refusal> {
    if count > what.most() { Err(Refusal::Beyond(what)) } else { Ok(()) }
}

/// A refusal. Nothing changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Refusal {
    /// The chain has not told of the mandate.
    Unborn,
    /// The mandate's rules do not allow it beside all that is on its way.
    Rules {
        /// The first rule that is broken: the contract's answer.
        first: Refused,
        /// The others, in the order of [`Reason`].
        more: Vec<Refused>,
    },
    /// Nothing is known of such a request.
    UnknownRequest,
    /// The owner's word on the request was heard.
    AlreadyDecided,
    /// This is not done with a request that stands there.
    Unavailable(Progress),
    /// The request's id is that of another request of this mandate.
    RequestIdReused,
    /// The contract takes a cancellation by its caller or by a signature, and there is none.
    Unsigned,
    /// The contract reserves nothing but for payments.
    NoReservations,
    /// There are as many as there can be, or it is as long as it can be.
    Beyond(Bound),
    /// For the port: what lies between this block and the observation is not told yet.
    Gap(Block),
    /// For the port: the newest block that was told has left the chain. Rewind.
    Forked(Block),
    /// For the port: this block is final, and the observation takes it back. People have to look.
    Sealed(Block),
    /// For the port: the observation's blocks or events are out of order.
    Disordered,
    /// For the port: the event cannot follow from what was told. People have to look.
    Contradiction(String),
}

impl Refusal {
    /// Stable, for programs; a rule's is that of its [`Reason`].
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Unborn => Reason::UnknownMandate.code(),
            Self::Rules { first, .. } => first.reason.code(),
            Self::UnknownRequest => "unknown_request",
            Self::AlreadyDecided => "already_decided",
            Self::Unavailable(_) => "request_unavailable_in_state",
            Self::RequestIdReused => "request_id_reused",
            Self::Unsigned => "signature_required",
            Self::NoReservations => "reservations_unavailable",
            Self::Beyond(bound) => bound.name(),
            Self::Gap(_) => "observation_gap",
            Self::Forked(_) => "observation_forked",
            Self::Sealed(_) => "observation_sealed",
            Self::Disordered => "observation_disordered",
            Self::Contradiction(_) => "observation_contradiction",
        }
    }

    /// Whether the same can succeed later.
    pub fn may_retry(&self) -> bool {
        match self {
            Self::Rules { first, more } => {
                [first].into_iter().chain(more).all(|rule| rule.reason.may_retry())
            }
            Self::Unborn | Self::UnknownRequest | Self::Gap(_) => true,
            Self::Unavailable(progress) => !progress.is_over(),
            Self::Beyond(bound) => match bound {
                Bound::Asks | Bound::Payments | Bound::Tail => true,
                Bound::Entries | Bound::Told | Bound::Label | Bound::Note | Bound::Signature => false,
            },
            Self::AlreadyDecided
            | Self::RequestIdReused
            | Self::Unsigned
            | Self::NoReservations
            | Self::Forked(_)
            | Self::Sealed(_)
            | Self::Disordered
            | Self::Contradiction(_) => false,
        }
    }
}

impl From<Refused> for Refusal {
    fn from(first: Refused) -> Self {
        Self::Rules { first, more: Vec::new() }
    }
}

impl core::fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Unborn => formatter.write_str("No block that was read holds this mandate. Create it first."),
            Self::Rules { first, more } => {
                write!(formatter, "{first}")?;
                more.iter().try_for_each(|rule| write!(formatter, " {rule}"))
            }
            Self::UnknownRequest => {
                formatter.write_str("There is no such request under this mandate. Make it first.")
            }
            Self::AlreadyDecided => {
                formatter.write_str("This request was decided. To stop it before it is authorized, cancel it.")
            }
            Self::Unavailable(progress) => {
                write!(formatter, "This is not possible with a request that is {}.", progress.name())
            }
            Self::RequestIdReused => formatter.write_str(
                "Another request of this mandate has this requestId. Sign a request with an id of its own.",
            ),
            Self::Unsigned => formatter.write_str(
                "The contract takes a cancellation with a signature of Cancel by the owner or the agent. Send that signature.",
            ),
            Self::NoReservations => formatter.write_str(
                "The contract reserves money only for payments. Reserve from a mandate in custody of the ledger.",
            ),
            Self::Beyond(bound) => beyond(formatter, *bound),
            Self::Gap(block) => write!(formatter, "Events are told up to block {}. Go on from there.", block.number),
            Self::Forked(block) => {
                write!(formatter, "Block {} was told with another hash. Rewind to one that stands.", block.number)
            }
            Self::Sealed(block) => {
                write!(formatter, "Block {} was said to be final. Find out which node is wrong.", block.number)
            }
            Self::Disordered => formatter
                .write_str("The observation's blocks or events are out of order. Read them from the chain again."),
            Self::Contradiction(what) => {
                write!(formatter, "The event does not follow from what was told: {what}. Compare with the chain.")
            }
        }
    }
}

fn beyond(formatter: &mut core::fmt::Formatter<'_>, bound: Bound) -> core::fmt::Result {
    let most = bound.most();
    match bound {
        Bound::Entries => write!(formatter, "A mandate with more than {most} entries is not mirrored."),
        Bound::Asks => write!(
            formatter,
            "At most {most} requests of a mandate wait or are on their way at once. Wait until one is decided or final."
        ),
        Bound::Payments => write!(
            formatter,
            "A mandate with more than {most} open payments is not mirrored on. Wait until one has ended."
        ),
        Bound::Tail => {
            write!(
                formatter,
                "At most {most} units of events are kept after a final block. Wait for the next."
            )
        }
        Bound::Told => {
            write!(formatter, "One observation tells at most {most} units of events. Tell fewer blocks.")
        }
        Bound::Label | Bound::Note => write!(formatter, "This text is too long. Use at most {most} bytes."),
        Bound::Signature => write!(formatter, "This signature is too long. Use at most {most} bytes."),
    }
}

impl core::error::Error for Refusal {}
