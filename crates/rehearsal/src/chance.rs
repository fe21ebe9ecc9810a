//! Lives by chance: when things happen, and a choice of lives that is the same in every run.

use primitives::{Millis, UnixMillis};
use proptest::strategy::{Strategy, ValueTree as _};
use proptest::test_runner::TestRunner;

/// How long it takes until the next thing happens.
#[derive(Debug, Clone)]
pub enum Wait {
    /// So many milliseconds.
    For(u64),
    /// Until the state's deadline, and so many milliseconds before it.
    UntilBeforeDeadline(u64),
}

impl Wait {
    /// When a wait that begins now is over.
    pub(crate) fn end(&self, now: UnixMillis, deadline: Option<UnixMillis>) -> UnixMillis {
        match self {
            Self::For(millis) => now.plus(Millis(*millis)),
            Self::UntilBeforeDeadline(millis) => {
                deadline.map_or(now, |at| at.minus(Millis(*millis))).max(now)
            }
        }
    }
}

/// So many values of a strategy, the same in every run.
pub fn by_chance<S: Strategy>(strategy: S, count: usize) -> impl Iterator<Item = S::Value> {
    let mut runner = TestRunner::deterministic();
    core::iter::repeat_with(move || strategy.new_tree(&mut runner).unwrap().current()).take(count)
}
