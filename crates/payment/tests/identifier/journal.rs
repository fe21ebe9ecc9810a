//! Journals and snapshots of old must be readable for ever. The file is never edited; a new version adds a new one.

use payment::identifier::{Event, State, apply};

use crate::cast::*;

/// An event and the state after it, line by line.
const VERSION_1: &str = include_str!("../fixtures/identifier-v1.jsonl");

#[test]
fn the_journal_of_version_1_replays() {
    let (mut state, mut facts) = (State::default(), 0);
    let lines: Vec<&str> = VERSION_1.lines().collect();
    for pair in lines.chunks(2) {
        let event: Event = serde_json::from_str(pair[0]).unwrap();
        assert_eq!(serde_json::to_string(&event).unwrap(), pair[0]);
        state = apply(state, &event).unwrap();
        assert_eq!(serde_json::from_str::<State>(pair[1]).unwrap(), state);
        facts += 1;
    }
    assert_eq!(facts, 2);
    assert_eq!(state.binding(), Some(&binding(2)));
}
