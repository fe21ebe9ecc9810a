//! Journals and snapshots of old must be readable for ever. The files are never edited; a new version adds new ones.

use expect_test::expect_file;
use rehearsal::endings;
use run::Event;

use crate::purchase::Purchase;

#[test]
fn journals_of_version_1_replay_to_the_states_of_their_time() {
    let endings = endings::<Purchase>(
        include_str!("../fixtures/v1.jsonl"),
        include_str!("../fixtures/v1-states.jsonl"),
    );
    let expected = [
        "ORDER_CONFIRMED",
        "SETTLEMENT_FAILED",
        "FAILED",
        "ORDER_UNKNOWN",
        "CANCELLED",
        "CANCELLED",
        "NO_VALID_OPTION",
        "SETTLEMENT_UNKNOWN",
        "CANCELLED",
    ];
    assert_eq!(endings, expected);
}

/// The timeline as people read it: a line for every fact.
#[test]
fn every_fact_has_a_line_for_people() {
    let journals = include_str!("../fixtures/v1.jsonl").lines();
    let told = journals.map(|line| match serde_json::from_str::<Event>(line) {
        Ok(event) => format!("{:?}: {}\n", event.actor, run::describe(&event.fact)),
        Err(_) => "\n".to_owned(),
    });
    expect_file!["timeline.txt"].assert_eq(&told.collect::<String>());
}
