//! Journals and snapshots of old must be readable for ever. The files are never edited; a new version adds new ones.

use std::collections::BTreeSet;

use relayer::{Event, State, apply};

use crate::cast::{FACTS, name};

/// One JSON text per line; an empty line ends a life.
const JOURNALS: &str = include_str!("../fixtures/v1.jsonl");
/// The state after each event.
const SNAPSHOTS: &str = include_str!("../fixtures/v1-states.jsonl");

fn lives(text: &str) -> Vec<Vec<&str>> {
    text.split("\n\n").map(|life| life.lines().collect()).collect()
}

#[test]
fn journals_of_version_1_replay() {
    let mut seen = BTreeSet::new();
    let mut ends = Vec::new();
    for life in lives(JOURNALS) {
        let mut state = State::default();
        for line in life {
            let event: Event = serde_json::from_str(line).unwrap();
            assert_eq!(serde_json::to_string(&event).unwrap(), line);
            seen.insert(name(&event.fact));
            state = apply(state, &event).unwrap();
        }
        ends.push(state.lifecycle().name());
    }
    assert_eq!(seen.len(), FACTS, "{seen:?}");
    assert_eq!(ends, ["IDLE", "WORKING"]);
}

#[test]
fn snapshots_of_version_1_are_the_states_that_their_journals_lead_to() {
    for (journal, snapshots) in lives(JOURNALS).into_iter().zip(lives(SNAPSHOTS)) {
        assert_eq!(journal.len(), snapshots.len());
        let mut state = State::default();
        for (event, snapshot) in journal.into_iter().zip(snapshots) {
            state = apply(state, &serde_json::from_str(event).unwrap()).unwrap();
            assert_eq!(serde_json::from_str::<State>(snapshot).unwrap(), state, "{snapshot}");
        }
    }
}
