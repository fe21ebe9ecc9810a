//! What follows from an event outside the relayer, and when time alone changes it.

use primitives::UnixMillis;
use serde::{Deserialize, Serialize};

use crate::{Bytes, Cargo, Event, Fact, Hash, Purpose, Receipt, State, Task};

/// What became of a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// One of its transactions was mined.
    Mined(Receipt),
    /// Its time is up and none of its transactions was or can be mined: none was signed, or a void transaction has used
    /// their nonce, as long as the block that holds it stands.
    Expired,
    /// Its time is up, and a nonce of it was used by a transaction of which no receipt was seen. Most likely that was a
    /// stranger's; whether it was the job's own only the chain can say.
    Displaced,
}

/// What the shell owes a settlement, once, after the event is on disk. `job` is the settlement's name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields say what they are by name")]
pub enum Effect {
    /// This transaction carries the job; one of those announced before may still be mined instead.
    Announce { job: String, hash: Hash, raw: Bytes },
    /// The job is over here (R4).
    Report { job: String, outcome: Outcome },
}

/// What is owed once `event` has led away from `before`.
pub fn effects(before: &State, event: &Event) -> Vec<Effect> {
    let effect = match &event.fact {
        Fact::Signed(signed) => match &signed.purpose {
            Purpose::Job(id) => {
                Some(Effect::Announce { job: id.clone(), hash: signed.hash, raw: signed.raw.clone() })
            }
            Purpose::Void => None,
        },
        Fact::Mined { nonce, receipt } => mined(before, *nonce, receipt),
        Fact::Expired { job } => before.task(job).map(unexecuted),
        Fact::Submitted { .. }
        | Fact::Synchronized { .. }
        | Fact::Taken { .. }
        | Fact::Restored { .. }
        | Fact::Displaced { .. }
        | Fact::GapSeen { .. }
        | Fact::GapGone
        | Fact::LookStarted { .. }
        | Fact::ResendStarted { .. } => None,
    };
    effect.into_iter().collect()
}

fn mined(before: &State, nonce: u64, receipt: &Receipt) -> Option<Effect> {
    let open = before.open.get(&nonce)?;
    match &open.cargo {
        Cargo::Nothing => None,
        Cargo::Task(task) => Some(match &open.attempt(&receipt.hash)?.purpose {
            Purpose::Job(id) => Effect::Report { job: id.clone(), outcome: Outcome::Mined(receipt.clone()) },
            Purpose::Void => unexecuted(task),
        }),
    }
}

fn unexecuted(task: &Task) -> Effect {
    let outcome = if task.displacements == 0 { Outcome::Expired } else { Outcome::Displaced };
    Effect::Report { job: task.job.id.clone(), outcome }
}

/// The next moment at which time alone changes the relayer; `None` while nothing waits and nothing is open (R8). It is
/// the next look: expiry, replacement and sending again are due at most one pause before it.
pub fn deadline(state: &State) -> Option<UnixMillis> {
    state.has_work().then_some(state.look.at)
}
