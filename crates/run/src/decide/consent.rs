//! Yes and no.

use primitives::Digest;

use super::Turn;
use crate::stage::{Consent, Stage};
use crate::state::Yes;
use crate::{Cents, Fact, Refusal, RunState, Signal, limits};

impl Turn {
    pub(super) fn confirm(
        &mut self,
        digest: Digest,
        amount: Cents,
        signer: Option<String>,
    ) -> Result<(), Refusal> {
        const CONFIRM: &str = "confirm";
        let yes = Yes { digest, amount, signer };
        let agreed = self.run.stage.agreed();
        if agreed.is_some_and(|agreed| agreed.digest == yes.digest && agreed.amount == yes.amount) {
            return Ok(());
        }
        self.check_open()?;
        let is_over = self.run.over.contains(&yes.digest);
        match &self.run.stage {
            Stage::Funded { step: Consent::Asked(asked), .. } => match self.run.judge_yes(asked, &yes) {
                Ok(()) => {
                    let Yes { digest, amount, signer } = yes;
                    self.record(Fact::UserConfirmed { digest, amount, signer })
                }
                Err(_) if is_over => self.refuse(CONFIRM, Refusal::ConfirmationOver),
                Err(refusal) => self.refuse(CONFIRM, refusal),
            },
            Stage::Funded { step: Consent::Confirmed(_), .. } | Stage::Authorized { .. } => {
                self.refuse(CONFIRM, Refusal::ConfirmationOver)
            }
            Stage::Shopping(_)
            | Stage::Quoted(_)
            | Stage::Prepared(_)
            | Stage::Due { .. }
            | Stage::Funded { .. }
            | Stage::Ended { .. } => {
                if is_over {
                    self.refuse(CONFIRM, Refusal::ConfirmationOver)
                } else if self.run.held.confirm.as_ref() == Some(&yes) {
                    Ok(())
                } else if self.run.signals >= limits::SIGNALS {
                    Err(Refusal::NothingToConfirm)
                } else {
                    let Yes { digest, amount, signer } = yes;
                    self.record(Fact::SignalHeld { signal: Signal::Confirm { digest, amount, signer } })
                }
            }
        }
    }

    pub(super) fn reject(&mut self) -> Result<(), Refusal> {
        const REJECT: &str = "reject";
        match &self.run.stage {
            Stage::Funded { step: Consent::Asked(_) | Consent::Confirmed(_), .. } => {
                self.record(Fact::UserRejected)
            }
            Stage::Ended { outcome, .. } if outcome.state() == RunState::Cancelled => Ok(()),
            Stage::Ended { .. } => self.check_open(),
            Stage::Authorized { .. } => self.refuse(REJECT, Refusal::ConfirmationOver),
            Stage::Shopping(_)
            | Stage::Quoted(_)
            | Stage::Prepared(_)
            | Stage::Due { .. }
            | Stage::Funded { .. } => self.refuse(REJECT, Refusal::NothingToConfirm),
        }
    }
}
