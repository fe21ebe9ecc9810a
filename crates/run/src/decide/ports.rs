//! What market, funds, mandate and chain answer. An answer that nobody waits for changes nothing and is no fault: each may
//! come late, twice, or after another.

use primitives::Digest;

use super::Turn;
use super::create::is_hex;
use crate::asking::Wait;
use crate::ranking::ranked;
use crate::retry::port_failed;
use crate::rules::{assessed, is_plain, line};
use crate::stage::{Funding, Paying, Shopping, Stage};
use crate::{
    Balances, BudgetAnswer, BudgetState, Fact, Found, FundsAnswer, Mode, Rails, Refusal, Requirement, Run,
    Trace, Verdict, limits,
};

impl Turn {
    /// A port that was asked did not answer.
    fn port_failed(&mut self, reason: &str) -> Result<(), Refusal> {
        match port_failed(&self.run, reason, self.at) {
            Some(fact) => self.record(fact),
            None => Ok(()),
        }
    }

    pub(super) fn market(&mut self, attempt: u32, found: Found) -> Result<(), Refusal> {
        let Stage::Shopping(Shopping::Searching(asking)) = &self.run.stage else { return Ok(()) };
        if !asking.awaits(attempt) {
            return Ok(());
        }
        match found {
            Found::Candidates { source, candidates } => {
                let (candidates, rejected) = ranked(&self.run.creation.intent, candidates, self.at);
                let source = line(&source, limits::NAME_BYTES);
                self.record(Fact::MarketSearched { source, candidates, rejected })
            }
            Found::Unavailable { reason } => self.port_failed(&reason),
        }
    }

    pub(super) fn funds(&mut self, number: u32, answer: FundsAnswer) -> Result<(), Refusal> {
        let Stage::Due { step: Funding::WalletConnected(check), .. } = &self.run.stage else {
            return Ok(());
        };
        if check.number != number || !matches!(check.asking.wait, Wait::Answer(_)) {
            return Ok(());
        }
        match answer {
            FundsAnswer::Found { balances, requirement } => self.found(number, balances, requirement),
            FundsAnswer::Unavailable { reason } => self.port_failed(&reason),
            FundsAnswer::Refused { reason } => self.funding_refused(&reason),
        }
    }

    fn funding_refused(&mut self, reason: &str) -> Result<(), Refusal> {
        let reason = line(reason, limits::REASON_BYTES);
        self.record(Fact::RunFailed { code: "funding_refused".to_owned(), reason })
    }

    fn found(&mut self, number: u32, balances: Balances, requirement: Requirement) -> Result<(), Refusal> {
        if let Err(reason) = self.run.check_requirement(&requirement) {
            return self.funding_refused(reason);
        }
        if requirement.expires_at <= self.at {
            return self.port_failed("The off-ramp's word was over when it came.");
        }
        match assessed(&balances, requirement.gross) {
            None => self.port_failed("The wallet's balances are not known."),
            Some(assessment) => self.record(Fact::FundsChecked { number, balances, requirement, assessment }),
        }
    }

    /// Only the hold that was asked for last is waited for. One that was given back before its answer came is over in the
    /// mandate, too, whichever of the two came first there.
    pub(super) fn budget(&mut self, reservation: Digest, answer: BudgetAnswer) -> Result<(), Refusal> {
        let is_asked =
            |hold: &&crate::Budget| hold.reservation == reservation && hold.state == BudgetState::Requested;
        let Some(hold) = self.run.hold().filter(is_asked) else { return Ok(()) };
        let is_approved = hold.approved;
        match answer {
            BudgetAnswer::Held => self.record(Fact::BudgetHeld { reservation }),
            BudgetAnswer::NeedsApproval { reason } if !is_approved => {
                let reason = line(&reason, limits::REASON_BYTES);
                self.record(Fact::BudgetNeedsApproval { reservation, reason })
            }
            BudgetAnswer::NeedsApproval { reason } => {
                self.budget_refused(reservation, "approval_not_heard".to_owned(), &reason)
            }
            BudgetAnswer::Refused { code, reason } => self.budget_refused(reservation, code, &reason),
        }
    }

