//! What is owed to the world, given to whoever delivers it.

use futures_util::future::join_all;
use primitives::CorrelationId;

use crate::failure::Failure;
use crate::journal::Owed;
use crate::log;
use crate::object::{Core, Shell};
use crate::outside::{fresh_correlation_id, now};

/// The longest pause between two tries of one effect or projection.
const RETRY_MAX: primitives::Millis = primitives::Millis::from_minutes(5);
/// Effects that one wake-up takes up.
const DRAIN_MAX: u32 = 50;

/// How far a drain in turn has come.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Turn {
    /// None is under way.
    #[default]
    Free,
    /// One is.
    Taken,
    /// One is, and something was owed since it began.
    Asked,
}

impl<C: Core> Shell<C> {
    /// Gives every due effect to `deliver`, all at once so that none waits for another's receiver, and sets the alarm for
    /// those that remain. An effect that is delivered twice has happened once: its receiver knows its key.
    pub async fn drain<F>(&self, deliver: impl Fn(C::Effect, CorrelationId) -> F) -> Result<(), Failure>
    where
        F: Future<Output = Result<(), Failure>>,
    {
        let owed = self.journal.owed(DRAIN_MAX)?;
        // Fresh effects lie a moment ahead for the alarm's sake; this is their first try.
        let due = owed.iter().filter(|(owed, next_at)| owed.attempts == 0 || *next_at <= now());
        let outcomes = join_all(due.map(|(owed, _)| self.deliver_one(owed, &deliver))).await;
        outcomes.into_iter().collect::<Result<(), _>>()?;
        self.rearm()
    }

    async fn deliver_one<F>(
        &self,
        owed: &Owed,
        deliver: &impl Fn(C::Effect, CorrelationId) -> F,
    ) -> Result<(), Failure>
    where
        F: Future<Output = Result<(), Failure>>,
    {
        let effect = serde_json::from_str(&owed.effect)?;
        let correlation_id = owed.correlation_id.parse().unwrap_or_else(|_| fresh_correlation_id());
        match deliver(effect, correlation_id).await {
            Ok(()) => self.journal.paid(owed),
            Err(failure) => {
                log::failure(C::KIND, &self.name, "effect_postponed", &failure);
                let attempts = u32::try_from(owed.attempts).unwrap_or(u32::MAX);
                self.journal.postpone(owed, now().plus(pause(attempts)))
            }
        }
    }

    /// The same for an object that many requests bring work to at once: while one of them drains, the others leave what
    /// they owe to it, so that nothing is delivered several times over.
    pub async fn drain_in_turn<F>(
        &self,
        deliver: impl Fn(C::Effect, CorrelationId) -> F,
    ) -> Result<(), Failure>
    where
        F: Future<Output = Result<(), Failure>>,
    {
        if self.turn.get() != Turn::Free {
            self.turn.set(Turn::Asked);
            return Ok(());
        }
        loop {
            self.turn.set(Turn::Taken);
            let outcome = self.drain(&deliver).await;
            if outcome.is_err() || self.turn.get() == Turn::Taken {
                self.turn.set(Turn::Free);
                return outcome;
            }
        }
    }
}

/// One second, doubling with every failure, bounded.
pub(crate) fn pause(failures: u32) -> primitives::Millis {
    let factor = 1_u64.checked_shl(failures.min(16)).unwrap_or(1);
    primitives::Millis(1_000_u64.saturating_mul(factor).min(RETRY_MAX.0))
}
