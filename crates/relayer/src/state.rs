//! Where a relayer stands.

use std::collections::{BTreeMap, VecDeque};

use primitives::{Millis, UnixMillis};
use serde::{Deserialize, Serialize};

use crate::{Bytes, Fees, Hash, Job, Purpose, Spending, limits};

/// A job that was taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// What to execute.
    pub job: Job,
    /// When it was submitted.
    pub submitted_at: UnixMillis,
    /// How often a nonce of it was taken by a transaction that is not ours.
    pub displacements: u32,
}

impl Task {
    /// From when on nothing of it is sent for the first time.
    pub(crate) fn is_expired(&self, now: UnixMillis) -> bool {
        now >= self.job.not_after
    }
}

/// What an open nonce is for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Cargo {
    /// A job.
    Task(Task),
    /// It closes a gap.
    Nothing,
}

/// One signed transaction under a nonce. Any of a nonce's attempts may be the one that is mined.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempt {
    /// Its hash.
    pub hash: Hash,
    /// What it is for.
    pub purpose: Purpose,
}

/// What the chain says of an open nonce.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Standing {
    /// Unused, as far as anyone knows.
    Pending,
    /// Used, and by none of ours that has a receipt.
    Taken {
        /// When that was first seen.
        since: UnixMillis,
    },
}

/// A nonce that was given and is not known to be used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Open {
    /// What it is for.
    pub cargo: Cargo,
    /// What the chain says of it.
    pub standing: Standing,
    /// Everything that was signed under it, oldest first.
    pub attempts: Vec<Attempt>,
    /// The bytes of the latest attempt.
    pub raw: Bytes,
    /// What the latest attempt offers.
    pub fees: Fees,
    /// When the latest attempt was signed.
    pub signed_at: UnixMillis,
}

impl Open {
    /// What a transaction under this nonce is for at `now`: the job, until its time and a grace are over.
    pub(crate) fn purpose(&self, now: UnixMillis) -> Purpose {
        match &self.cargo {
            Cargo::Task(Task { job, .. })
                if !self.is_given_up() && now < job.not_after.plus(limits::CANCEL_GRACE) =>
            {
                Purpose::Job(job.id.clone())
            }
            Cargo::Task(_) | Cargo::Nothing => Purpose::Void,
        }
    }

    /// Whether a transaction for this purpose belongs under this nonce.
    pub(crate) fn takes(&self, purpose: &Purpose) -> bool {
        match (purpose, &self.cargo) {
            (Purpose::Void, _) => true,
            (Purpose::Job(id), Cargo::Task(task)) => task.job.id == *id && !self.is_given_up(),
            (Purpose::Job(_), Cargo::Nothing) => false,
        }
    }

    fn is_given_up(&self) -> bool {
        self.attempts.iter().any(|attempt| attempt.purpose == Purpose::Void)
    }

    /// The attempt with this hash.
    pub(crate) fn attempt(&self, hash: &Hash) -> Option<&Attempt> {
        self.attempts.iter().find(|attempt| attempt.hash == *hash)
    }
}

/// Nonces below the open ones that the chain has not used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gap {
    /// The lowest of them.
    pub from: u64,
    /// When it was first seen.
    pub since: UnixMillis,
}

/// When the chain is looked at. Means nothing while there is no work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Look {
    /// The next look.
    pub at: UnixMillis,
    /// The pause before it.
    pub pause: Millis,
}

/// The published name of a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Lifecycle {
    /// The chain was never asked which nonce is next; nothing can be signed.
    Unsynchronized,
    /// Nothing waits and nothing is open.
    Idle,
    /// Something waits or is open.
    Working,
}

impl Lifecycle {
    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unsynchronized => "UNSYNCHRONIZED",
            Self::Idle => "IDLE",
            Self::Working => "WORKING",
        }
    }
}

/// The state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// The nonce of the next job; `None` until the chain was asked.
    pub next_nonce: Option<u64>,
    /// Jobs without a nonce, in the order in which they get one.
    pub waiting: VecDeque<Task>,
    /// Nonces that were given and are not known to be used.
    pub open: BTreeMap<u64, Open>,
    /// Nonces below the open ones that the chain has not used.
    pub gap: Option<Gap>,
    /// When the chain is looked at.
    pub look: Look,
    /// When open nonces' bytes are sent again; means nothing while none is open.
    pub resend_at: UnixMillis,
    /// Gas counted today.
    pub spending: Spending,
}

impl Default for State {
    fn default() -> Self {
        Self {
            next_nonce: None,
            waiting: VecDeque::new(),
            open: BTreeMap::new(),
            gap: None,
            look: Look { at: UnixMillis(0), pause: limits::LOOK_PAUSE_MIN },
            resend_at: UnixMillis(0),
            spending: Spending::default(),
        }
    }
}

impl State {
    /// The published name.
    pub fn lifecycle(&self) -> Lifecycle {
        match self.next_nonce {
            None => Lifecycle::Unsynchronized,
            Some(_) if self.has_work() => Lifecycle::Working,
            Some(_) => Lifecycle::Idle,
        }
    }

    /// The job with this id, as long as it waits or is open.
    pub fn task(&self, id: &str) -> Option<&Task> {
        let open = self.open.values().filter_map(|open| match &open.cargo {
            Cargo::Task(task) => Some(task),
            Cargo::Nothing => None,
        });
        self.waiting.iter().chain(open).find(|task| task.job.id == id)
    }

    pub(crate) fn has_work(&self) -> bool {
        !self.waiting.is_empty() || !self.open.is_empty()
    }

    pub(crate) fn first_open(&self) -> Option<u64> {
        self.open.keys().next().copied()
    }
}
