//! How a gig is shown, in every state that it can be in.

use api::outbound::{legacy_status, lifecycle_answer, lifecycle_state, view};
use gig::{
    Bearer, Command, Completion, Delivery, Event, Expiry, Fact, Lifecycle, Payer, Role, State, apply, decide,
};
use primitives::{AgentIdentity, Digest, Millis, PaymentId, UnixMillis};
use serde_json::{Value, json};

const START: UnixMillis = UnixMillis(1_796_047_200_000);

fn who(name: &str) -> AgentIdentity {
    name.parse().unwrap()
}

fn grant(name: &str) -> Digest {
    Digest::of(&[name.as_bytes()])
}

fn terms() -> gig::Terms {
    api::inbound::posting(&crate::posting::delegation()).unwrap().terms(
        &[7; 20],
        Millis::from_minutes(5),
        Millis::from_minutes(10),
    )
}

fn payer() -> Payer {
    let payment = PaymentId::derive("eip155:84532", &[1; 20], &[2; 20], &[3; 32]);
    Payer { payment, claimed_at: START }
}

/// The states of one whole life, each with what led to it.
fn states() -> Vec<State> {
    let join =
        |by: &str, with: &str| Command::Join { bearer: Bearer::Grant { by: who(by), grant: grant(with) } };
    let commands = [
        Command::Reserve { terms: terms(), payer: payer(), grant: grant("b") },
        Command::Release { payer: payer(), reason: "refused".to_owned() },
        Command::Reserve { terms: terms(), payer: payer(), grant: grant("b") },
        Command::Fund { payer: payer(), transaction: "0xfeed".to_owned() },
        Command::Claim { by: who("worker"), message_id: "m".parse().unwrap(), grant: grant("w") },
        join("buyer", "b"),
        join("worker", "w"),
        Command::Deliver { by: who("worker"), grant: grant("w"), delivery: Delivery::default() },
        Command::Revise { by: who("buyer"), grant: grant("b"), reason: "again".to_owned() },
        Command::Deliver { by: who("worker"), grant: grant("w"), delivery: Delivery::default() },
        Command::Accept { by: who("buyer"), grant: grant("b"), reason: None },
    ];
    let mut states = vec![State::default()];
    for command in commands {
        let state = states.last().unwrap().clone();
        for event in decide(&state, command, START).unwrap() {
            let next = apply(states.last().unwrap().clone(), &event).unwrap();
            states.push(next);
        }
    }
    states
}

/// The state of the life with this name, the last one if there are several.
fn state(lifecycle: Lifecycle) -> State {
    states().into_iter().rfind(|state| state.lifecycle() == Some(lifecycle)).unwrap()
}

fn ended(from: Lifecycle, fact: Fact) -> State {
    apply(state(from), &Event { at: START, fact }).unwrap()
}

// G1, S1
#[test]
fn nothing_is_shown_before_its_funding() {
    let mut funded = false;
    for state in states() {
        funded = funded || state.lifecycle() == Some(Lifecycle::Discoverable);
        let shown = view(&state);
        assert_eq!(shown.is_some(), funded, "{:?}", state.lifecycle());
        assert_eq!(shown.is_some_and(|view| view.record.is_some()), funded);
    }
    assert!(view(&ended(Lifecycle::Posted, Fact::NeverFunded)).is_none());
}

#[test]
fn the_older_status_follows_from_the_state() {
    let name = |value: Value| value.as_str().unwrap().to_owned();
    let table: Vec<String> = [
        Lifecycle::Posted,
        Lifecycle::Discoverable,
        Lifecycle::Claimed,
        Lifecycle::TunnelGranted,
        Lifecycle::InProgress,
        Lifecycle::Delivered,
        Lifecycle::Completed,
        Lifecycle::Closed,
        Lifecycle::Cancelled,
        Lifecycle::Expired,
        Lifecycle::Failed,
    ]
    .into_iter()
    .map(|lifecycle| {
        let state = lifecycle_state(lifecycle);
        let (state_name, status) = (serde_json::to_value(state), serde_json::to_value(legacy_status(state)));
        let state_name = name(state_name.unwrap());
        assert_eq!(state_name, lifecycle.name());
        format!("{state_name} {}", name(status.unwrap()))
    })
    .collect();
    let expected = [
        "POSTED PENDING_PAYMENT",
        "DISCOVERABLE ACTIVE",
        "CLAIMED IN_PROGRESS",
        "TUNNEL_GRANTED IN_PROGRESS",
        "IN_PROGRESS IN_PROGRESS",
        "DELIVERED IN_PROGRESS",
        "COMPLETED COMPLETED",
        "CLOSED COMPLETED",
        "CANCELLED EXPIRED",
        "EXPIRED EXPIRED",
        "FAILED EXPIRED",
    ];
    assert_eq!(table, expected);
}

