//! What executors come back with.

use primitives::{Digest, ExecutorId, Millis};

use super::Turn;
use crate::pending::{Fate, Pending, Presence};
use crate::refusal::Value;
use crate::retry::order_pending;
use crate::rules::{Fault, Freshness, faults, freshness, is_line, line};
use crate::stage::{Shopping, Stage};
use crate::{
    Answer, BrowserResult, Cart, Cents, Fact, OrderEvidence, PixTarget, Quote, Refusal, Task, limits,
    next::invalidated,
};

/// The signal's name on the record.
const RESULT: &str = "result";

impl Turn {
    pub(super) fn browser(
        &mut self,
        executor: &ExecutorId,
        command_id: &str,
        result: BrowserResult,
    ) -> Result<(), Refusal> {
        if *executor != self.run.executor {
            return Err(Refusal::WrongExecutor);
        }
        let digest = digest_of(&result)?;
        let fate = self.run.fates.of(command_id);
        match fate {
            Some(Fate::Answered(before)) if before == digest || result == BrowserResult::Started => {
                return Ok(());
            }
            Some(Fate::Answered(_) | Fate::Withdrawn) | None => self.check_open()?,
        }
        let pending = self.run.pending.as_ref();
        let Some(pending) = pending.filter(|pending| pending.command.command_id == command_id).cloned()
        else {
            let refusal = match fate {
                Some(Fate::Answered(_)) => Refusal::CommandAnswered,
                Some(Fate::Withdrawn) => Refusal::CommandWithdrawn,
                None => Refusal::UnknownCommand,
            };
            return self.refuse(RESULT, refusal);
        };
        let answer = Answer { command_id: command_id.to_owned(), result: digest };
        match result {
            BrowserResult::Started => self.started(&pending),
            BrowserResult::NeedsUser { reason } => self.needs_user(&pending, &reason),
            BrowserResult::Quote { cart, captured_at, page } => match pending.command.task {
                Task::RevalidateCandidate { .. } | Task::PrepareCheckout | Task::ReadCheckout => {
                    check_cart(&cart, &page)?;
                    self.quote(Quote { cart, captured_at, executor: executor.clone(), page }, answer)
                }
                Task::ReadPix { .. } | Task::VerifyOrder => self.wrong_result(&pending.command.task),
            },
            BrowserResult::Pix(target) => match pending.command.task {
                Task::ReadPix { expected } => self.pix(expected, target, answer),
                Task::RevalidateCandidate { .. }
                | Task::PrepareCheckout
                | Task::ReadCheckout
                | Task::VerifyOrder => self.wrong_result(&pending.command.task),
            },
            BrowserResult::Order(evidence) => match pending.command.task {
                Task::VerifyOrder => self.order(evidence, answer),
                Task::RevalidateCandidate { .. }
                | Task::PrepareCheckout
                | Task::ReadCheckout
                | Task::ReadPix { .. } => self.wrong_result(&pending.command.task),
            },
            BrowserResult::Unavailable { reason } => match pending.command.task {
                Task::VerifyOrder => self.order_pending(&reason, answer),
                Task::RevalidateCandidate { .. }
                | Task::PrepareCheckout
                | Task::ReadCheckout
                | Task::ReadPix { .. } => {
                    let words = line(&reason, limits::REJECTION_BYTES);
                    self.reject_candidate(vec![Fault::Unavailable.code().to_owned(), words], answer)
                }
            },
            BrowserResult::Error { reason } => match pending.command.task {
                Task::VerifyOrder => self.order_pending(&reason, answer),
                Task::RevalidateCandidate { .. }
                | Task::PrepareCheckout
                | Task::ReadCheckout
                | Task::ReadPix { .. } => self.command_failed(&reason, answer),
            },
        }
    }

    fn wrong_result(&mut self, task: &Task) -> Result<(), Refusal> {
        let expected = match task {
            Task::RevalidateCandidate { .. } | Task::PrepareCheckout | Task::ReadCheckout => "QUOTE",
            Task::ReadPix { .. } => "PIX",
            Task::VerifyOrder => "ORDER",
        };
        self.refuse(RESULT, Refusal::WrongResult { expected: expected.to_owned() })
    }

    /// Once, and once more whenever the buyer has done something.
    fn started(&mut self, pending: &Pending) -> Result<(), Refusal> {
        let is_news = !pending.is_started || pending.wanted.is_some() || pending.presence == Presence::Away;
        if !is_news {
            return Ok(());
        }
        let command_id = pending.command.command_id.clone();
        let is_requested = self.run.stage == Stage::Shopping(Shopping::RevalidationRequested);
        self.record(if is_requested {
            Fact::RevalidationStarted { command_id }
        } else {
            Fact::CommandStarted { command_id }
        })
    }

    /// The same again counts as a repetition while more than half of the wait is left: an executor that polls says it often.
    fn needs_user(&mut self, pending: &Pending, reason: &str) -> Result<(), Refusal> {
        let reason = line(reason, limits::REASON_BYTES);
        let half = Millis(limits::USER_WAIT.0 / 2);
        if pending.wanted.as_ref() == Some(&reason) && pending.command.until > self.at.plus(half) {
            return Ok(());
        }
        if pending.asks >= limits::USER_ASKS {
            return self.refuse(RESULT, Refusal::TooManyAsks);
        }
        let (command_id, until) = (pending.command.command_id.clone(), self.at.plus(limits::USER_WAIT));
        self.record(Fact::BrowserNeedsUser { command_id, reason, until })
    }

