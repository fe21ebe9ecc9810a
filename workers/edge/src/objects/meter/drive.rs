//! What a meter owes, given to the ports; what they answer, told to the meter.
//!
//! An effect is taken once its answer is recorded. One whose answer is lost is given again, and everything here may be
//! asked twice: mandates know a hold by its name, transactions are only looked at, and a credit counts once.

use api::binding::meter::{MeterAsk, MeterReply, object_name};
use meter::{Command, Effect, Subject};
use primitives::CorrelationId;
use shell::Failure;

use super::Inner;
use crate::ports::{bills, meters, objects, tenants};

impl Inner {
    /// Gives what is owed to the ports, and sees to the next alarm.
    pub(super) async fn drain(&self) -> Result<(), Failure> {
        self.shell.drain(|effect, id| async move { self.perform(effect, &id).await }).await
    }

    async fn perform(&self, effect: Effect, id: &CorrelationId) -> Result<(), Failure> {
        let env = &self.env;
        match effect {
            Effect::Credit { key, round, version, quantity } => {
                let first = object_name(&self.meter()?, 0);
                match meters::send_to(env, &first, MeterAsk::Credit { key, round, version, quantity }, id)
                    .await?
                {
                    MeterReply::Done(_) => Ok(()),
                    // It has as many adjustments as it can hold: after its next bill there is room.
                    MeterReply::Refused(refusal) if refusal.may_retry() => {
                        Err(Failure::Runtime("the first shard has no room for adjustments".to_owned()))
                    }
                    MeterReply::Refused(refusal) => {
                        let failure = Failure::Corrupt(format!("a credit was refused: {}", refusal.code()));
                        shell::log::failure("meter", self.shell.name(), "credit_refused", &failure);
                        Ok(())
                    }
                    MeterReply::OperationReused => {
                        Err(Failure::Corrupt("a credit is no operation".to_owned()))
                    }
                }
            }
            Effect::Hold { reservation } => {
                let refused = bills::hold(env, &reservation, id).await?;
                self.heard(Command::HoldAnswered { id: reservation.id, refused }, id)
            }
            Effect::Unhold { id: reservation, mandate } => {
                bills::unhold(env, &reservation, &mandate, id).await
            }
            Effect::Pay { id: settlement, means, amount, since } => {
                let outcome = bills::pay(env, &settlement, &means, amount, since, id).await?;
                let filed = self.document(&settlement)?;
                self.heard(Command::Report { id: settlement, means, outcome, filed }, id)
            }
            Effect::Look { id: settlement, means, amount, since } => {
                let outcome = bills::look(env, &settlement, &means, amount, since, id).await?;
                let filed = self.document(&settlement)?;
                self.heard(Command::Report { id: settlement, means, outcome, filed }, id)
            }
            Effect::Register | Effect::Keep(_) | Effect::Tell(_) | Effect::Announce(_) => Ok(()),
        }
    }

    /// Tells the meter what a port has answered. A refusal means that the meter has gone on without it.
    fn heard(&self, command: Command, id: &CorrelationId) -> Result<(), Failure> {
        self.run(command, id, None).map(|_| ())
    }

    /// Makes the meter known to its tenant, who bills by it, and to the sweep, before anything is recorded here.
    pub(super) async fn register(&self, subject: &Subject, id: &CorrelationId) -> Result<(), Failure> {
        let meter = self.meter()?;
        if subject.shard > 0 {
            // Whoever looks for the meter looks at its first shard.
            let subject = Subject { shard: 0, ..subject.clone() };
            let first = object_name(&meter, 0);
            meters::send_to(&self.env, &first, MeterAsk::Begin { subject }, id).await?;
        }
        let (swept, registered) = futures_util::future::join(
            objects::know(&self.env, self.shell.name()),
            tenants::register(&self.env, subject, &meter, id),
        )
        .await;
        swept.and(registered)
    }
}
