//! A run and what proves whose it is.

use api::wire::RunCreated;
use primitives::RunId;
use serde::{Deserialize, Serialize};

use super::{STARTING, outside};
use crate::Error;

/// A run, and the token of its owner.
///
/// The token is a secret: whoever has it can confirm and cancel. A purchase can be written down (it has a serde form) so
/// that an agent survives its own restart; keep it where only the agent reads.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Purchase {
    /// The run.
    pub run: RunId,
    /// The token, as the board issued it.
    pub run_token: String,
}

impl core::fmt::Debug for Purchase {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.debug_struct("Purchase").field("run", &self.run).finish_non_exhaustive()
    }
}

impl Purchase {
    /// The purchase that was begun.
    ///
    /// # Errors
    /// [`Error::OutsideContract`] when its run id is none.
    pub fn of(created: &RunCreated) -> Result<Self, Error> {
        let RunCreated { run, run_token, .. } = created;
        let id = run.id.parse().map_err(|why| outside(STARTING)(format!("the run id {:?} {why}", run.id)))?;
        Ok(Self { run: id, run_token: run_token.clone() })
    }
}
