//! The one way in which anything changes: what is accepted and what is replayed take the same step.

use alloy_primitives::{Address, B256};
use primitives::UnixMillis;

use super::clock::queue_end;
use super::{Act, Ask, Book, Change, Custody, Fact, Outcome, Progress, Refusal, Stage, Trail};
use crate::amount::ZERO;
use crate::evaluate::judge;
use crate::refusal::require;
use crate::{
    Amended, Approval, Arrival, By, Ceiling, Creation, Mandate, Moved, Proof, Reason, Refused, Relation,
    Request, Signature, SignedApproval, State, Token, UnixSeconds,
};

/// The mandate as it is made.
pub(super) fn born(
    creation: &Creation,
    token: Token,
    label: &str,
    at: UnixMillis,
) -> Result<(Box<Book>, Outcome), Refusal> {
    let book = Book {
        mandate: Mandate::create(None, creation.clone(), token, at.into())?,
        custody: Custody::Ledger,
        label: label.to_owned(),
        requests: Default::default(),
        reservations: Default::default(),
        born: at,
        latest: at,
    };
    Ok((Box::new(book), Outcome::Done))
}

/// Takes a step, or says why it cannot be taken. After a refusal the book is to be dropped.
pub(super) fn step(book: &mut Book, fact: &Fact, at: UnixMillis) -> Result<Outcome, Refusal> {
    let now = UnixSeconds::from(at);
    book.latest = at;
    match fact {
        Fact::Created { creation, .. } => Err(Refused::new(Reason::MandateExists, creation.id, 0).into()),
        Fact::Changed { change, by } => book.change(change, *by, now),
        Fact::Requested { request, by } => book.request(request, *by, at),
        Fact::Cancelled { request, by } => book.cancel(request, *by, now),
        Fact::Acted { payment, act, by } => book.act(*payment, act, *by, now),
        Fact::Refunded { filed, total, by } => {
            let payment = filed.payment.ok_or(Refusal::Unavailable(filed.progress))?;
            let name = filed.request.payment;
            book.mandate.payments.insert(name, payment);
            let refunded = book.mandate.refund(&filed.request, *total, *by, now, Arrival::Whole);
            book.mandate.payments.remove(&name);
            Ok(Outcome::Request { progress: filed.progress, paid: ZERO, returned: refunded? })
        }
        Fact::Lapsed { payment, due } => book.lapse(*payment, *due),
        Fact::Reserved { reservation, hold } => book.hold(*reservation, hold, now),
        Fact::Committed { reservation, amount } => {
            require(*amount, Relation::AtLeast, 1, Reason::ZeroAmount)?;
            book.end_hold(*reservation, *amount)
        }
        Fact::Released { reservation } | Fact::ReservationLapsed { reservation } => {
            book.end_hold(*reservation, ZERO)
        }
        Fact::ReservationBarred { reservation, .. } if book.reservations.contains_key(reservation) => {
            Err(Refusal::ReservationReused)
        }
        Fact::ReservationBarred { .. } => Ok(Outcome::Done),
    }
}

/// Refuses with every rule that is broken, the first of them first.
pub(super) fn judged(
    mandate: &Mandate,
    request: &Request,
    proof: &Proof,
    now: UnixSeconds,
) -> Result<Approval, Refusal> {
    judge(mandate, request, proof, now, &Ceiling::Unset)
        .map_err(|(first, more)| Refusal::Rules { first, more })
}

const fn stands(progress: Progress) -> Outcome {
    Outcome::Request { progress, paid: ZERO, returned: ZERO }
}

