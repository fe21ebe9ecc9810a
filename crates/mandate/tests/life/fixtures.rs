//! Journals and snapshots of old must be readable for ever. The files are never edited; a new version adds new ones, and so
//! do facts that a version gains.

use rehearsal::endings;

use crate::cast::Object;

#[test]
fn journals_of_version_1_replay_to_the_states_of_their_time() {
    let journals = concat!(
        include_str!("../fixtures/v1.jsonl"),
        "\n",
        include_str!("../fixtures/v1-held-for-runs.jsonl")
    );
    let states = concat!(
        include_str!("../fixtures/v1-states.jsonl"),
        "\n",
        include_str!("../fixtures/v1-held-for-runs-states.jsonl")
    );
    assert_eq!(endings::<Object>(journals, states), ["ACTIVE", "REVOKED", "REVOKED", "ACTIVE"]);
}
