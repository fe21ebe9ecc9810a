//! Journals and snapshots of old must be readable for ever. The files are never edited; a new version adds new ones.

use rehearsal::endings;

use crate::cast::Tenant;

#[test]
fn journals_of_version_1_replay_to_the_states_of_their_time() {
    let endings =
        endings::<Tenant>(include_str!("../fixtures/v1.jsonl"), include_str!("../fixtures/v1-states.jsonl"));
    assert_eq!(endings, ["ACTIVE", "PAUSED", "SUSPENDED", "ACTIVE", "ACTIVE"]);
}
