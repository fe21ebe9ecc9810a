//! How often somebody may ask: a fixed window that begins with its first request.
//! What was refused does not count, and a new window begins with the first request after the end of the last one (K9).

use primitives::{Millis, UnixMillis};
use serde::{Deserialize, Serialize};

use crate::limits;

/// So many requests in each window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rate {
    /// Requests.
    pub quota: u32,
    /// The length of the window, in whole seconds.
    pub window: Millis,
}

impl Rate {
    /// Whether a tenant can set it: within [`limits::QUOTA`] and [`limits::WINDOW`], in whole seconds.
    pub fn is_possible(self) -> bool {
        limits::QUOTA.contains(&self.quota)
            && limits::WINDOW.contains(&self.window)
            && self.window.0.is_multiple_of(1_000)
    }
}

/// What is left of a window: for the fields `RateLimit` and `RateLimit-Policy`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standing {
    /// The rule.
    pub rate: Rate,
    /// Requests that are left.
    pub remaining: u32,
    /// When the window ends.
    pub reset_at: UnixMillis,
}

/// A request too many. None is left before the window ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooOften(pub Standing);

/// A window in which requests are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    begun_at: UnixMillis,
    used: u32,
}

impl Default for Window {
    fn default() -> Self {
        Self { begun_at: UnixMillis(0), used: 0 }
    }
}

impl Window {
    /// Counts a request. The rule may be another one than before: it holds from now on.
    ///
    /// # Errors
    /// [`TooOften`]; the request is not counted.
    pub fn charge(&mut self, rate: Rate, now: UnixMillis) -> Result<Standing, TooOften> {
        if self.used == 0 || self.is_over(rate, now) {
            *self = Self { begun_at: now, used: 0 };
        }
        let reset_at = self.begun_at.plus(rate.window);
        let is_free = self.used < rate.quota;
        if is_free {
            self.used = self.used.saturating_add(1);
        }
        let standing = Standing { rate, remaining: rate.quota.saturating_sub(self.used), reset_at };
        if is_free { Ok(standing) } else { Err(TooOften(standing)) }
    }

    /// Whether it says nothing any more. A clock that went back keeps it.
    pub fn is_over(&self, rate: Rate, now: UnixMillis) -> bool {
        self.begun_at.plus(rate.window) <= now
    }
}
