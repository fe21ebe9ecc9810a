//! What an account owes the world, and when time changes it: nothing, and never.

use primitives::UnixMillis;
use serde::{Deserialize, Serialize};

use crate::{Event, State};

/// An account owes nothing to anyone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Effect {}

/// What is owed once `event` has led away from `before`.
pub const fn effects(_before: &State, _event: &Event) -> Vec<Effect> {
    Vec::new()
}

/// The next moment at which time alone changes the state: there is none.
pub const fn deadline(_: &State) -> Option<UnixMillis> {
    None
}
