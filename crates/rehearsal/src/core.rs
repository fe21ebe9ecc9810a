//! What a core is to its tests.

use core::fmt::Debug;

use primitives::UnixMillis;
use serde::{Serialize, de::DeserializeOwned};

/// A core's functions, which [`core_of`](crate::core_of) fills in, and the words in which its tests speak of it.
pub trait Core: Clone + Debug + PartialEq {
    /// Where it stands.
    type State: Clone + Debug + Default + PartialEq + Serialize + DeserializeOwned;
    /// What it is asked.
    type Command: Clone + Debug;
    /// What has happened, and when.
    type Event: Clone + Debug + PartialEq + Serialize + DeserializeOwned;
    /// What is owed to the world.
    type Effect: Clone + Debug + PartialEq;
    /// How it says no.
    type Refusal: Debug + PartialEq;

    /// Judges what is asked.
    fn decide(
        state: &Self::State,
        command: Self::Command,
        now: UnixMillis,
    ) -> Result<Vec<Self::Event>, Self::Refusal>;
    /// Folds one event; the text says why it cannot follow.
    fn apply(state: Self::State, event: &Self::Event) -> Result<Self::State, String>;
    /// What is owed once `event` has led away from `before`.
    fn effects(before: &Self::State, event: &Self::Event) -> Vec<Self::Effect>;
    /// When time alone changes the state next.
    fn deadline(state: &Self::State) -> Option<UnixMillis>;
    /// A refusal's code.
    fn code(refusal: &Self::Refusal) -> &'static str;
    /// The command that the alarm sends.
    fn wake() -> Self::Command;

    /// How many facts [`name`](Self::name) tells apart.
    const FACTS: usize;
    /// The name of an event's fact. A match without a catch-all, so that a new fact does not compile until the tests know
    /// of it.
    fn name(event: &Self::Event) -> &'static str;
    /// The state's published name.
    fn lifecycle(state: &Self::State) -> &'static str;
    /// What a story says of a state behind its name, such as `(0xfeed)`.
    fn mark(_: &Self::State) -> String {
        String::new()
    }
    /// An event in a story: its name, with what tells two of its kind apart.
    fn told(event: &Self::Event) -> String {
        Self::name(event).to_owned()
    }
    /// An effect in a story, such as `+submit`.
    fn owed(effect: &Self::Effect) -> String;
}

/// Fills in the types and functions of a [`Core`], as they stand in the crate or module `$core`.
#[macro_export]
macro_rules! core_of {
    ($core:tt) => {
        type State = $core::State;
        type Command = $core::Command;
        type Event = $core::Event;
        type Effect = $core::Effect;
        type Refusal = $core::Refusal;

        fn decide(
            state: &$core::State,
            command: $core::Command,
            now: ::primitives::UnixMillis,
        ) -> Result<Vec<$core::Event>, $core::Refusal> {
            $core::decide(state, command, now)
        }
        fn apply(state: $core::State, event: &$core::Event) -> Result<$core::State, String> {
            $core::apply(state, event).map_err(|corrupt| corrupt.to_string())
        }
        fn effects(before: &$core::State, event: &$core::Event) -> Vec<$core::Effect> {
            $core::effects(before, event)
        }
        fn deadline(state: &$core::State) -> Option<::primitives::UnixMillis> {
            $core::deadline(state)
        }
        fn code(refusal: &$core::Refusal) -> &'static str {
            refusal.code()
        }
        fn wake() -> $core::Command {
            $core::Command::Wake
        }
    };
}
