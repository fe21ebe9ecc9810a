//! What every object says of its core in the same words.

/// Fills in the types and functions of a [`Core`](crate::Core), as they stand in the crate or module `$core`.
///
/// What is left to say is who may ask, what there is to see, and what it is called. Whoever uses it depends on
/// `primitives`.
#[macro_export]
macro_rules! core_of {
    ($core:ident) => {
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

        fn apply(state: $core::State, event: &$core::Event) -> Result<$core::State, $crate::Failure> {
            $core::apply(state, event).map_err(|corrupt| $crate::Failure::Corrupt(corrupt.to_string()))
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
