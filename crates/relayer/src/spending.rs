//! Gas counted against each payer's budget, by UTC day.

use std::collections::BTreeMap;

use primitives::UnixMillis;
use serde::{Deserialize, Serialize};

use crate::{Job, Policy, Refusal, Task, limits};

/// The gas of one day. It is counted in full when a job is submitted and corrected when it is known what it used.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spending {
    /// Whole days since 1970-01-01, UTC.
    pub day: u64,
    /// Gas by payer; a payer without any is not listed.
    pub gas: BTreeMap<String, u64>,
}

const fn day(at: UnixMillis) -> u64 {
    at.seconds() / 86_400
}

impl Spending {
    /// Whether a job fits into its payer's budget and the payer into the table.
    pub(crate) fn admits(&self, job: &Job, policy: &Policy, now: UnixMillis) -> Result<(), Refusal> {
        // On a new day the table is empty.
        let today = day(now) <= self.day;
        let counted = self.gas.get(&job.payer).copied().filter(|_| today);
        if counted.is_none() && today && self.gas.len() >= limits::PAYERS_MAX {
            return Err(Refusal::Busy);
        }
        let total = counted.unwrap_or(0).saturating_add(job.gas_limit);
        if total > policy.daily_gas_per_payer { Err(Refusal::GasBudget) } else { Ok(()) }
    }

    /// Counts a job that was submitted.
    pub(crate) fn count(&mut self, job: &Job, at: UnixMillis) {
        if day(at) > self.day {
            *self = Self { day: day(at), gas: BTreeMap::new() };
        }
        let gas = self.gas.entry(job.payer.clone()).or_default();
        *gas = gas.saturating_add(job.gas_limit);
    }

    /// Counts what a job used in the place of what it might have used. Yesterday's jobs count for yesterday; and what a
    /// taken nonce has cost is not known, so its job stays counted in full.
    pub(crate) fn correct(&mut self, task: &Task, gas_used: u64) {
        let job = &task.job;
        if day(task.submitted_at) != self.day || task.displacements > 0 {
            return;
        }
        if let Some(gas) = self.gas.get_mut(&job.payer) {
            *gas = gas.saturating_sub(job.gas_limit.saturating_sub(gas_used));
            if *gas == 0 {
                self.gas.remove(&job.payer);
            }
        }
    }
}
