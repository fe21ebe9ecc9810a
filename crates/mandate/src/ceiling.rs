//! What one owner allows one agent per UTC day in one token, over all mandates.

use primitives::BaseUnits;
use serde::{Deserialize, Serialize};

use crate::amount::{ZERO, plus};
use crate::calendar::day;
use crate::{AMOUNT_MAX, UnixSeconds};

/// Seconds before a raise takes effect.
const DELAY: u32 = 86_400;

/// The ceiling over all mandates of one owner, agent and token. It counts from when it is first set.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ceiling {
    /// The owner set none.
    #[default]
    Unset,
    /// The owner set one.
    Set(Caps),
}

/// A ceiling that is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Caps {
    /// The cap before `next_from`, ...
    pub cap: BaseUnits,
    /// ... and the one from then on.
    pub next_cap: BaseUnits,
    /// When the next cap takes over.
    pub next_from: UnixSeconds,
    /// The UTC day of `day_sum`.
    pub day: u64,
    /// What was authorized on that day.
    pub day_sum: BaseUnits,
}

impl Caps {
    /// The cap at `now`.
    pub fn cap_at(&self, now: UnixSeconds) -> BaseUnits {
        if now >= self.next_from { self.next_cap } else { self.cap }
    }

    /// What was authorized on the UTC day of `now`.
    pub const fn spent_at(&self, now: UnixSeconds) -> BaseUnits {
        if self.day == day(now) { self.day_sum } else { ZERO }
    }
}

impl Ceiling {
    /// Sets the cap per UTC day: at once when it is lower, in 24 hours when it is higher. Answers when it takes effect.
    pub fn set(&mut self, day_cap: BaseUnits, now: UnixSeconds) -> UnixSeconds {
        let (current, day, day_sum) = match *self {
            Self::Unset => (AMOUNT_MAX, 0, ZERO),
            Self::Set(caps) => (caps.cap_at(now), caps.day, caps.day_sum),
        };
        let (cap, next_from) = if day_cap > current { (current, now.plus(DELAY)) } else { (day_cap, now) };
        *self = Self::Set(Caps { cap, next_cap: day_cap, next_from, day, day_sum });
        next_from
    }

    pub(crate) fn count(&mut self, amount: BaseUnits, now: UnixSeconds) {
        match self {
            Self::Unset => {}
            Self::Set(caps) => {
                caps.day_sum = plus(caps.spent_at(now), amount);
                caps.day = day(now);
            }
        }
    }
}
