//! What a run owes, given to the ports; what they answer, told to the run.
//!
//! An effect is taken once its answer is recorded. One whose answer is lost is given again, and everything here may be
//! asked twice: the market, balances and chains are only looked at, a queue knows an order by its name, a mandate a hold,
//! and an answer that came before is refused by the core.

use api::outbound::run::{hold, not_held};
use primitives::{CorrelationId, RunId};
use run::receipt::Holder;
use run::{
    Authorization, BrowserCommand, BudgetAnswer, Claim, Command, Effect, Payment, Rails, Requirement, Verdict,
};
use shell::{Failure, now};

use super::Inner;
use crate::config::config;
use crate::ports::holds::Held;
use crate::ports::{funding, market, runs, settlement};

impl Inner {
    /// Gives one effect to its port.
    pub(super) async fn perform(&self, effect: Effect, id: CorrelationId) -> Result<(), Failure> {
        let (env, id) = (&self.env, &id);
        match effect {
            Effect::Search { attempt, intent } => {
                let found = market::search(env, &intent, id).await?;
                self.answered(Command::Market { attempt, found }, id)
            }
            Effect::Dispatch { command } => self.dispatch(&command, id).await,
            Effect::Withdraw { executor, command_id } => {
                runs::withdraw(env, &self.id()?, &executor, &command_id, id).await
            }
            Effect::ConnectWallet => {
                let report = synthetic::wallet(&self.id()?, now());
                self.answered(Command::Wallet(report), id)
            }
            Effect::CheckFunds { number, report, amount, rails } => {
                let answer = funding::check(env, &self.id()?, &rails, &report, amount).await?;
                self.answered(Command::Funds { number, answer: Box::new(answer) }, id)
            }
            Effect::Reserve { mandate, budget } => {
                let run = self.id()?;
                let held = Held { mandate: &mandate, reservation: budget.reservation, asker: run.as_str() };
                let hold = hold(&run, &budget).map_err(|fault| Failure::Corrupt(fault.to_string()))?;
                let said = held.reserve(env, hold, id).await?;
                let answer = said.map_or_else(|problem| not_held(&problem), |()| BudgetAnswer::Held);
                self.answered(Command::Budget { reservation: budget.reservation, answer }, id)
            }
            Effect::Commit { mandate, reservation, amount } => {
                let run = self.id()?;
                let held = Held { mandate: &mandate, reservation, asker: run.as_str() };
                held.ended("run", held.commit(env, amount, id).await?);
                Ok(())
            }
            Effect::Release { mandate, reservation } => {
                let run = self.id()?;
                let held = Held { mandate: &mandate, reservation, asker: run.as_str() };
                held.ended("run", held.release(env, id).await?);
                Ok(())
            }
            Effect::SignPayment { authorization, requirement } => {
                let payment = synthetic::sign(&self.id()?, &authorization, &requirement);
                self.answered(Command::Pay { payment, claim: Claim::Ours }, id)
            }
            Effect::Look { attempt, payment, authorization, requirement, rails } => {
                let verdict = self.look(&payment, &authorization, &requirement, &rails, id).await?;
                self.answered(Command::Settlement { attempt, verdict }, id)
            }
            Effect::Trace { attempt, authorization, requirement, rails } => {
                let trace = settlement::trace(env, &rails, &authorization, &requirement).await?;
                self.answered(Command::Traced { attempt, trace }, id)
            }
        }
    }

    fn id(&self) -> Result<RunId, Failure> {
        self.shell.name().parse().map_err(|_| Failure::Corrupt("the run's name".to_owned()))
    }

    /// Tells the run what a port has answered. A refusal means that the run has gone on without it.
    fn answered(&self, command: Command, id: &CorrelationId) -> Result<(), Failure> {
        self.run(command, id).map(|_| ())
    }

    async fn dispatch(&self, command: &BrowserCommand, id: &CorrelationId) -> Result<(), Failure> {
        if command.executor == synthetic::demo_executor() {
            return self.demonstrate(command, id);
        }
        match runs::dispatch(&self.env, &self.id()?, command, id).await? {
            Ok(()) | Err(executor::Refusal::CommandIdReused) => Ok(()),
            Err(refusal) if refusal.may_retry() => Err(Failure::Runtime(refusal.to_string())),
            // Nobody will ever answer: the owner is told, and may name another executor.
            Err(_) => {
                let (executor, command_id) = (command.executor.clone(), command.command_id.clone());
                self.answered(Command::ExecutorLost { executor, command_id }, id)
            }
        }
    }

    /// The demo executor looks at the synthetic shops, here and now.
    fn demonstrate(&self, command: &BrowserCommand, id: &CorrelationId) -> Result<(), Failure> {
        if !config(&self.env)?.runs.demo_executor {
            let (executor, command_id) = (command.executor.clone(), command.command_id.clone());
            return self.answered(Command::ExecutorLost { executor, command_id }, id);
        }
        let errand = self.shell.read(|state| state.view().as_ref().and_then(synthetic::Errand::of))?;
        for result in synthetic::executor(&self.id()?, &command.task, errand.as_ref(), now()) {
            let (executor, command_id) = (command.executor.clone(), command.command_id.clone());
            self.answered(Command::Browser { executor, command_id, result: Box::new(result) }, id)?;
        }
        Ok(())
    }

    /// Whether another run has used a payment's name.
    pub(super) async fn look_up(&self, payment: &Payment) -> Result<Claim, Failure> {
        let rails = self.shell.read(|state| state.run().map(|run| run.rails().clone()))?;
        match rails {
            Some(rails) => {
                let network = settlement::network(&rails);
                runs::look_up(&self.env, network, &payment.signature, &Holder::Run(self.id()?)).await
            }
            None => Ok(Claim::Ours),
        }
    }

    /// Looks at the chain. What has paid becomes this run's own before the run hears of it: one payment, one run.
    async fn look(
        &self,
        payment: &Payment,
        authorization: &Authorization,
        requirement: &Requirement,
        rails: &Rails,
        id: &CorrelationId,
    ) -> Result<Verdict, Failure> {
        let run = self.id()?;
        let verdict = settlement::look(&self.env, &run, rails, payment, authorization, requirement).await?;
        if !matches!(verdict, Verdict::Verified { .. }) {
            return Ok(verdict);
        }
        let network = settlement::network(rails);
        Ok(match runs::claim(&self.env, network, &payment.signature, &Holder::Run(run), id).await? {
            Claim::Ours => verdict,
            Claim::Elsewhere => Verdict::Failed {
                code: "signature_used".to_owned(),
                reason: "This payment has paid for something else.".to_owned(),
            },
        })
    }
}
