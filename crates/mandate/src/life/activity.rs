//! The log of a mandate, as its owner reads it: a line for every transition.

use alloy_primitives::{Address, B256, U256};
use primitives::{BaseUnits, UnixMillis};
use serde::{Deserialize, Serialize};

use super::effect::payment_of;
use super::progress::named;
use super::{Act, Book, Change, Ending, Event, Fact, Outcome, Progress, State};
use crate::amount::ZERO;
use crate::{By, Request, Signature};

named! {
    /// Who does something, in the words of the log.
    Role {
        /// Whose money it is.
        Owner "owner",
        /// Who asks for it.
        Agent "agent",
        /// Who is paid.
        Provider "provider",
        /// Who decides disputes.
        Resolver "resolver",
        /// Another part of the product, for which something is reserved.
        Product "product",
        /// Anyone may do this.
        Anyone "anyone",
        /// Nobody: time has passed.
        Time "time",
    }
}

named! {
    /// What was done, in the words of the log.
    Kind {
        /// The mandate was made.
        Create "create",
        /// A policy was written, or waits.
        Amend "amend",
        /// A waiting amendment was put to work.
        ApplyAmendment "apply_amendment",
        /// A waiting amendment was forgotten.
        CancelAmendment "cancel_amendment",
        /// Authorizations stopped.
        Pause "pause",
        /// They go on.
        Unpause "unpause",
        /// They stopped for ever, by the owner.
        Revoke "revoke",
        /// They stopped for ever, by the agent.
        Renounce "renounce",
        /// Money came in.
        Fund "fund",
        /// Money went out.
        Withdraw "withdraw",
        /// A payment was asked for.
        Request "request",
        /// A request was killed.
        Cancel "cancel",
        /// The owner said yes.
        Approve "approve",
        /// The owner said no.
        Reject "reject",
        /// An approved request was authorized.
        Submit "submit",
        /// The contract tells that a payment was authorized.
        Authorize "authorize",
        /// The contract tells that a payment ended.
        Close "close",
        /// The provider recorded a receipt.
        Deliver "deliver",
        /// The owner accepted.
        Accept "accept",
        /// The owner disputed.
        Dispute "dispute",
        /// The provider took a part or all.
        Capture "capture",
        /// The provider was paid after the challenge period.
        Claim "claim",
        /// The provider gave back what was held.
        Void "void",
        /// The resolver decided.
        Resolve "resolve",
        /// The resolver was silent.
        TimeOut "time_out",
        /// A wait ran out.
        Expire "expire",
        /// The provider gave back what it was paid.
        Refund "refund",
        /// A part of the budget is held.
        Reserve "reserve",
        /// It was paid, wholly or in part.
        Commit "commit",
        /// It was given back.
        Release "release",
    }
}

/// One line of the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Activity {
    /// When it was recorded.
    pub at: UnixMillis,
    /// What was done.
    pub kind: Kind,
    /// By whom, as a role.
    pub role: Role,
    /// By whom, where there is an address.
    pub actor: Option<Address>,
    /// The payment or reservation that it is about.
    pub subject: Option<B256>,
    /// What was asked for, or what moved in or out.
    pub amount: Option<BaseUnits>,
    /// What the provider is paid by it.
    pub paid: BaseUnits,
    /// What is available again in the mandate by it.
    pub returned: BaseUnits,
    /// The token; none where no amount is named.
    pub token: Option<Address>,
    /// Who is paid, or would be.
    pub provider: Option<Address>,
    /// What came of it: a name of [`Progress`] or [`super::Ending`], or `done`, `scheduled` or `reserved`.
    pub result: String,
    /// Why: a note, the hash of evidence or of a receipt, an asker's name.
    pub reason: Option<String>,
}

impl Activity {
    fn new(at: UnixMillis, kind: Kind, role: Role, actor: Option<Address>) -> Self {
        Self {
            at,
            kind,
            role,
            actor,
            subject: None,
            amount: None,
            paid: ZERO,
            returned: ZERO,
            token: None,
            provider: None,
            result: "done".to_owned(),
            reason: None,
        }
    }

    /// A new policy ended a request that waited.
    pub(super) fn outdated(request: &Request, at: UnixMillis) -> Self {
        let reason = Some("The policy changed.".to_owned());
        let result = Progress::Expired.name().to_owned();
        Self { result, reason, ..Self::new(at, Kind::Expire, Role::Time, None).about(request) }
    }

    fn about(self, request: &Request) -> Self {
        Self {
            subject: Some(request.payment),
            amount: Some(request.max_amount),
            token: Some(request.token),
            provider: Some(request.recipient),
            ..self
        }
    }

    fn reserved(self, book: &Book, reservation: B256, hold: &super::Hold) -> Self {
        Self {
            subject: Some(reservation),
            amount: Some(hold.amount),
            token: Some(book.mandate.token),
            provider: Some(hold.recipient),
            reason: Some(hold.asker.clone()),
            ..self
        }
    }
}

/// The line that an event adds.
pub(super) fn activity(before: &State, event: &Event) -> Option<Activity> {
    let line = match (before, &event.fact) {
        (State::Unborn, Fact::Created { creation, .. }) => {
            Activity::new(event.at, Kind::Create, Role::Owner, Some(creation.owner))
        }
        (State::Unborn, _) => return None,
        (State::Live(book), fact) => happened(book, fact, event)?,
    };
    Some(match event.outcome {
        Outcome::Done => line,
        Outcome::Scheduled { .. } => Activity { result: "scheduled".to_owned(), ..line },
        Outcome::Request { progress, paid, returned } => {
            Activity { result: progress.name().to_owned(), paid, returned, ..line }
        }
        Outcome::Reservation { paid, returned } => Activity { paid, returned, ..line },
    })
}

