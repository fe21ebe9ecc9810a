//! Where the object may answer otherwise than the contract, and where it may not.

use differential::{Action, Book, Outcome, Step};
use mandate::life::{Progress, Refusal};
use mandate::{Reason, Refused, Request, State, explain};

use crate::shell::Answer;

/// A difference by design: its name, and why the object answers otherwise.
pub(crate) type Difference = (&'static str, &'static str);

pub(crate) const TIME: Difference = (
    "time acts by itself",
    "the object ends each escrow at its moment, and claims a minute before the end; the contract waits for a call",
);
pub(crate) const WAIT: Difference =
    ("a wait runs out", "the contract knows no request that waits for its owner");
pub(crate) const AWAITS: Difference =
    ("what lacks the approval waits", "the contract refuses it, and forgets it");
pub(crate) const APART: Difference =
    ("the approval is judged apart", "it comes after the request passed all other rules, not among them");
pub(crate) const KEPT: Difference =
    ("an approval is kept", "it was given before, and need not be brought with the submission");
pub(crate) const AGAIN: Difference =
    ("what was done is answered, not refused", "a request or an act that is repeated changes nothing");
pub(crate) const FIRST: Difference =
    ("the state is named before the party", "what is not possible at all is not possible for anyone");
pub(crate) const OVER: Difference =
    ("a wait that ran out ends its request", "the contract knows nothing of it, and takes it still");
pub(crate) const REUSED: Difference =
    ("a request id stands for one request", "the contract tells requests apart by their whole content");
pub(crate) const CEILING: Difference =
    ("no ceiling holds", "it is kept over several mandates, and the object is one of them");
pub(crate) const TOKEN: Difference = ("no token refuses", "the object is the ledger");

pub(crate) const DIFFERENCES: [Difference; 11] =
    [TIME, WAIT, AWAITS, APART, KEPT, AGAIN, FIRST, OVER, REUSED, CEILING, TOKEN];

/// What two answers are to each other.
pub(crate) enum Verdict {
    Same,
    /// They differ by design, and each side stands where it should.
    Differ(Difference),
    /// They differ by design, and the contract alone has moved.
    ContractMoved(Difference),
    /// They differ by design, and the object alone has moved.
    ObjectMoved(Difference),
}

/// One step with both answers.
pub(crate) struct Case<'a> {
    /// The contract before the step.
    pub(crate) book: &'a Book,
    pub(crate) step: &'a Step,
    /// Where the object had the request before the step.
    pub(crate) was: Option<Progress>,
    pub(crate) outcome: &'a Outcome,
    pub(crate) answer: &'a Answer,
}

const APPROVAL: [Reason; 3] = [Reason::ApprovalMissing, Reason::ApprovalExpired, Reason::ApprovalSignature];

impl Case<'_> {
    /// None when they differ and should not.
    pub(crate) fn verdict(&self) -> Option<Verdict> {
        use Verdict::{ContractMoved, Differ, ObjectMoved, Same};
        let expected = match &self.step.action {
            Action::Authorize(_) => Some(Progress::Escrowed),
            Action::CancelRequest { .. } => Some(Progress::Cancelled),
            _ => None,
        };
        Some(match (self.outcome, self.answer) {
            (Outcome::TokenRefused | Outcome::Refused(Refused { reason: Reason::TokenDelta, .. }), _) => {
                ObjectMoved(TOKEN)
            }
            (Outcome::Done, Answer::Did(stands)) if expected.is_none() || *stands == expected => Same,
            (
                Outcome::Done,
                Answer::Stood(Progress::Expired) | Answer::Refused(Refusal::Unavailable(Progress::Expired)),
            ) => ContractMoved(OVER),
            (Outcome::Done, Answer::Refused(Refusal::RequestIdReused)) => ContractMoved(REUSED),
            (Outcome::Refused(said), Answer::Refused(refusal)) => return self.refusals(said, refusal),
            (Outcome::Refused(said), answer) => match (said.reason, answer) {
                (Reason::Ceiling, Answer::Did(_)) => ObjectMoved(CEILING),
                (Reason::ApprovalMissing, Answer::Did(Some(Progress::AwaitingApproval))) => Differ(AWAITS),
                (reason, Answer::Did(Some(Progress::Escrowed)))
                    if APPROVAL.contains(&reason) && self.was == Some(Progress::Approved) =>
                {
                    ObjectMoved(KEPT)
                }
                (_, Answer::Stood(progress)) if progress.state() == self.state() => Differ(AGAIN),
                _ => return None,
            },
            _ => return None,
        })
    }

    fn refusals(&self, said: &Refused, refusal: &Refusal) -> Option<Verdict> {
        let stands = |state: State| {
            let speaks_of_party = [Reason::NotPermitted, Reason::Signature].contains(&said.reason);
            match said.reason {
                Reason::State if said.got == Refused::new(Reason::State, state, 0).got => Some(Verdict::Same),
                _ if speaks_of_party && state == self.state() => Some(Verdict::Differ(FIRST)),
                _ => None,
            }
        };
        match refusal {
            Refusal::Rules { first, more } if first == said => {
                let is_for_both =
                    |rule: &Refused| rule.reason != Reason::Ceiling && !APPROVAL.contains(&rule.reason);
                let rules = [first].into_iter().chain(more).copied();
                let rules: Vec<_> = rules.filter(is_for_both).collect();
                let broken: Vec<_> = self.broken().into_iter().filter(is_for_both).collect();
                (broken.is_empty() || rules == broken).then_some(Verdict::Same)
            }
            Refusal::Rules { first, .. } if self.broken().contains(first) => {
                let is_apart = APPROVAL.contains(&said.reason) || APPROVAL.contains(&first.reason);
                match said.reason {
                    Reason::Ceiling => Some(Verdict::Differ(CEILING)),
                    _ => is_apart.then_some(Verdict::Differ(APART)),
                }
            }
            Refusal::Unborn if said.reason == Reason::UnknownMandate => Some(Verdict::Same),
            Refusal::UnknownRequest => stands(State::None),
            Refusal::Unavailable(progress) => stands(progress.state()),
            Refusal::RequestIdReused => Some(Verdict::Differ(REUSED)),
            _ => None,
        }
    }

    /// Every rule that the contract finds broken; none where nothing is to be authorized.
    fn broken(&self) -> Vec<Refused> {
        let Action::Authorize(item) = &self.step.action else { return Vec::new() };
        let of = self.book.mandates.get(&item.order.mandate);
        let ceiling = of.map(|of| self.book.ceiling_of(of)).unwrap_or_default();
        let proof = self.book.proof(item, self.step.by);
        let findings = explain(of, &item.order, &proof, self.step.at, &ceiling);
        findings.iter().filter_map(|finding| finding.verdict().err()).collect()
    }

    /// Where the contract has the payment.
    fn state(&self) -> State {
        let of = |order: &Request| Some(self.book.mandates.get(&order.mandate)?.state_of(order.payment));
        subject(self.step).and_then(of).unwrap_or(State::None)
    }
}

/// The request that a step is about.
pub(crate) const fn subject(step: &Step) -> Option<&Request> {
    match &step.action {
        Action::Authorize(item) => Some(&item.order),
        Action::CancelRequest { order, .. } | Action::Escrow { order, .. } => Some(order),
        _ => None,
    }
}
