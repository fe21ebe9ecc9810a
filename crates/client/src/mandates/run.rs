//! What the parties of a mandate do with the runs that spend from it.

use api::wire::{CreateRun, RunAnswer, RunCreated};
use primitives::MessageId;

use super::{Agent, Owner, account::Account};
use crate::{
    Error, Recorded,
    runs::{CONFIRMING, Question, STARTING},
};

impl Agent<'_> {
    /// Begins a run that spends from one of the agent's mandates, once under `id` (see [`crate::runs::Runs::start`]).
    ///
    /// # Errors
    /// [`Error::Refused`]: `not_party` when the key is not the mandate's agent's, `custody_unsupported` for a mandate that
    /// the contract keeps; else as [`crate::runs::Runs::start`].
    pub async fn start_run(&self, id: &MessageId, wanted: &CreateRun) -> Result<Recorded<RunCreated>, Error> {
        self.0.start_run(id, wanted).await
    }
}

impl Owner<'_> {
    /// Begins a run that spends from one of the owner's mandates, once under `id` (see [`crate::runs::Runs::start`]).
    ///
    /// # Errors
    /// As [`Agent::start_run`].
    pub async fn start_run(&self, id: &MessageId, wanted: &CreateRun) -> Result<Recorded<RunCreated>, Error> {
        self.0.start_run(id, wanted).await
    }

    /// Agrees to a purchase above the threshold of the owner's mandate: exactly to what the question says.
    ///
    /// # Errors
    /// As [`crate::runs::Runs::confirm`]; and `not_party` when the key is not the mandate's owner's.
    pub async fn confirm(&self, question: &Question<'_>) -> Result<Recorded<RunAnswer>, Error> {
        let path = format!("v1/runs/{}/confirm", question.run.id);
        let call = self.0.ledger.transport.post(CONFIRMING, &path, &question.yes())?;
        let answer = self.0.ledger.transport.patiently_as(&call, &self.0).await?;
        Ok(Recorded { answer: answer.read(CONFIRMING)?, replayed: answer.replayed() })
    }
}

impl Account<'_> {
    async fn start_run(&self, id: &MessageId, wanted: &CreateRun) -> Result<Recorded<RunCreated>, Error> {
        let call = self.ledger.transport.post(STARTING, "v1/runs", wanted)?.once_as(id)?;
        self.move_money(&call, id).await
    }
}