#[test]
fn a_record_has_the_members_of_contract_1() {
    let record = view(&state(Lifecycle::TunnelGranted)).unwrap().record.unwrap();
    let expected = json!({
        "gig_id": terms().gig_id,
        "buyer_pubkey": "buyer",
        "worker_pubkey": "worker",
        "title": "Count the words",
        "description": "How many words has the page?",
        "task_type": "computation",
        "payload_json": "{\"page\":1}",
        "bounty_sats": 1000,
        "status": "IN_PROGRESS",
        "lifecycle_state": "TUNNEL_GRANTED",
        "lifecycle_version": 3,
        "created_at": START.to_rfc3339(),
        "updated_at": START.to_rfc3339(),
        "expires_at": START.plus(Millis::from_minutes(60)).to_rfc3339(),
    });
    assert_eq!(serde_json::to_value(record).unwrap(), expected);
    let open = view(&state(Lifecycle::Discoverable)).unwrap().record.unwrap();
    assert_eq!(serde_json::to_value(open).unwrap()["worker_pubkey"], Value::Null);
}

#[test]
fn the_status_says_what_is_waited_for() {
    let minutes = |minutes| Some(START.plus(Millis::from_minutes(minutes)).to_rfc3339());
    let claimed = view(&state(Lifecycle::TunnelGranted)).unwrap().status;
    assert_eq!((claimed.claim_expires_at, claimed.review_until, claimed.revisions), (minutes(5), None, 0));
    let delivered = view(&state(Lifecycle::Delivered)).unwrap().status;
    assert_eq!(
        (delivered.claim_expires_at, delivered.review_until, delivered.revisions),
        (None, minutes(10), 1)
    );
    // A window that the gig does not live to see is not promised.
    let late = UnixMillis(START.0 + 50 * 60_000 + 1);
    let deliver = Command::Deliver { by: who("worker"), grant: grant("w"), delivery: Delivery::default() };
    let working = state(Lifecycle::InProgress);
    let events = decide(&working, deliver, late).unwrap();
    let delivered = events.iter().try_fold(working, apply).unwrap();
    assert_eq!(view(&delivered).unwrap().status.review_until, None);
}

#[test]
fn the_status_says_why_it_is_over() {
    let reason = |state: &State| view(state).unwrap().status.ended_reason;
    let expired = |from, why| ended(from, Fact::Expired { why });
    let silence = Fact::Completed { completion: Completion::ReviewWindowPassed, reason: None };
    let silent =
        apply(ended(Lifecycle::Delivered, silence), &Event { at: START, fact: Fact::Closed }).unwrap();
    for (state, expected) in [
        (state(Lifecycle::Closed), "accepted"),
        (silent, "accepted_by_timeout"),
        (ended(Lifecycle::Discoverable, Fact::Cancelled { reason: None }), "cancelled"),
        (ended(Lifecycle::InProgress, Fact::Abandoned { reason: None }), "abandoned"),
        (expired(Lifecycle::Discoverable, Expiry::NotClaimed), "not_claimed"),
        (expired(Lifecycle::InProgress, Expiry::NotDelivered), "not_delivered"),
        (expired(Lifecycle::Delivered, Expiry::NotReviewed), "not_reviewed"),
    ] {
        assert_eq!(reason(&state).as_deref(), Some(expected));
    }
    assert_eq!(reason(&state(Lifecycle::Delivered)), None);
}

// G5, S4
#[test]
fn a_view_tells_which_grants_are_unused_and_never_more_than_their_digest() {
    let shown = view(&state(Lifecycle::Discoverable)).unwrap();
    assert_eq!((shown.buyer_grant, shown.worker_grant), (Some(grant("b")), None));
    let shown = view(&state(Lifecycle::InProgress)).unwrap();
    assert_eq!((shown.buyer_grant, shown.worker_grant), (None, None));
    let granted = states().into_iter().find(|state| state.seat(Role::Worker).is_some()).unwrap();
    assert_eq!(view(&granted).unwrap().worker_grant, Some(grant("w")));
}

#[test]
fn a_lifecycle_answer_says_whether_it_is_a_repetition() {
    for replayed in [false, true] {
        let answer = lifecycle_answer(view(&state(Lifecycle::Closed)).unwrap(), replayed);
        assert_eq!((answer.duplicate, answer.accepted, answer.lifecycle_version), (replayed, true, 9));
    }
}
