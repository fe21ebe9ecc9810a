//! The words for the gate in every test.

use executor::gate::{self, Command, Effect, Event, Fact, State};
use primitives::{Millis, UnixMillis};
pub(crate) use rehearsal::START;
use rehearsal::{Core, core_of};

/// So many seconds after the start.
pub(crate) const fn after(seconds: u64) -> UnixMillis {
    START.plus(Millis::from_seconds(seconds))
}

/// A gate that has admitted as many as it does in a day, the last ten of them at the start.
pub(crate) fn full() -> Life {
    let mut life = Life::default();
    for ten in (0..5).rev() {
        for _ in 0..10 {
            life.hears(Command::Admit, START.minus(Millis::from_minutes(ten * 60))).unwrap();
        }
    }
    life
}

/// The core.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Gate;

pub(crate) type Life = rehearsal::Life<Gate>;

impl Core for Gate {
    core_of!(gate);

    const FACTS: usize = 2;

    fn name(event: &Event) -> &'static str {
        match &event.fact {
            Fact::Admitted => "Admitted",
            Fact::Swept => "Swept",
        }
    }

    fn lifecycle(state: &State) -> &'static str {
        state.name()
    }

    fn mark(state: &State) -> String {
        format!("({})", state.admitted())
    }

    fn owed(effect: &Effect) -> String {
        match *effect {}
    }
}
