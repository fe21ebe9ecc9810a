//! Journals and snapshots of old must be readable for ever. The files are never edited; a new version adds new ones.

use rehearsal::endings;
use session::once::State;

use crate::cast::Keys;

#[test]
fn journals_of_version_1_replay_to_the_states_of_their_time() {
    let endings = endings::<Keys>(
        include_str!("../fixtures/once-v1.jsonl"),
        include_str!("../fixtures/once-v1-states.jsonl"),
    );
    assert_eq!(endings, ["EMPTY", "KEEPING"]);
}

#[test]
fn a_snapshot_that_is_not_whole_is_no_state() {
    let read = |marks: &str| {
        serde_json::from_str::<State>(&format!("{{\"forgotten\":0,\"minutes\":{{\"1\":\"{marks}\"}}}}"))
    };
    assert_eq!(read("AAAAAAAAAAA").map(|state| state.keys()).ok(), Some(1));
    for bad in ["", "AAAA", "AAAAAAAAAAAA", "AAAAAAAAAAA=", "AAAAAAAAAAB", "é"] {
        assert!(read(bad).is_err(), "{bad}");
    }
}
