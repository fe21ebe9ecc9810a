//! What wallets have paid.

use super::Turn;
use crate::refusal::Value;
use crate::rules::is_plain;
use crate::stage::{Paying, Stage};
use crate::{Claim, Fact, Payment, Refusal, Signal, limits};

/// The signal's name on the record.
const PAY: &str = "pay";

impl Turn {
    /// One payment, once (R4). It is taken as long as nobody has said that there is none.
    pub(super) fn pay(&mut self, payment: Payment, claim: Claim) -> Result<(), Refusal> {
        if self.run.stage.payment().is_some_and(|known| known.signature == payment.signature) {
            return Ok(());
        }
        self.check_open()?;
        if !is_plain(&payment.signature, limits::SIGNATURE_BYTES) {
            return Err(Refusal::Malformed(Value::Signature));
        }
        if claim == Claim::Elsewhere {
            return self.refuse(PAY, Refusal::SignatureUsed);
        }
        match &self.run.stage {
            Stage::Authorized { step: Paying::Open | Paying::Closed { .. }, .. } => {
                self.record(Fact::PaymentSubmitted { payment })?;
                self.cancel_lost()
            }
            Stage::Authorized { step: Paying::Settled { .. }, .. } => self.refuse(PAY, Refusal::AlreadyPaid),
            Stage::Authorized { step: Paying::Absent | Paying::Submitted { .. }, .. } => {
                self.refuse(PAY, Refusal::PaymentUnderWay)
            }
            Stage::Shopping(_)
            | Stage::Quoted(_)
            | Stage::Prepared(_)
            | Stage::Due { .. }
            | Stage::Funded { .. }
            | Stage::Ended { .. } => {
                let held = self.run.held.payment.as_ref();
                if held == Some(&payment) {
                    return Ok(());
                }
                // The first one is kept however full the record is: somebody has paid it.
                if held.is_some() && self.run.signals >= limits::SIGNALS {
                    return Err(Refusal::NothingToPay);
                }
                self.record(Fact::SignalHeld { signal: Signal::Pay { payment } })
            }
        }
    }

    /// The owner wanted to stop, and the payment was faster.
    pub(super) fn cancel_lost(&mut self) -> Result<(), Refusal> {
        if self.run.is_stopping { self.record(Fact::CancelLost) } else { Ok(()) }
    }
}
