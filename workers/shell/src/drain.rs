//! What is owed to the world, given to whoever delivers it.

use std::collections::BTreeMap;

use futures_util::future::join_all;
use primitives::{CorrelationId, Millis, UnixMillis};

use crate::failure::Failure;
use crate::interface::Core;
use crate::journal::Owed;
use crate::log;
use crate::object::Shell;
use crate::outside::{fresh_correlation_id, now};

/// The longest pause between two tries of one effect or projection.
const RETRY_MAX: Millis = Millis::from_minutes(5);
/// Effects that one wake-up takes up.
const DRAIN_MAX: u32 = 50;

/// How long a delivery counts as under way: longer than any receiver takes. One that was broken off says nothing, and its
/// effect is given again after that.
const DELIVERY_MAX: Millis = Millis::from_seconds(60);

/// Effects that are being delivered, by their place in the outbox, and since when.
pub(crate) type UnderWay = BTreeMap<(u64, u64), UnixMillis>;

impl<C: Core> Shell<C> {
    /// Gives every due effect that nobody is delivering yet to `deliver`, all at once so that none waits for another's
    /// receiver, and sets the alarm for those that remain. An effect that is delivered twice has happened once: its
    /// receiver knows its key.
    pub async fn drain<F>(&self, deliver: impl Fn(C::Effect, CorrelationId) -> F) -> Result<(), Failure>
    where
        F: Future<Output = Result<(), Failure>>,
    {
        loop {
            let owed = self.journal.owed(DRAIN_MAX)?;
            let taken: Vec<_> = owed.iter().filter(|(owed, next_at)| self.take(owed, *next_at)).collect();
            if taken.is_empty() {
                return self.rearm();
            }
            let outcomes = join_all(taken.iter().map(|(owed, _)| self.deliver_one(owed, &deliver))).await;
            outcomes.into_iter().collect::<Result<(), _>>()?;
        }
    }

    /// Whether the effect is the caller's to deliver: due, and with nobody else.
    fn take(&self, owed: &Owed, next_at: UnixMillis) -> bool {
        // Fresh effects lie a moment ahead for the alarm's sake; the first try comes before.
        let is_due = owed.attempts == 0 || next_at <= now();
        let is_free = self.is_free_at(owed).is_none_or(|free_at| free_at <= now());
        if is_due && is_free {
            self.under_way.borrow_mut().insert((owed.seq, owed.ordinal), now());
        }
        is_due && is_free
    }

    fn is_free_at(&self, owed: &Owed) -> Option<UnixMillis> {
        self.under_way.borrow().get(&(owed.seq, owed.ordinal)).map(|since| since.plus(DELIVERY_MAX))
    }

    /// When an owed effect is to be taken up next, if one is.
    pub(crate) fn owed_at(&self) -> Result<Option<UnixMillis>, Failure> {
        let owed = self.journal.owed(DRAIN_MAX)?;
        Ok(owed.iter().map(|(owed, next_at)| self.is_free_at(owed).unwrap_or(*next_at)).min())
    }

    /// Whether anything is owed.
    pub fn owes(&self) -> Result<bool, Failure> {
        Ok(!self.journal.owed(1)?.is_empty())
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
        let outcome = deliver(effect, correlation_id).await;
        self.under_way.borrow_mut().remove(&(owed.seq, owed.ordinal));
        match outcome {
            Ok(()) => self.journal.paid(owed),
            Err(failure) => {
                log::failure(C::KIND, &self.name, "effect_postponed", &failure);
                let attempts = u32::try_from(owed.attempts).unwrap_or(u32::MAX);
                self.journal.postpone(owed, now().plus(pause(attempts)))
            }
        }
    }
}

/// One second, doubling with every failure, bounded.
pub(crate) fn pause(failures: u32) -> Millis {
    let factor = 1_u64.checked_shl(failures.min(16)).unwrap_or(1);
    Millis(1_000_u64.saturating_mul(factor).min(RETRY_MAX.0))
}
