//! What a settlement owes the world, and when time changes it.

use primitives::UnixMillis;
use serde::{Deserialize, Serialize};

use crate::{Call, Event, Fact, State, Tier, limits};

/// What the shell owes the world, once, after the event is on disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields say what they are by name")]
pub enum Effect {
    /// Hand the relayer of that name a job, under the settlement's own name. The same job twice is one job. Should it not
    /// be taken, tell the settlement with [`crate::Command::Decline`].
    Submit { relayer: String, job: Job },
    /// Tell the catalogue of paid resources.
    Publish { catalogue: String, settled_at: UnixMillis },
}

/// What the relayer is to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// Who is held to the budget of gas.
    pub payer: String,
    /// The call.
    pub call: Call,
    /// After this it must not be started any more.
    pub not_after: UnixMillis,
}

/// What is owed once `event` has led away from `before` (T2, T7).
pub fn effects(before: &State, event: &Event) -> Vec<Effect> {
    match &event.fact {
        Fact::Started { terms, .. } => vec![Effect::Submit {
            relayer: terms.relayer.clone(),
            job: Job {
                payer: terms.payer.clone(),
                call: terms.call.clone(),
                not_after: terms.valid_before.minus(limits::LAST_START),
            },
        }],
        Fact::Transferred { tier, .. } | Fact::Confirmed { tier } => {
            publish(before, *tier, event.at).into_iter().collect()
        }
        Fact::Declined { .. }
        | Fact::Announced { .. }
        | Fact::LookStarted { .. }
        | Fact::Reverted { .. }
        | Fact::Reorged
        | Fact::Failed { .. }
        | Fact::WatchEnded
        | Fact::Collected => Vec::new(),
    }
}

/// The entry that is owed when a transfer reaches `tier`, if that is the first time that it counts as settled.
fn publish(before: &State, tier: Tier, settled_at: UnixMillis) -> Option<Effect> {
    let pursuit = before.unfinished()?;
    let terms = &pursuit.order.terms;
    let is_first = pursuit.settled_at.is_none() && tier >= terms.tier;
    let catalogue = terms.catalogue.clone().filter(|_| is_first)?;
    Some(Effect::Publish { catalogue, settled_at })
}

/// The next moment at which time alone changes the settlement; `None` when nothing can come any more, or nothing was
/// begun (T8).
pub const fn deadline(state: &State) -> Option<UnixMillis> {
    match state {
        State::New
        | State::Declined { .. }
        | State::Failed { .. }
        | State::Transferred { tier: Tier::Final, .. }
        | State::Transferred { watch_ended_at: Some(_), .. } => None,
        State::Underway(pursuit)
        | State::Reverted { pursuit, .. }
        | State::Transferred { pursuit, tier: Tier::Included | Tier::Safe, watch_ended_at: None, .. } => {
            Some(pursuit.next_look_at)
        }
    }
}
