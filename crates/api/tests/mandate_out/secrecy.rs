//! What is between the owner and itself, or the owner and the agent, is shown to nobody else.

use alloy_primitives::hex;
use api::outbound::mandate::{
    Standing, Viewer, approval, budget, entries, evaluation, mandate, payment, refused,
};
use eip712::Address;
use primitives::UnixMillis;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::cast::*;
use crate::chance::{APPROVAL, LABEL, NOTE, World, lived, turns};

const VIEWERS: [Viewer; 3] = [Viewer::Anyone, Viewer::Agent, Viewer::Owner];

/// Everything that a viewer can be answered, in one text.
fn answers(world: &mut World, viewer: Viewer, now: UnixMillis) -> String {
    let fresh = world.request(200, 40);
    let World { life, requests, .. } = world;
    let book = life.book();
    let mut answers = vec![
        json!(mandate(book, 1, viewer, &LEDGER, now)),
        json!(entries(book, 0, 100, now)),
        json!(budget(book, PROVIDER, SERVICE, now)),
        json!(evaluation(&life.state, &fresh, None, &LEDGER, now).unwrap()),
    ];
    for asked in requests.values() {
        let filed = life.filed_as(asked.request_id);
        let said = evaluation(&life.state, asked, filed, &LEDGER, now).unwrap();
        answers.push(json!(said));
        if let Some(standing) = Standing::find(book, asked.payment, life.files.get(&asked.payment)) {
            answers.push(json!(payment(book, standing.clone(), viewer)));
            answers.push(json!(approval(book, standing, viewer, &LEDGER)));
        }
        if let Err(refusal) = life.clone().hears(ask(*asked), now) {
            answers.push(json!(refused(&refusal)));
        }
    }
    Value::Array(answers).to_string()
}

/// Which of the secrets a text holds: the label, the note, the approval, its wait, what is signed to approve.
fn secrets(text: &str) -> [bool; 5] {
    let approval = hex::encode(APPROVAL);
    [LABEL, NOTE, approval.as_str(), "waitsUntil", "\"primaryType\":\"Approval\""]
        .map(|secret| text.contains(secret))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn no_secret_is_shown_to_another_viewer(turns in turns(), minutes in 0..200_u64) {
        let mut world = lived(&turns);
        let now = UnixMillis(world.now.0 + 60_000 * minutes);
        let [anyone, agent, owner] = VIEWERS.map(|viewer| secrets(&answers(&mut world, viewer, now)));
        prop_assert_eq!(anyone, [false; 5]);
        // The agent sees what the owner sees, but for what the owner alone calls or signs.
        prop_assert_eq!(agent, [false, owner[1], owner[2], owner[3], false]);
        prop_assert!(owner[0]);
    }
}

/// The secrets are there to be seen, so that the law above says something.
#[test]
fn the_owner_sees_every_secret() {
    let [one, two, three] = [1, 2, 3].map(|id| request(id, 70));
    let mut life = Life::labelled(LABEL, creation());
    let approved = approve(&two, at(1_800), &APPROVAL);
    for command in [ask(one), ask(two), reject(&one, NOTE), approved, ask(three)] {
        life.hears(command, START).unwrap();
    }
    let requests = [one, two, three].into_iter().map(|request| (request.request_id[0], request)).collect();
    let mut world = World { life, requests, now: START };
    assert_eq!(secrets(&answers(&mut world, Viewer::Owner, START)), [true; 5]);
}

#[test]
fn a_viewer_is_who_is_proven_to_be() {
    let (life, stranger) = (Life::new(), Address::repeat_byte(0x99));
    let who = |account| Viewer::of(life.book(), account);
    assert_eq!(who(Some(OWNER)), Viewer::Owner);
    assert_eq!(who(Some(AGENT)), Viewer::Agent);
    assert_eq!([None, Some(stranger), Some(PROVIDER), Some(Address::ZERO)].map(who), [Viewer::Anyone; 4]);
}