fn happened(book: &Book, fact: &Fact, event: &Event) -> Option<Activity> {
    let at = event.at;
    let ended = |reservation: &B256, kind, role, result: &str| {
        let hold = &book.reservations.get(reservation)?.hold;
        let line = Activity::new(at, kind, role, None).reserved(book, *reservation, hold);
        Some(Activity { result: result.to_owned(), ..line })
    };
    match fact {
        Fact::Created { .. } => None,
        Fact::Changed { change, by } => Some(changed(book, change, *by, at)),
        Fact::Requested { request, by } => {
            Some(Activity::new(at, Kind::Request, Role::Agent, Some(party(*by))).about(request))
        }
        Fact::Cancelled { request, by } => {
            let actor = party(*by);
            let role = if actor == book.mandate.owner { Role::Owner } else { Role::Agent };
            Some(Activity::new(at, Kind::Cancel, role, Some(actor)).about(request))
        }
        Fact::Refunded { filed, by, .. } => {
            Some(Activity::new(at, Kind::Refund, Role::Provider, Some(party(*by))).about(&filed.request))
        }
        Fact::Acted { act, by, .. } => {
            let ask = book.requests.get(&payment_of(event)?)?;
            Some(acted(book, act, *by, at).about(&ask.request))
        }
        Fact::Lapsed { payment, .. } => {
            let ask = book.requests.get(payment)?;
            let kind = match event.outcome {
                Outcome::Request { progress: Progress::TimedOut, .. } => Kind::TimeOut,
                Outcome::Request { progress: Progress::Settled, paid, .. } if paid > ZERO => Kind::Claim,
                Outcome::Request { .. }
                | Outcome::Done
                | Outcome::Scheduled { .. }
                | Outcome::Reservation { .. } => Kind::Expire,
            };
            Some(Activity::new(at, kind, Role::Time, None).about(&ask.request))
        }
        Fact::Reserved { reservation, hold } => {
            let line =
                Activity::new(at, Kind::Reserve, Role::Product, None).reserved(book, *reservation, hold);
            Some(Activity { result: "reserved".to_owned(), ..line })
        }
        Fact::Committed { reservation, .. } => ended(reservation, Kind::Commit, Role::Product, "committed"),
        Fact::Released { reservation } => ended(reservation, Kind::Release, Role::Product, "released"),
        Fact::ReservationLapsed { reservation } => ended(reservation, Kind::Expire, Role::Time, "expired"),
        Fact::ReservationBarred { reservation, asker } => Some(Activity {
            subject: Some(*reservation),
            result: Ending::Released.name().to_owned(),
            reason: Some(asker.clone()),
            ..Activity::new(at, Kind::Release, Role::Product, None)
        }),
    }
}

fn changed(book: &Book, change: &Change, by: Address, at: UnixMillis) -> Activity {
    let anyone = if by == book.mandate.owner { Role::Owner } else { Role::Anyone };
    let line = |kind, role| Activity::new(at, kind, role, Some(by));
    let money = |line, amount: U256| Activity {
        amount: Some(BaseUnits(amount.saturating_to())),
        token: Some(book.mandate.token),
        ..line
    };
    match change {
        Change::Amend(_) => line(Kind::Amend, Role::Owner),
        Change::ApplyAmendment(_) => line(Kind::ApplyAmendment, anyone),
        Change::CancelAmendment => line(Kind::CancelAmendment, Role::Owner),
        Change::Pause => line(Kind::Pause, Role::Owner),
        Change::Unpause => line(Kind::Unpause, Role::Owner),
        Change::Revoke => line(Kind::Revoke, Role::Owner),
        Change::Renounce => line(Kind::Renounce, Role::Agent),
        Change::Fund { amount } => money(line(Kind::Fund, Role::Owner), *amount),
        Change::Withdraw { amount } => money(line(Kind::Withdraw, Role::Owner), *amount),
    }
}

fn acted(book: &Book, act: &Act, by: By, at: UnixMillis) -> Activity {
    let line = |kind, role| Activity::new(at, kind, role, Some(party(by)));
    let because = |line, reason: String| Activity { reason: Some(reason), ..line };
    match act {
        Act::Approve { .. } => {
            Activity { actor: Some(book.mandate.owner), ..line(Kind::Approve, Role::Owner) }
        }
        Act::Reject { note } => because(line(Kind::Reject, Role::Owner), note.clone()),
        Act::Submit => line(Kind::Submit, Role::Agent),
        Act::Deliver { receipt } => because(line(Kind::Deliver, Role::Provider), receipt.to_string()),
        Act::Accept => line(Kind::Accept, Role::Owner),
        Act::Dispute { evidence } => because(line(Kind::Dispute, Role::Owner), evidence.to_string()),
        Act::Capture { .. } => line(Kind::Capture, Role::Provider),
        Act::Claim => line(Kind::Claim, Role::Anyone),
        Act::Void => line(Kind::Void, Role::Provider),
        Act::Resolve { .. } => line(Kind::Resolve, Role::Resolver),
        Act::TimeOut => line(Kind::TimeOut, Role::Anyone),
        Act::Expire => line(Kind::Expire, Role::Anyone),
        Act::Refund { .. } => line(Kind::Refund, Role::Provider),
    }
}

/// Whose will it is.
const fn party(by: By) -> Address {
    match by.signature {
        Signature::Of(signer) => signer,
        Signature::Empty | Signature::Bad => by.caller,
    }
}
