//! A payment's name, and the one run that has it: so that one payment settles one run.
//!
//! ```text
//!  FREE ── claim ──► CLAIMED ── claim by the same run ──► CLAIMED
//! ```
//!
//! There is an object for each name; see [`name`]. The first run that claims it has it for ever.

use primitives::{Digest, RunId, UnixMillis};
use serde::{Deserialize, Serialize};

/// The state.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum State {
    /// No run has the name.
    #[default]
    Free,
    /// This one has.
    Claimed {
        /// Which.
        run: RunId,
        /// Since when.
        at: UnixMillis,
    },
}

impl State {
    /// The run that has the name.
    pub const fn run(&self) -> Option<&RunId> {
        match self {
            Self::Free => None,
            Self::Claimed { run, .. } => Some(run),
        }
    }

    /// The published name of the state.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Free => "FREE",
            Self::Claimed { .. } => "CLAIMED",
        }
    }
}

/// One request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Command {
    /// Whoever hears no refusal has the name, and nobody else ever has.
    Claim {
        /// Who.
        run: RunId,
    },
    /// Time has passed.
    Wake,
}

/// One event of the journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// When it was recorded.
    pub at: UnixMillis,
    /// What happened.
    pub fact: Fact,
}

/// What can have happened. Variants are only added, and fields only with a default: old journals must replay.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the field is that of the command")]
pub enum Fact {
    /// The run has the name.
    Claimed { run: RunId },
}

/// A name owes nothing to anyone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Effect {}

/// A refusal. Nothing changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Refusal {
    /// Another run has the name.
    SignatureUsed,
}

impl Refusal {
    /// Stable, for programs.
    pub const fn code(self) -> &'static str {
        match self {
            Self::SignatureUsed => "signature_used",
        }
    }

    /// Whether the same can succeed later.
    pub const fn may_retry(self) -> bool {
        match self {
            Self::SignatureUsed => false,
        }
    }
}

impl core::fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        crate::Refusal::SignatureUsed.fmt(formatter)
    }
}

impl core::error::Error for Refusal {}

/// An event that does not follow from the state: the stored journal contradicts itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Corrupt {
    /// When the event was recorded.
    pub at: UnixMillis,
}

impl core::fmt::Display for Corrupt {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(formatter, "an event of a receipt recorded at {} does not follow", self.at.to_rfc3339())
    }
}

impl core::error::Error for Corrupt {}

/// The name of a payment's object: SHA-256 of `guildhall receipt v1`, a zero byte, the network, a zero byte, and the
/// payment's signature.
pub fn name(network: &str, signature: &str) -> Digest {
    Digest::of(&[b"guildhall receipt v1\0", network.as_bytes(), b"\0", signature.as_bytes()])
}

/// Judges one command at `now`.
///
/// # Errors
/// The [`Refusal`]; nothing is to be recorded then.
pub fn decide(state: &State, command: Command, now: UnixMillis) -> Result<Vec<Event>, Refusal> {
    match command {
        Command::Claim { run } => match state {
            State::Free => Ok(vec![Event { at: now, fact: Fact::Claimed { run } }]),
            State::Claimed { run: holder, .. } if *holder == run => Ok(Vec::new()),
            State::Claimed { .. } => Err(Refusal::SignatureUsed),
        },
        Command::Wake => Ok(Vec::new()),
    }
}

/// Folds one event into the state.
///
/// # Errors
/// [`Corrupt`] when the event cannot follow.
pub fn apply(state: State, event: &Event) -> Result<State, Corrupt> {
    let Fact::Claimed { run } = &event.fact;
    match state {
        State::Free => Ok(State::Claimed { run: run.clone(), at: event.at }),
        State::Claimed { .. } => Err(Corrupt { at: event.at }),
    }
}

/// What is owed once `event` has led away from `before`.
pub const fn effects(_before: &State, _event: &Event) -> Vec<Effect> {
    Vec::new()
}

/// Time changes no name.
pub const fn deadline(_state: &State) -> Option<UnixMillis> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(state: &State, run: &RunId, at: u64) -> Result<State, Refusal> {
        let events = decide(state, Command::Claim { run: run.clone() }, UnixMillis(at))?;
        Ok(events.iter().try_fold(state.clone(), apply).unwrap())
    }

    /// R4
    #[test]
    fn the_first_run_has_the_name_for_ever() {
        let (first, second) = (RunId::derive(&[b"first"]), RunId::derive(&[b"second"]));
        let claimed = claim(&State::default(), &first, 1).unwrap();
        assert_eq!(claimed.run(), Some(&first));
        assert_eq!(claim(&claimed, &first, 2), Ok(claimed.clone()), "the same again is a replay");
        assert_eq!(claim(&claimed, &second, 3), Err(Refusal::SignatureUsed));
        assert_eq!(decide(&claimed, Command::Wake, UnixMillis(4)), Ok(Vec::new()));
        let again = Event { at: UnixMillis(5), fact: Fact::Claimed { run: first } };
        assert_eq!(apply(claimed, &again), Err(Corrupt { at: UnixMillis(5) }));
    }

    /// R4. The digest is that of `hashlib` in Python.
    #[test]
    fn one_name_on_one_chain_is_one_object() {
        let digest = "edeb542d9efc60fa38eeae48918c80e49a42e91fce2b6439ee6d734881e7f038";
        assert_eq!(name("eip155:1", "0xaa").to_string(), digest);
        assert_ne!(name("eip155:10", "0xaa"), name("eip155:1", "0xaa"));
    }

    #[test]
    fn journals_of_version_1_are_read() {
        let line = r#"{"at":7,"fact":{"Claimed":{"run":"run_aaaaaaaaaaaaaaaaaaaaaaaaaa"}}}"#;
        let event: Event = serde_json::from_str(line).unwrap();
        assert_eq!(serde_json::to_string(&event).unwrap(), line);
        assert_eq!(apply(State::default(), &event).unwrap().name(), "CLAIMED");
    }
}