    fn budget_refused(&mut self, reservation: Digest, code: String, reason: &str) -> Result<(), Refusal> {
        let (code, reason) = (line(&code, limits::NAME_BYTES), line(reason, limits::REASON_BYTES));
        self.record(Fact::BudgetRefused { reservation, code, reason: reason.clone() })?;
        self.record(Fact::RunFailed { code: "mandate_refused".to_owned(), reason })
    }

    /// A hold that time has ended cannot be paid any more, and need not be given back.
    pub(super) fn budget_lapsed(&mut self, reservation: Digest) -> Result<(), Refusal> {
        let is_held = self
            .run
            .hold()
            .is_some_and(|hold| hold.reservation == reservation && hold.state == BudgetState::Held);
        if is_held { self.record(Fact::BudgetLapsed { reservation }) } else { Ok(()) }
    }

    pub(super) fn settlement(&mut self, attempt: u32, verdict: Verdict) -> Result<(), Refusal> {
        let Stage::Authorized { bill, step: Paying::Submitted { payment, look, .. } } = &self.run.stage
        else {
            return Ok(());
        };
        if !look.awaits(attempt) {
            return Ok(());
        }
        let signature = payment.signature.clone();
        match verdict {
            // Whoever says so has looked at something else: nobody knows yet.
            Verdict::Verified { received, .. } if received < bill.authorization.gross => {
                self.port_failed("Less has arrived than was asked.")
            }
            Verdict::Verified { reference, received } => {
                let reference = line(&reference, limits::NAME_BYTES);
                self.record(Fact::SettlementVerified { signature, reference, received })
            }
            Verdict::Failed { code, reason } => {
                let (code, reason) = (line(&code, limits::NAME_BYTES), line(&reason, limits::REASON_BYTES));
                self.record(Fact::SettlementFailed { signature, code, reason })
            }
            Verdict::Unknown { reason } => self.port_failed(&reason),
        }
    }

    pub(super) fn traced(&mut self, attempt: u32, trace: Trace) -> Result<(), Refusal> {
        let Stage::Authorized { step: Paying::Closed { trace: asking, .. }, .. } = &self.run.stage else {
            return Ok(());
        };
        if !asking.awaits(attempt) {
            return Ok(());
        }
        match trace {
            Trace::Found(payment) => {
                self.record(Fact::PaymentFound { payment })?;
                self.cancel_lost()
            }
            Trace::Absent => self.record(Fact::PaymentAbsent),
            Trace::Unknown { reason } => self.port_failed(&reason),
        }
    }
}

impl Run {
    /// Whether the off-ramp's word is one that this run can take.
    fn check_requirement(&self, requirement: &Requirement) -> Result<(), &'static str> {
        let Requirement { gross, asset, pay_to, reference, recipient, simulated, .. } = requirement;
        let network = match &self.creation.rails {
            Rails::Simulated { .. } => "simulated",
            Rails::Chain { network } => network,
        };
        let is_there = asset.strip_prefix(network).is_some_and(|asset| asset.starts_with('/'));
        let texts = [Some(asset), Some(pay_to), reference.as_ref()];
        let are_plain = texts.into_iter().flatten().all(|text| is_plain(text, limits::ADDRESS_BYTES));
        let is_simulated = match self.creation.mode {
            Mode::Simulated => *simulated,
            Mode::Real => !*simulated,
        };
        if !is_simulated {
            Err("The off-ramp does not play its part as the run does: one is simulated, the other is not.")
        } else if !is_there {
            Err("The off-ramp wants to be paid on another network than the run's.")
        } else if gross.0 == 0 || !are_plain || !is_hex(recipient, 40) {
            Err("The off-ramp's word has no form that can be paid.")
        } else {
            Ok(())
        }
    }
}
