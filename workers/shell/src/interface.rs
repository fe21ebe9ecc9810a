//! What the loop needs to know of a core.

use primitives::UnixMillis;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::failure::Failure;
use crate::journal::Kept;

/// How a core's plain functions are called by the loop. One implementation per object, without rules of its
/// own, most of it by [`core_of`](crate::core_of).
pub trait Core: 'static {
    /// The object's kind, for the log.
    const KIND: &'static str;
    /// Where it stands.
    type State: Clone + Default + Serialize + DeserializeOwned;
    /// What it is asked.
    type Command: DeserializeOwned;
    /// What has happened.
    type Event: Serialize + DeserializeOwned;
    /// What is owed to the world.
    type Effect: Serialize + DeserializeOwned;
    /// How it says no.
    type Refusal: Serialize;
    /// What there is to see.
    type Answer: Clone + Serialize + DeserializeOwned;

    /// Judges who asks; comes before recorded answers.
    fn authorize(state: &Self::State, command: &Self::Command) -> Result<(), Self::Refusal>;
    /// Judges what is asked.
    fn decide(
        state: &Self::State,
        command: Self::Command,
        now: UnixMillis,
    ) -> Result<Vec<Self::Event>, Self::Refusal>;
    /// Folds one event.
    fn apply(state: Self::State, event: &Self::Event) -> Result<Self::State, Failure>;
    /// What is owed once `event` has led away from `before`.
    fn effects(before: &Self::State, event: &Self::Event) -> Vec<Self::Effect>;
    /// When time alone changes the state next.
    fn deadline(state: &Self::State) -> Option<UnixMillis>;
    /// What there is to see.
    fn answer(state: &Self::State) -> Self::Answer;
    /// Whether these events only repeat an answer that was given before, as no event at all does.
    fn is_replay(_: &Self::State, events: &[Self::Event]) -> bool {
        events.is_empty()
    }
    /// The state's published name.
    fn lifecycle(state: &Self::State) -> &'static str;
    /// A refusal's code.
    fn code(refusal: &Self::Refusal) -> &'static str;
    /// The command that the alarm sends.
    fn wake() -> Self::Command;

    /// Whether an effect is owed to anybody here. What is not is neither kept nor given.
    fn is_owed(_effect: &Self::Effect) -> bool {
        true
    }

    /// Whether it tells the board in the background, after its answers. An alarm then sees to it that the board is told
    /// should the process end before that.
    const TELLS_LATER: bool = false;

    /// The tables of the rows that [`keep`](Self::keep) writes.
    const TABLES: &'static str = "";
    /// The row that an effect is, if it is one of the object's own store: the `ordinal`th of those that follow from the
    /// event `seq`. It is written with the event; all other effects go into the outbox.
    fn keep(_effect: &Self::Effect, _seq: u64, _ordinal: u64) -> Result<Option<Kept>, Failure> {
        Ok(None)
    }
}
