//! The wallet, its funds, consent, and what a mandate holds.

use primitives::{BaseUnits, Digest, UnixMillis};

use super::{Why, require};
use crate::asking::Asking;
use crate::stage::{Approval, Check, Consent, Funded, Funding, Outcome, Stage};
use crate::{
    Assessment, Balances, Budget, BudgetState, Cents, Confirmation, Consenter, Requirement, Run,
    WalletReport, confirmation, rules,
};

impl Run {
    pub(super) fn wallet_required(&mut self) -> Result<(), Why> {
        require(self.wallet.is_none(), "there is a wallet")?;
        let Stage::Due { step: step @ Funding::Detected, .. } = &mut self.stage else {
            return Err("nobody asks for a wallet");
        };
        *step = Funding::WalletRequired;
        Ok(())
    }

    /// The same wallet again has its funds checked anew, if they are not enough as they stand.
    pub(super) fn wallet_connected(&mut self, report: &WalletReport) -> Result<(), Why> {
        require(!self.stage.is_authorized(), "the payment is authorized")?;
        let address = report.address.clone().ok_or("no wallet is named")?;
        self.wallet = Some(report.clone());
        let due = match &mut self.stage {
            Stage::Shopping(_)
            | Stage::Quoted(_)
            | Stage::Prepared(_)
            | Stage::Due { step: Funding::Detected, .. } => return Ok(()),
            Stage::Due { due, step: Funding::WalletRequired | Funding::WalletConnected(_) } => due.clone(),
            Stage::Funded { funded, step: Consent::Checked | Consent::ShieldRequired }
                if funded.wallet == address =>
            {
                funded.due.clone()
            }
            // Another wallet: the checkout does not hold any more, which is an event of its own.
            Stage::Funded { funded, .. } => return require(funded.wallet != address, "it is the same"),
            Stage::Authorized { .. } | Stage::Ended { .. } => return Err("the payment is authorized"),
        };
        let check = Check { number: self.checks, asking: Asking::NEW };
        self.stage = Stage::Due { due, step: Funding::WalletConnected(check) };
        Ok(())
    }

    pub(super) fn wallet_disconnected(&mut self) -> Result<(), Why> {
        require(self.wallet.take().is_some(), "there is no wallet")?;
        require(self.hold().is_none(), "a hold is left behind")?;
        self.forget_question();
        let due = match &self.stage {
            Stage::Shopping(_)
            | Stage::Quoted(_)
            | Stage::Prepared(_)
            | Stage::Due { step: Funding::Detected, .. } => return Ok(()),
            Stage::Due { due, step: Funding::WalletRequired | Funding::WalletConnected(_) } => due.clone(),
            Stage::Funded { funded, .. } => funded.due.clone(),
            Stage::Authorized { .. } | Stage::Ended { .. } => return Err("the payment is authorized"),
        };
        self.stage = Stage::Due { due, step: Funding::WalletRequired };
        Ok(())
    }

    pub(super) fn funds_check_started(
        &mut self,
        number: u32,
        wallet: &str,
        amount: Cents,
        at: UnixMillis,
    ) -> Result<(), Why> {
        require(self.address() == Some(wallet), "another wallet is connected")?;
        require(number == self.checks.saturating_add(1), "the checks are miscounted")?;
        let Stage::Due { due, step } = &mut self.stage else { return Err("nobody asks for funds") };
        require(amount == due.pix.amount, "another amount is due")?;
        let attempt = match step {
            Funding::Detected => 1,
            Funding::WalletConnected(check) => check.asking.attempt.saturating_add(1),
            Funding::WalletRequired => return Err("there is no wallet"),
        };
        *step = Funding::WalletConnected(Check { number, asking: Asking::asked(attempt, at) });
        self.checks = number;
        Ok(())
    }

    fn check(&mut self, number: u32) -> Result<&mut Check, Why> {
        if let Stage::Due { step: Funding::WalletConnected(check), .. } = &mut self.stage
            && check.number == number
            && check.asking.awaits(check.asking.attempt)
        {
            return Ok(check);
        }
        Err("the check is not under way")
    }

    pub(super) fn funds_check_failed(
        &mut self,
        number: u32,
        again_at: Option<UnixMillis>,
    ) -> Result<(), Why> {
        let check = self.check(number)?;
        check.asking = check.asking.failed(again_at);
        Ok(())
    }

    pub(super) fn funds_checked(
        &mut self,
        number: u32,
        balances: &Balances,
        requirement: &Requirement,
        assessment: Assessment,
        at: UnixMillis,
    ) -> Result<(), Why> {
        self.check(number)?;
        require(rules::assessed(balances, requirement.gross) == Some(assessment), "it is misjudged")?;
        require(at < requirement.expires_at, "the off-ramp's word is over")?;
        let wallet = self.address().ok_or("there is no wallet")?.to_owned();
        let Stage::Due { due, .. } = self.leave() else { return Err("nobody asks for funds") };
        let (balances, requirement) = (balances.clone(), requirement.clone());
        let funded = Box::new(Funded { due, wallet, balances, requirement, assessment });
        self.stage = Stage::Funded { funded, step: Consent::Checked };
        Ok(())
    }

    pub(super) fn shield_required(&mut self, missing: BaseUnits) -> Result<(), Why> {
        self.assessed_as(Assessment::ShieldRequired { missing }, Consent::ShieldRequired)
    }

    pub(super) fn payment_ready(&mut self) -> Result<(), Why> {
        self.assessed_as(Assessment::Ready, Consent::Ready(Approval::Unneeded))
    }