impl Book {
    fn change(&mut self, change: &Change, by: Address, now: UnixSeconds) -> Result<Outcome, Refusal> {
        let mandate = &mut self.mandate;
        match change {
            Change::Amend(amendment) => match mandate.amend(amendment, by, now)? {
                Amended::AtOnce => self.outdate(),
                Amended::Scheduled { effective_at } => return Ok(Outcome::Scheduled { effective_at }),
            },
            Change::ApplyAmendment(amendment) => {
                mandate.apply_amendment(amendment, now)?;
                self.outdate();
            }
            Change::CancelAmendment => mandate.cancel_amendment(by)?,
            Change::Pause => mandate.pause(by)?,
            Change::Unpause => mandate.unpause(by)?,
            Change::Revoke => mandate.revoke(by)?,
            Change::Renounce => mandate.renounce(by)?,
            Change::Fund { amount } => mandate.fund(*amount, Arrival::Whole)?,
            Change::Withdraw { amount } => mandate.withdraw(*amount, by)?,
        }
        Ok(Outcome::Done)
    }

    /// Ends what waits under a policy that is not in force: it could never be authorized.
    fn outdate(&mut self) {
        self.requests.retain(|_, ask| ask.stage == Stage::Open);
    }

    /// Judged as if the owner's approval were there: what passes waits for it if it is needed.
    fn request(&mut self, request: &Request, by: By, at: UnixMillis) -> Result<Outcome, Refusal> {
        let now = UnixSeconds::from(at);
        self.check_mandate(request)?;
        match judged(&self.mandate, request, &Proof { agent: by, approval: self.owners_yes() }, now)? {
            Approval::Unneeded => {
                let proof = Proof { agent: by, approval: SignedApproval::default() };
                self.authorize(request, &proof, now, Trail::new(at))
            }
            Approval::Needed => {
                let stage = Stage::Waiting { until: queue_end(request, now) };
                let ask = Ask { request: *request, stage, trail: Trail::new(at) };
                self.requests.insert(request.payment, ask);
                Ok(stands(Progress::AwaitingApproval))
            }
        }
    }

    /// The owner's approval, as if it were there.
    pub(super) const fn owners_yes(&self) -> SignedApproval {
        SignedApproval { valid_before: UnixSeconds::MAX, signature: Signature::Of(self.mandate.owner) }
    }

    fn check_mandate(&self, request: &Request) -> Result<(), Refused> {
        if request.mandate == self.mandate.id {
            Ok(())
        } else {
            Err(Refused::new(Reason::UnknownMandate, request.mandate, 0))
        }
    }

    fn authorize(
        &mut self,
        request: &Request,
        proof: &Proof,
        now: UnixSeconds,
        trail: Trail,
    ) -> Result<Outcome, Refusal> {
        self.mandate.authorize(request, proof, now, &mut Ceiling::Unset)?;
        self.requests.insert(request.payment, Ask { request: *request, stage: Stage::Open, trail });
        Ok(stands(Progress::Escrowed))
    }

    fn cancel(&mut self, request: &Request, by: By, now: UnixSeconds) -> Result<Outcome, Refusal> {
        self.check_mandate(request)?;
        self.mandate.cancel_request(request, by, now)?;
        self.mandate.payments.remove(&request.payment);
        self.requests.remove(&request.payment);
        Ok(stands(Progress::Cancelled))
    }

    fn act(&mut self, payment: B256, act: &Act, by: By, now: UnixSeconds) -> Result<Outcome, Refusal> {
        let Ask { request, stage, trail } =
            self.requests.get(&payment).cloned().ok_or(Refusal::UnknownRequest)?;
        match (act, stage) {
            (Act::Approve { approval, bytes }, Stage::Waiting { until }) => {
                self.check_approval(approval, now)?;
                let until = until.min(approval.valid_before);
                let stage = Stage::Approved { until, approval: *approval, bytes: bytes.clone() };
                self.requests.insert(payment, Ask { request, stage, trail });
                Ok(stands(Progress::Approved))
            }
            (Act::Reject { .. }, Stage::Waiting { .. }) => {
                by.require(self.mandate.owner)?;
                self.requests.remove(&payment);
                Ok(stands(Progress::Rejected))
            }
            (Act::Approve { .. } | Act::Reject { .. }, Stage::Approved { .. }) => {
                Err(Refusal::AlreadyDecided)
            }
            (Act::Submit, Stage::Approved { approval, .. }) => {
                let proof = Proof { agent: by, approval };
                judged(&self.mandate, &request, &proof, now)?;
                self.authorize(&request, &proof, now, trail)
            }
            (act, Stage::Open) => {
                let moved = escrow(&mut self.mandate, &request, act, by, now)?;
                self.requests.insert(payment, Ask { request, stage: Stage::Open, trail: trail.after(act) });
                self.moved(payment, moved)
            }
            (_, Stage::Waiting { .. }) => Err(Refusal::Unavailable(Progress::AwaitingApproval)),
            (_, Stage::Approved { .. }) => Err(Refusal::Unavailable(Progress::Approved)),
        }
    }

