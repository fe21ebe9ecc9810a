//! Stopping between two steps of a purchase, so that a test can kill the runtime there. Only reachable in development
//! with hooks on; elsewhere every step goes on at once.

use core::cell::Cell;
use core::time::Duration;

/// A place between two steps of a purchase, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The payer's name is bound to the payment; the payment does not know yet.
    Bound,
    /// The payment is claimed; its target does not know yet.
    Claimed,
    /// The target is reserved; no settlement is intended yet.
    Reserved,
    /// The settlement is intended; the facilitator has not been asked.
    Intended,
    /// The facilitator has answered; the answer is not recorded.
    Answered,
    /// The answer is recorded; the target has not been told.
    Recorded,
    /// The target is told; the payment has not noted that.
    Told,
    /// The payment is done; the caller has not been answered.
    Concluded,
}

const STEPS: [(&str, Step); 8] = [
    ("bound", Step::Bound),
    ("claimed", Step::Claimed),
    ("reserved", Step::Reserved),
    ("intended", Step::Intended),
    ("answered", Step::Answered),
    ("recorded", Step::Recorded),
    ("told", Step::Told),
    ("concluded", Step::Concluded),
];

thread_local! {
    static WANTED: Cell<Option<Step>> = const { Cell::new(None) };
}

/// Has the next purchase that comes to `step` stop there; false when there is no such step.
pub fn ask_for(step: &str) -> bool {
    let found = STEPS.iter().find(|(name, _)| *name == step).map(|(_, step)| *step);
    WANTED.set(found);
    found.is_some()
}

/// Goes on, unless a test asked to stop here.
pub async fn at(step: Step) {
    if WANTED.get() != Some(step) {
        return;
    }
    WANTED.set(None);
    shell::log::note("edge", "halt", "halted");
    loop {
        worker::Delay::from(Duration::from_secs(60)).await;
    }
}