    fn assessed_as(&mut self, assessment: Assessment, next: Consent) -> Result<(), Why> {
        let Stage::Funded { funded, step: step @ Consent::Checked } = &mut self.stage else {
            return Err("no funds were checked");
        };
        require(funded.assessment == assessment, "the wallet is judged otherwise")?;
        *step = next;
        Ok(())
    }

    /// What is asked is what was read, checked and required (R2, R3).
    pub(super) fn confirmation_requested(&mut self, asked: &Confirmation, at: UnixMillis) -> Result<(), Why> {
        require(asked.number == self.questions.saturating_add(1), "the questions are miscounted")?;
        require(asked.digest == confirmation::digest_of(self, asked)?, "the digest is another's")?;
        let by = match (&self.creation.mandate, self.hold()) {
            (Some(_), None) => Consenter::MandateOwner,
            (None, None) => Consenter::RunOwner,
            (_, Some(_)) => return Err("the amount is held already"),
        };
        let Stage::Funded { funded, step: step @ Consent::Ready(_) } = &mut self.stage else {
            return Err("the payment is not ready");
        };
        require(asked.by == by, "another is to be asked")?;
        require(asked.amount == funded.due.pix.amount, "another amount is due")?;
        require(asked.gross == funded.requirement.gross, "another amount is required")?;
        require(asked.wallet == funded.wallet, "another wallet was checked")?;
        require(at < asked.expires_at, "the question is over")?;
        *step = Consent::Asked(asked.clone());
        self.questions = asked.number;
        Ok(())
    }

    /// Exactly what was asked, by whom it was asked (R3).
    pub(super) fn confirmed(
        &mut self,
        digest: &Digest,
        amount: Cents,
        signer: Option<&str>,
        at: UnixMillis,
    ) -> Result<(), Why> {
        let Stage::Funded { funded, step: Consent::Asked(asked) } = self.leave() else {
            return Err("nobody was asked");
        };
        require(*digest == asked.digest && amount == asked.amount, "another thing was asked")?;
        require(at < asked.expires_at, "the question is over")?;
        let may = match asked.by {
            Consenter::RunOwner => true,
            Consenter::MandateOwner => self.is_mandate_owner(signer),
        };
        require(may, "another was asked")?;
        self.held.confirm = None;
        self.stage = Stage::Funded { funded, step: Consent::Confirmed(asked) };
        Ok(())
    }

    pub(super) fn user_rejected(&mut self) -> Result<(), Why> {
        let is_asked =
            matches!(self.stage, Stage::Funded { step: Consent::Asked(_) | Consent::Confirmed(_), .. });
        require(is_asked, "nobody was asked")?;
        self.end(Outcome::Cancelled)
    }

    /// One hold at a time, for what is required (R8).
    pub(super) fn budget_requested(&mut self, budget: &Budget, at: UnixMillis) -> Result<(), Why> {
        require(self.creation.mandate.is_some(), "there is no mandate")?;
        require(self.hold().is_none(), "another hold is open")?;
        let number = self.budget.as_ref().map_or(0, |budget| budget.number).saturating_add(1);
        require(budget.number == number, "the holds are miscounted")?;
        require(budget.reservation == confirmation::reservation(self.id(), number), "it is another's name")?;
        let Stage::Funded { funded, step } = &self.stage else { return Err("the payment is not ready") };
        let approved = match step {
            Consent::Ready(Approval::Unneeded) => false,
            Consent::Confirmed(_) => true,
            Consent::Checked
            | Consent::ShieldRequired
            | Consent::Ready(Approval::Needed)
            | Consent::Asked(_) => {
                return Err("the payment is not ready");
            }
        };
        require(budget.approved == approved, "the approval is made up")?;
        require(budget.amount == funded.requirement.gross, "another amount is required")?;
        require(budget.recipient == funded.requirement.recipient, "another recipient is required")?;
        require(budget.state == BudgetState::Requested && at < budget.until, "it was not asked for")?;
        self.budget = Some(budget.clone());
        Ok(())
    }

    pub(super) fn budget_moved(
        &mut self,
        reservation: &Digest,
        from: BudgetState,
        to: BudgetState,
    ) -> Result<(), Why> {
        let of_name = |budget: &&mut Budget| budget.reservation == *reservation && budget.state == from;
        let budget = self.budget.as_mut().filter(of_name).ok_or("there is no such hold")?;
        budget.state = to;
        Ok(())
    }

    pub(super) fn budget_needs_approval(&mut self, reservation: &Digest) -> Result<(), Why> {
        let Stage::Funded { step: step @ Consent::Ready(Approval::Unneeded), .. } = &mut self.stage else {
            return Err("nothing was asked of the mandate");
        };
        *step = Consent::Ready(Approval::Needed);
        self.budget_moved(reservation, BudgetState::Requested, BudgetState::Released)
    }

    /// Not while a payment may be on its way (R8).
    pub(super) fn budget_returned(&mut self, reservation: &Digest) -> Result<(), Why> {
        require(!self.stage.may_be_paid(), "a payment may be on its way")?;
        let from = self.hold().ok_or("nothing is held")?.state;
        self.budget_moved(reservation, from, BudgetState::Released)
    }

    /// Whether it is the account that has granted the mandate.
    pub(crate) fn is_mandate_owner(&self, signer: Option<&str>) -> bool {
        let owner = self.creation.mandate.as_ref().map(|mandate| mandate.owner.as_str());
        signer.is_some_and(|signer| owner.is_some_and(|owner| owner.eq_ignore_ascii_case(signer)))
    }
}