    fn check_approval(&self, approval: &SignedApproval, now: UnixSeconds) -> Result<(), Refused> {
        require(now, Relation::Below, approval.valid_before, Reason::ApprovalExpired)?;
        if approval.signature == Signature::Of(self.mandate.owner) {
            Ok(())
        } else {
            Err(Refused::new(Reason::ApprovalSignature, 0, self.mandate.owner))
        }
    }

    /// What time does to a request at `due`. A provider that was silent is paid; one that captured parts has said what it
    /// wants, and the rest goes back.
    fn lapse(&mut self, payment: B256, due: UnixSeconds) -> Result<Outcome, Refusal> {
        let Ask { request, ref stage, .. } = *self.requests.get(&payment).ok_or(Refusal::UnknownRequest)?;
        match stage {
            Stage::Waiting { .. } | Stage::Approved { .. } => {
                self.requests.remove(&payment);
                return Ok(stands(Progress::Expired));
            }
            Stage::Open => {}
        }
        let paid = self.mandate.payments.get(&payment).map_or(ZERO, |payment| payment.paid);
        let moved = match self.mandate.state_of(payment) {
            State::Delivered if paid == ZERO => self.mandate.claim(&request, due)?,
            State::Disputed => self.mandate.time_out(&request, due)?,
            State::Delivered
            | State::Escrowed
            | State::None
            | State::Cancelled
            | State::Settled
            | State::Refunded
            | State::Voided
            | State::TimedOut => self.mandate.expire(&request, due)?,
        };
        self.moved(payment, moved)
    }

    /// What is over leaves.
    fn moved(&mut self, payment: B256, moved: Moved) -> Result<Outcome, Refusal> {
        let Moved { to_provider, returned, state } = moved;
        if state.is_final() {
            self.requests.remove(&payment);
            self.mandate.payments.remove(&payment);
        }
        let progress = Progress::of(state).ok_or(Refusal::UnknownRequest)?;
        Ok(Outcome::Request { progress, paid: to_provider, returned })
    }
}

/// The function of the mandate that has the act's name.
fn escrow(
    mandate: &mut Mandate,
    request: &Request,
    act: &Act,
    by: By,
    now: UnixSeconds,
) -> Result<Moved, Refusal> {
    let still = |state| Moved { to_provider: ZERO, returned: ZERO, state };
    Ok(match act {
        Act::Deliver { .. } => mandate.deliver(request, by, now).map(|_| still(State::Delivered))?,
        Act::Accept => mandate.accept(request, by)?,
        Act::Dispute { evidence } => {
            mandate.dispute(request, *evidence, by, now).map(|_| still(State::Disputed))?
        }
        Act::Capture { total } => mandate.capture(request, *total, by, now)?,
        Act::Claim => mandate.claim(request, now)?,
        Act::Void => mandate.void(request, by)?,
        Act::Resolve { to_provider } => mandate.resolve(request, *to_provider, by, now)?,
        Act::TimeOut => mandate.time_out(request, now)?,
        Act::Expire => mandate.expire(request, now)?,
        // Only what is on file is refunded.
        Act::Approve { .. } | Act::Reject { .. } | Act::Submit | Act::Refund { .. } => {
            let progress = Progress::of(mandate.state_of(request.payment)).unwrap_or(Progress::Escrowed);
            return Err(Refusal::Unavailable(progress));
        }
    })
}
