//! The same keys in every test.

use primitives::{Digest, Millis, UnixMillis};
pub(crate) use rehearsal::START;
use rehearsal::{Core, core_of};
use session::once::{self, Command, Effect, Event, Fact, State};

/// The use of a key whose signature is refused from `until` on.
pub(crate) fn use_key(word: &str, until: UnixMillis) -> Command {
    Command::Use { key: Digest::of(&[word.as_bytes()]), until }
}

/// So many seconds after the start, which is the start of a minute.
pub(crate) const fn after(seconds: u64) -> UnixMillis {
    START.plus(Millis::from_seconds(seconds))
}

/// A life with as many keys as are kept: one that ends within the first minute, the others in the sixth.
pub(crate) fn full() -> Life {
    let others = (1..session::limits::KEYS_MAX).map(|number| use_key(&format!("K{number}"), after(330)));
    Life::of(others.chain([use_key("K0", after(30))]))
}

/// The core, and the words for it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Keys;

pub(crate) type Life = rehearsal::Life<Keys>;

impl Core for Keys {
    core_of!(once);

    const FACTS: usize = 2;

    fn name(event: &Event) -> &'static str {
        match &event.fact {
            Fact::Used { .. } => "Used",
            Fact::Swept => "Swept",
        }
    }

    fn lifecycle(state: &State) -> &'static str {
        state.name()
    }

    fn mark(state: &State) -> String {
        format!("({})", state.keys())
    }

    fn owed(effect: &Effect) -> String {
        match *effect {}
    }
}
