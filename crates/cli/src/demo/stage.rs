//! Steps: numbered, timed, limited, and told.

use core::{future::Future, time::Duration};

use serde::Serialize;
use tokio::time::Instant;

use crate::{
    failure::{Deviation, Failure},
    output::Output,
};

/// No step may take longer; the longest honest one is a payment whose answer is lost.
const STEP_LIMIT: Duration = Duration::from_secs(60);

/// A step that was done.
#[derive(Debug, Serialize)]
pub(super) struct Step {
    name: &'static str,
    told: String,
    millis: u128,
}

/// Where the steps are shown.
pub(super) struct Stage<'a> {
    output: &'a Output,
    begun: Instant,
    steps: Vec<Step>,
}

impl<'a> Stage<'a> {
    pub(super) fn new(output: &'a Output) -> Self {
        Self { output, begun: Instant::now(), steps: Vec::new() }
    }

    /// Tells one step and does it: what came of it, and how long it took.
    ///
    /// # Errors
    /// [`Failure::Demo`] with the step's number when it deviates or takes too long.
    pub(super) async fn step<T>(
        &mut self,
        name: &'static str,
        work: impl Future<Output = Result<(T, String), Deviation>>,
    ) -> Result<T, Failure> {
        let number = self.steps.len().saturating_add(1);
        self.output.say(format_args!("{number:>2}. {name}"));
        let begun = Instant::now();
        let outcome = tokio::time::timeout(STEP_LIMIT, work).await.unwrap_or_else(|_| {
            Err(Deviation::Seen(format!("nothing came of it within {} seconds", STEP_LIMIT.as_secs())))
        });
        let millis = begun.elapsed().as_millis();
        match outcome {
            Ok((value, told)) => {
                self.output.say(format_args!("    {told} ({millis} ms)"));
                self.steps.push(Step { name, told, millis });
                Ok(value)
            }
            Err(why) => Err(Failure::Demo { step: number, name, why }),
        }
    }

    pub(super) fn steps(&self) -> &[Step] {
        &self.steps
    }

    pub(super) fn elapsed_millis(&self) -> u128 {
        self.begun.elapsed().as_millis()
    }
}