    fn command_failed(&mut self, reason: &str, answer: Answer) -> Result<(), Refusal> {
        let (command_id, attempt) = (answer.command_id.clone(), self.run.failures.all.saturating_add(1));
        let reason = line(reason, limits::REASON_BYTES);
        self.take(Fact::CommandFailed { command_id, reason, attempt }, Some(answer))
    }

    fn reject_candidate(&mut self, reasons: Vec<String>, answer: Answer) -> Result<(), Refusal> {
        let candidate_id = self.run.candidate().map(|candidate| candidate.candidate_id.clone());
        let candidate_id = candidate_id.unwrap_or_default();
        self.take(Fact::CandidateRejected { candidate_id, reasons }, Some(answer))
    }

    /// Of the right shop, exactly what was wanted, and at a price that holds; else the next candidate is tried.
    fn quote(&mut self, quote: Quote, answer: Answer) -> Result<(), Refusal> {
        match freshness(quote.captured_at, self.at) {
            Freshness::Fresh => {}
            Freshness::Stale => return self.command_failed("The quote was read too long ago.", answer),
            Freshness::Ahead => {
                return self.command_failed("The quote was read in the future: set the clock.", answer);
            }
        }
        let wrong = self
            .run
            .candidate()
            .map_or(Vec::new(), |candidate| faults(&self.run.creation.intent, candidate, &quote.cart));
        if !wrong.is_empty() {
            let codes = wrong.into_iter().map(|fault| fault.code().to_owned()).collect();
            return self.reject_candidate(codes, answer);
        }
        let is_checkout = matches!(self.run.stage, Stage::Quoted(_));
        let fact = if is_checkout { Fact::CheckoutReady { quote } } else { Fact::QuoteValidated { quote } };
        self.take(fact, Some(answer))
    }

    /// Exactly what the checkout said; else the checkout is read again.
    fn pix(&mut self, expected: Cents, target: PixTarget, answer: Answer) -> Result<(), Refusal> {
        let is_over = target.expires_at.is_some_and(|end| end <= self.at);
        let captured_at = self.run.stage.prepared().map(|prepared| prepared.checkout.captured_at);
        let is_stale = captured_at.is_some_and(|at| freshness(at, self.at) == Freshness::Stale);
        let why = match (target.amount == expected, is_over, is_stale) {
            (false, _, _) => "pix_amount_mismatch",
            (true, true, _) => "pix_expired",
            (true, false, true) => "quote_stale",
            (true, false, false) => return self.take(Fact::PixDetected { target }, Some(answer)),
        };
        self.take(invalidated(&self.run, why), Some(answer))
    }

    fn order(&mut self, evidence: OrderEvidence, answer: Answer) -> Result<(), Refusal> {
        if !evidence.confirmed {
            return self.order_pending(&evidence.evidence, answer);
        }
        let words = line(&evidence.evidence, limits::EVIDENCE_BYTES);
        let evidence = OrderEvidence { confirmed: true, evidence: words };
        self.take(Fact::OrderConfirmed { evidence }, Some(answer))
    }

    fn order_pending(&mut self, evidence: &str, answer: Answer) -> Result<(), Refusal> {
        match order_pending(&self.run, evidence, self.at) {
            Some(fact) => self.take(fact, Some(answer)),
            None => Ok(()),
        }
    }

    /// Told once for each command. The owner is asked to start the executor, or to name another.
    pub(super) fn executor_lost(&mut self, executor: ExecutorId, command_id: &str) -> Result<(), Refusal> {
        let is_news = self.run.pending.as_ref().is_some_and(|pending| {
            let command = &pending.command;
            command.command_id == command_id
                && command.executor == executor
                && pending.presence == Presence::Presumed
        });
        if is_news { self.record(Fact::ExecutorOffline { executor }) } else { Ok(()) }
    }
}

fn digest_of(result: &BrowserResult) -> Result<Digest, Refusal> {
    Digest::of_json(result).map_err(|error| Refusal::Inconsistent { why: error.to_string() })
}

/// Whether a cart is one that can be kept.
fn check_cart(cart: &Cart, page: &str) -> Result<(), Refusal> {
    if !is_line(page, limits::NAME_BYTES) {
        return Err(Refusal::Malformed(Value::Page));
    }
    let lines = || cart.fees.iter().chain(&cart.discounts);
    let products = cart.items.iter().map(|item| &item.product);
    let names = || products.clone().chain(lines().map(|line| &line.name)).chain([&cart.merchant]);
    let prices = cart.items.iter().flat_map(|item| [item.unit_price, item.total]);
    let amounts = prices.chain(lines().map(|line| line.amount)).chain([cart.total]);
    let bytes = names().fold(0_usize, |sum, name| sum.saturating_add(name.len()));
    let is_bounded = cart.items.len() <= limits::ITEMS
        && cart.fees.len() <= limits::LINES
        && cart.discounts.len() <= limits::LINES
        && bytes <= limits::CART_BYTES
        && names().all(|name| is_line(name, limits::NAME_BYTES))
        && amounts.into_iter().all(|amount| amount <= Cents::MAX);
    if is_bounded { Ok(()) } else { Err(Refusal::Malformed(Value::Cart)) }
}
