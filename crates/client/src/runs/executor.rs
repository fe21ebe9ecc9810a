//! What a browser executor does: takes commands, and says what it saw.

use api::wire::{
    AgentBrowserCommand, BrowserResult, CommandsAnswer, ExecutorAnswer, ExecutorRegistered, Registration,
    ResultAccepted,
};
use primitives::{ExecutorId, RunId};
use serde::{Deserialize, Serialize};

use super::{Runs, outside};
use crate::{Error, Recorded, limits::POLL_WAIT};

/// Who an executor is. The secret is what proves it; keep it where only the executor reads.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Badge {
    /// What runs are bound to.
    pub executor_id: ExecutorId,
    /// The secret, as the board issued it.
    pub executor_secret: String,
}

impl core::fmt::Debug for Badge {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.debug_struct("Badge").field("executor_id", &self.executor_id).finish_non_exhaustive()
    }
}

/// An executor at work.
#[derive(Debug, Clone)]
pub struct Executor {
    runs: Runs,
    badge: Badge,
}

impl Runs {
    /// Registers an executor. An answer that is lost costs nothing: another one is registered.
    ///
    /// # Errors
    /// [`Error::Refused`] with `too_many_registrations`, and what every call can meet.
    pub async fn register(&self, label: Option<String>) -> Result<Badge, Error> {
        const REGISTERING: &str = "registering the executor";
        let call = self.transport.post(REGISTERING, "v1/executors", &Registration { label })?;
        let answer: ExecutorRegistered = self.transport.patiently(&call).await?.read(REGISTERING)?;
        let executor_id = answer
            .executor_id
            .parse()
            .map_err(|why| outside(REGISTERING)(format!("the executor id {:?} {why}", answer.executor_id)))?;
        Ok(Badge { executor_id, executor_secret: answer.executor_secret })
    }

    /// What an executor does, with its secret.
    pub fn executor(&self, badge: Badge) -> Executor {
        Executor { runs: self.clone(), badge }
    }
}

impl Executor {
    /// Its id.
    pub const fn id(&self) -> &ExecutorId {
        &self.badge.executor_id
    }

    /// How the board sees it.
    ///
    /// # Errors
    /// [`Error::Refused`] when the secret is none, and what every call can meet.
    pub async fn look(&self) -> Result<ExecutorAnswer, Error> {
        const ASKING: &str = "asking how the executor stands";
        let call = self.runs.transport.get(ASKING, "v1/executors/me")?;
        let call = call.bearing(&self.badge.executor_secret)?;
        self.runs.transport.patiently(&call).await?.read(ASKING)
    }

    /// The commands that wait. When none does, waits for one for up to 25 seconds, and may come back with none. A command
    /// of which nothing is heard is given out again, under the same id.
    ///
    /// # Errors
    /// As [`Executor::look`].
    pub async fn poll(&self) -> Result<Vec<AgentBrowserCommand>, Error> {
        const POLLING: &str = "asking for commands";
        let path = format!("v1/executors/me/commands?wait={}", POLL_WAIT.as_secs());
        let call = self.runs.transport.get(POLLING, &path)?.bearing(&self.badge.executor_secret)?;
        let answer: CommandsAnswer = self.runs.transport.patiently(&call).await?.read(POLLING)?;
        Ok(answer.commands)
    }

    /// Says what came of a command of a run. The same result again is the same.
    ///
    /// # Errors
    /// [`Error::Refused`]: `command_withdrawn`, `command_answered` and other words of the run about a result that it does
    /// not take; and what every call can meet.
    pub async fn answer(
        &self,
        run: &RunId,
        result: &BrowserResult,
    ) -> Result<Recorded<ResultAccepted>, Error> {
        let path = format!("v1/runs/{run}/browser-result");
        let call = self.runs.transport.post("answering the command", &path, result)?;
        self.runs.recorded(&call.bearing(&self.badge.executor_secret)?).await
    }
}
