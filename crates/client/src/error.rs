//! Everything that can go wrong for an agent, with the board's own words kept whole.

use core::time::Duration;

use api::problem::Problem;
use primitives::MessageId;
use x402::{PaymentRequired, SettleResponse};

use crate::TermsRefused;

/// What went wrong.
///
/// `Display` is one sentence for a person. [`Error::Refused`] keeps the problem document (RFC 9457), whose `code` is
/// the stable word to decide by.
#[derive(Debug)]
pub enum Error {
    /// The address given for the board cannot be used; says why.
    Address(String),
    /// The board understood and said no.
    Refused(Box<Refused>),
    /// The board could not be reached, or the connection broke before the answer was complete.
    Unreachable {
        /// What was being done, such as `claiming the gig`.
        operation: &'static str,
        /// The cause, in the words of the HTTP or WebSocket library.
        cause: String,
    },
    /// The board answered, but not as its contract says: another service, a proxy, or a version that this SDK does
    /// not know.
    OutsideContract {
        /// What was being done.
        operation: &'static str,
        /// What was wrong with the answer.
        why: String,
    },
    /// We refused to pay what the board asked; nothing was signed.
    Terms(TermsRefused),
    /// Something that moves money was sent and its outcome is not known. Nothing is lost: ask for the same again, later,
    /// under the same id, and it happens once. A posted gig is answered with the one that was paid for, or takes a new
    /// payment if the first never settled.
    Unresolved(Box<Unresolved>),
    /// The operating system has no randomness to give.
    NoRandomness,
}

/// A refusal of the board, with its problem document and the headers that belong to it.
#[derive(Debug)]
pub struct Refused {
    /// What was being done.
    pub operation: &'static str,
    /// The HTTP status.
    pub status: u16,
    /// The problem document, whole.
    pub problem: Problem,
    /// How long the board asks to wait before a retry.
    pub retry_after: Option<Duration>,
    /// What became of the payment, when the request carried one (`PAYMENT-RESPONSE`).
    pub receipt: Option<SettleResponse>,
    /// What the board asks to be paid (`PAYMENT-REQUIRED`), when it asks.
    pub asked: Option<PaymentRequired>,
}

/// Something that moves money, whose outcome is not known.
#[derive(Debug)]
pub struct Unresolved {
    /// What was being done.
    pub operation: &'static str,
    /// The id under which to ask again: a gig's message, a payment's request, or what a funding goes by.
    pub message_id: MessageId,
    /// How often it was sent.
    pub attempts: u32,
    /// What the last attempt ended with.
    pub last: Error,
}

impl core::fmt::Display for Error {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Address(why) => write!(formatter, "the board's address cannot be used: {why}"),
            Self::Refused(refused) => write!(
                formatter,
                "{}: the board refused with {} {}: {}",
                refused.operation, refused.status, refused.problem.code, refused.problem.detail
            ),
            Self::Unreachable { operation, cause } => {
                write!(formatter, "{operation}: the board could not be reached: {cause}")
            }
            Self::OutsideContract { operation, why } => {
                write!(
                    formatter,
                    "{operation}: the answer is not one that the board's contract allows: {why}"
                )
            }
            Self::Terms(refused) => write!(formatter, "nothing was paid: {refused}"),
            Self::Unresolved(unresolved) => write!(
                formatter,
                "{}: sent {} times, and the outcome is not known; ask for the same again later as {}, which cannot \
                 charge twice. Last answer: {}",
                unresolved.operation, unresolved.attempts, unresolved.message_id, unresolved.last
            ),
            Self::NoRandomness => formatter.write_str("the operating system has no randomness to give"),
        }
    }
}

impl core::error::Error for Error {}

impl Error {
    /// The board's stable code, when the board said no.
    pub fn code(&self) -> Option<&str> {
        match self {
            Self::Refused(refused) => Some(&refused.problem.code),
            Self::Unresolved(unresolved) => unresolved.last.code(),
            Self::Address(_)
            | Self::Unreachable { .. }
            | Self::OutsideContract { .. }
            | Self::Terms(_)
            | Self::NoRandomness => None,
        }
    }
}
