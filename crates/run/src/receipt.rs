//! A payment's name, and the one thing that it has paid for: a run, or a settlement of metered usage.
//!
//! ```text
//!  FREE ── claim ──► CLAIMED ── claim for the same ──► CLAIMED
//! ```
//!
//! There is an object for each name; see [`name`]. What claims it first has it for ever.

use primitives::{Digest, Malformed, RunId, SettlementId, UnixMillis};
use serde::{Deserialize, Serialize};

/// What a payment has paid for. In JSON its id, whose prefix says which it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Holder {
    /// A purchase run.
    Run(RunId),
    /// A settlement of metered usage.
    Settlement(SettlementId),
}

impl Holder {
    /// Its id.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Run(run) => run.as_str(),
            Self::Settlement(settlement) => settlement.as_str(),
        }
    }
}

impl TryFrom<String> for Holder {
    type Error = Malformed;

    fn try_from(id: String) -> Result<Self, Malformed> {
        match id.parse() {
            Ok(run) => Ok(Self::Run(run)),
            Err(_) => id.parse().map(Self::Settlement),
        }
    }
}

impl From<Holder> for String {
    fn from(holder: Holder) -> Self {
        holder.as_str().to_owned()
    }
}

/// The state.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum State {
    /// Nothing has the name.
    #[default]
    Free,
    /// This has.
    Claimed {
        /// What. In the words of the time when only runs were paid for.
        #[serde(rename = "run")]
        holder: Holder,
        /// Since when.
        at: UnixMillis,
    },
}

impl State {
    /// What has the name.
    pub const fn holder(&self) -> Option<&Holder> {
        match self {
            Self::Free => None,
            Self::Claimed { holder, .. } => Some(holder),
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
    /// What hears no refusal has the name, and nothing else ever has.
    Claim {
        /// What.
        holder: Holder,
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
    /// It has the name.
    Claimed {
        #[serde(rename = "run")]
        holder: Holder,
    },
}

/// A name owes nothing to anyone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Effect {}

/// A refusal. Nothing changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Refusal {
    /// Something else has the name.
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
        Command::Claim { holder } => match state {
            State::Free => Ok(vec![Event { at: now, fact: Fact::Claimed { holder } }]),
            State::Claimed { holder: known, .. } if *known == holder => Ok(Vec::new()),
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
    let Fact::Claimed { holder } = &event.fact;
    match state {
        State::Free => Ok(State::Claimed { holder: holder.clone(), at: event.at }),
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

    fn claim(state: &State, holder: &Holder, at: u64) -> Result<State, Refusal> {
        let events = decide(state, Command::Claim { holder: holder.clone() }, UnixMillis(at))?;
        Ok(events.iter().try_fold(state.clone(), apply).unwrap())
    }

    fn holders() -> [Holder; 3] {
        let settlement = "set_aaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbbbbbbba";
        [
            Holder::Run(RunId::derive(&[b"first"])),
            Holder::Run(RunId::derive(&[b"second"])),
            Holder::Settlement(settlement.parse().unwrap()),
        ]
    }

    /// R4
    #[test]
    fn the_first_that_claims_a_name_has_it_for_ever() {
        let [run, another, settlement] = holders();
        for (first, others) in [(&run, [&another, &settlement]), (&settlement, [&run, &another])] {
            let claimed = claim(&State::default(), first, 1).unwrap();
            assert_eq!(claimed.holder(), Some(first));
            assert_eq!(claim(&claimed, first, 2), Ok(claimed.clone()), "the same again is a replay");
            for other in others {
                assert_eq!(claim(&claimed, other, 3), Err(Refusal::SignatureUsed));
            }
            assert_eq!(decide(&claimed, Command::Wake, UnixMillis(4)), Ok(Vec::new()));
            let again = Event { at: UnixMillis(5), fact: Fact::Claimed { holder: first.clone() } };
            assert_eq!(apply(claimed, &again), Err(Corrupt { at: UnixMillis(5) }));
        }
    }

    #[test]
    fn what_was_paid_for_is_written_as_its_id() {
        for holder in holders() {
            let text = serde_json::to_string(&holder).unwrap();
            assert_eq!(text, format!("\"{}\"", holder.as_str()));
            assert_eq!(serde_json::from_str::<Holder>(&text).unwrap(), holder);
        }
        for bad in ["\"exe_aaaaaaaaaaaaaaaaaaaaaaaaaa\"", "\"\"", "\"set_aaaaaaaaaaaaaaaaaaaaaaaaaa\"", "7"] {
            assert!(serde_json::from_str::<Holder>(bad).is_err(), "{bad}");
        }
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
        let claimed = apply(State::default(), &event).unwrap();
        assert_eq!(claimed.name(), "CLAIMED");
        // Snapshots of that version are read as well.
        let snapshot = r#"{"Claimed":{"run":"run_aaaaaaaaaaaaaaaaaaaaaaaaaa","at":7}}"#;
        assert_eq!(serde_json::from_str::<State>(snapshot).unwrap(), claimed);
        assert_eq!(serde_json::to_string(&claimed).unwrap(), snapshot);
    }
}
