//! What only the run's owner can ask for: to stop, and to have another executor look.

use primitives::ExecutorId;

use super::Turn;
use crate::next::invalidated;
use crate::stage::{Paying, Stage};
use crate::{Fact, Refusal, RunState};

impl Turn {
    /// At once where no money can have moved. Once the payment is authorized it is looked for first, and whatever is found
    /// decides.
    pub(super) fn cancel(&mut self) -> Result<(), Refusal> {
        const CANCEL: &str = "cancel";
        match &self.run.stage {
            Stage::Shopping(_)
            | Stage::Quoted(_)
            | Stage::Prepared(_)
            | Stage::Due { .. }
            | Stage::Funded { .. } => self.record(Fact::Cancelled),
            Stage::Authorized { step: Paying::Open | Paying::Closed { .. } | Paying::Absent, .. }
                if self.run.is_stopping =>
            {
                Ok(())
            }
            Stage::Authorized { step: Paying::Open, .. } => {
                self.record(Fact::CancelRequested)?;
                self.record(Fact::PaymentWindowClosed)
            }
            Stage::Authorized { step: Paying::Closed { .. } | Paying::Absent, .. } => {
                self.record(Fact::CancelRequested)
            }
            Stage::Authorized { step: Paying::Submitted { .. }, .. } => {
                self.refuse(CANCEL, Refusal::PaymentUnderWay)
            }
            Stage::Authorized { step: Paying::Settled { .. }, .. } => {
                self.refuse(CANCEL, Refusal::AlreadyPaid)
            }
            Stage::Ended { outcome, .. } if outcome.state() == RunState::Cancelled => Ok(()),
            Stage::Ended { .. } => self.check_open(),
        }
    }

    /// What the other one has read is read again, which may not happen often.
    pub(super) fn rebind(&mut self, executor: ExecutorId) -> Result<(), Refusal> {
        self.check_open()?;
        if executor == self.run.executor {
            return Ok(());
        }
        let drops = self.run.stage.is_selected() && !self.run.stage.is_authorized();
        if drops && self.run.is_unstable() {
            let fact = invalidated(&self.run, "executor_changed");
            return self.record(fact);
        }
        self.record(Fact::ExecutorBound { executor })
    }
}
