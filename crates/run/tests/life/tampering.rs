//! A journal in which somebody has changed an amount, a wallet, a name or an order is found out when it is read.

use run::{Basis, Event, State, apply};
use serde_json::{Value, json};

use crate::purchase::*;
use crate::script::walk;

const ASKED: &str = "wallet W; market A:1003; quote 1000; quote 1000; pix 1000; funds full";

/// What is put into which place of which event.
type Change = (&'static str, &'static str, fn() -> Value);

const CHANGES: [Change; 30] = [
    ("REVALIDATION_REQUESTED", "/payload/command/command_id", || json!("cmd_1")),
    ("REVALIDATION_REQUESTED", "/payload/command/executor", || json!(crate::cast::executor("F"))),
    ("CANDIDATE_SELECTED", "/payload/candidate_id", || json!("B")),
    ("QUOTE_VALIDATED", "/payload/quote/cart/total", || json!("1002")),
    ("QUOTE_VALIDATED", "/payload/quote/executor", || json!(crate::cast::executor("F"))),
    ("CHECKOUT_READY", "/payload/quote/cart/items/0/total", || json!("802")),
    ("CHECKOUT_READY", "/answers/command_id", || json!("cmd_1")),
    ("PIX_REQUESTED", "/payload/command/task/ReadPix/expected", || json!("1002")),
    ("PIX_DETECTED", "/payload/target/amount", || json!("1002")),
    ("PIX_DETECTED", "/payload/target/expires_at", || json!(1)),
    ("FUNDS_CHECK_STARTED", "/payload/wallet", || json!("V")),
    ("FUNDS_CHECK_STARTED", "/payload/amount", || json!("1002")),
    ("FUNDS_CHECK_STARTED", "/payload/number", || json!(2)),
    ("FUNDS_CHECKED", "/payload/number", || json!(2)),
    ("FUNDS_CHECKED", "/payload/requirement/gross", || json!("2000008")),
    ("FUNDS_CHECKED", "/payload/balances/shielded", || json!("1")),
    ("FUNDS_CHECKED", "/payload/requirement/expires_at", || json!(1)),
    ("CONFIRMATION_REQUESTED", "/payload/confirmation/amount", || json!("1002")),
    ("CONFIRMATION_REQUESTED", "/payload/confirmation/wallet", || json!("V")),
    ("CONFIRMATION_REQUESTED", "/payload/confirmation/number", || json!(2)),
    ("CONFIRMATION_REQUESTED", "/payload/confirmation/digest", || json!("00".repeat(32))),
    ("USER_CONFIRMED", "/payload/amount", || json!("1002")),
    ("USER_CONFIRMED", "/payload/digest", || json!("00".repeat(32))),
    ("PAYMENT_AUTHORIZED", "/payload/authorization/amount", || json!("1002")),
    ("PAYMENT_AUTHORIZED", "/payload/authorization/gross", || json!("2000008")),
    ("PAYMENT_AUTHORIZED", "/payload/authorization/wallet", || json!("V")),
    ("PAYMENT_AUTHORIZED", "/payload/authorization/submit_by", || json!(1)),
    ("PAYMENT_AUTHORIZED", "/payload/authorization/basis/digest", || json!("00".repeat(32))),
    ("SETTLEMENT_VERIFIED", "/payload/signature", || json!("T")),
    ("SETTLEMENT_VERIFIED", "/payload/received", || json!("2000006")),
];

const HELD: [Change; 8] = [
    ("BUDGET_REQUESTED", "/payload/budget/amount", || json!("2000008")),
    ("BUDGET_REQUESTED", "/payload/budget/recipient", || json!(crate::cast::OWNER)),
    ("BUDGET_REQUESTED", "/payload/budget/reservation", || json!("00".repeat(32))),
    ("BUDGET_REQUESTED", "/payload/budget/number", || json!(2)),
    ("BUDGET_REQUESTED", "/payload/budget/approved", || json!(true)),
    ("BUDGET_HELD", "/payload/reservation", || json!("00".repeat(32))),
    ("PAYMENT_AUTHORIZED", "/payload/authorization/basis/reservation", || json!("00".repeat(32))),
    ("PAYMENT_AUTHORIZED", "/payload/authorization/basis/mandate", || json!("0x00")),
];

/// Whether a journal can be read.
fn is_read(events: &[Value]) -> bool {
    let read = events.iter().map(|event| serde_json::from_value::<Event>(event.clone()));
    read.into_iter().try_fold(State::default(), |state, event| apply(state, &event.ok()?).ok()).is_some()
}

fn written(life: &Life) -> Vec<Value> {
    life.journal.iter().map(|(_, event)| serde_json::to_value(event).unwrap()).collect()
}

fn each_is_found(path: &str, changes: &[Change]) {
    let events = written(&walk(path).0);
    assert!(is_read(&events));
    for (name, place, value) in changes {
        let mut changed = events.clone();
        let event = changed.iter_mut().find(|event| event["type"] == *name);
        let part = event.unwrap().pointer_mut(place).unwrap_or_else(|| panic!("{name} has no {place}"));
        assert_ne!(*part, value(), "{name} {place}");
        *part = value();
        assert!(!is_read(&changed), "{name} {place} was changed, and nobody saw");
    }
}

/// R1, R2, R3, R4, R8, R10
#[test]
fn what_was_changed_is_found() {
    each_is_found(&format!("create; {ASKED}; confirm; pay S; look verified"), &CHANGES);
    each_is_found(&format!("create mandate; {ASKED}; budget held"), &HELD);
}

/// R10: an event that is missing, is there twice, or stands before the one that it follows.
#[test]
fn what_is_missing_doubled_or_out_of_order_is_found() {
    let told = walk(&format!(
        "create mandate; {ASKED}; budget approval; confirm by:owner; budget held; pay S; look verified; order yes"
    ));
    let events = written(&told.0);
    // It is a note, and nothing follows from it.
    let is_note = |event: &Value| event["type"] == "TOKEN_USED";
    for place in (0..events.len()).filter(|place| !is_note(&events[*place])) {
        let mut doubled = events.clone();
        doubled.insert(place, events[place].clone());
        let mut missing = events.clone();
        missing.remove(place);
        let is_last = place + 1 == events.len();
        let is_wallet = events[place]["type"] == "WALLET_CONNECTED";
        assert!(is_wallet || !is_read(&doubled), "{} twice", events[place]["type"]);
        assert!(is_last || !is_read(&missing), "{} is missing", events[place]["type"]);
    }
    let mut back = events.clone();
    back[5]["at"] = json!(1);
    assert!(!is_read(&back), "time goes back");
    let mut other = events;
    other[5]["v"] = json!(2);
    assert!(!is_read(&other), "a version that is not known");
}

/// The journal with the last event of a name put into another form.
fn forged(path: &str, name: &str, forge: impl Fn(&mut Value)) -> Vec<Value> {
    let mut events = written(&walk(path).0);
    let place = events.iter().rposition(|event| event["type"] == name).unwrap();
    let was = events[place].clone();
    forge(&mut events[place]);
    assert_ne!(events[place], was, "{name}");
    events.truncate(place + 1);
    events
}

/// R3, R4, R8: an authorization stands on what its run stands on, and on nothing that looks like it.
#[test]
fn a_ground_that_is_made_up_is_found() {
    let agreed = format!("create mandate; {ASKED}; budget approval; confirm by:owner; budget held");
    let plain = format!("create; {ASKED}; confirm");
    let is_found = |path: &str, name: &str, forge: &dyn Fn(&mut Value)| !is_read(&forged(path, name, forge));
    let given = |event: &mut Value, part: &str, value: Value| event["payload"]["authorization"][part] = value;
    assert!(
        is_found(&agreed, "USER_CONFIRMED", &|event| event["payload"]["signer"] = json!(crate::cast::AGENT))
    );
    assert!(is_found(&agreed, "PAYMENT_AUTHORIZED", &|event| {
        let asked = event["payload"]["authorization"]["basis"]["confirmation"].clone();
        let basis = Basis::UserConfirmation { digest: serde_json::from_value(asked).unwrap() };
        given(event, "basis", serde_json::to_value(basis).unwrap());
    }));
    assert!(is_found(&agreed, "PAYMENT_AUTHORIZED", &|event| {
        event["payload"]["authorization"]["basis"]["confirmation"] = json!("00".repeat(32));
    }));
    assert!(is_found(&plain, "PAYMENT_AUTHORIZED", &|event| given(event, "at", json!(1))));
    assert!(is_found(&plain, "PAYMENT_AUTHORIZED", &|event| {
        let at = event["at"].clone();
        given(event, "submit_by", at);
    }));
    assert!(is_found(&plain, "PAYMENT_AUTHORIZED", &|event| given(
        event,
        "submit_by",
        json!(9_000_000_000_000_u64)
    )));
    for (path, name, without) in [
        (&plain, "PAYMENT_AUTHORIZED", "USER_CONFIRMED"),
        (&agreed, "PAYMENT_AUTHORIZED", "BUDGET_HELD"),
        (&agreed, "BUDGET_REQUESTED", "USER_CONFIRMED"),
    ] {
        let mut events = forged(path, name, |event| event["note"] = json!("as it was"));
        assert!(is_read(&events), "{name}");
        events.retain(|event| event["type"] != without);
        assert!(!is_read(&events), "{name} without {without}");
    }
}

/// R5, R6: nobody has cancelled it, nobody has paid it, and the shop has said nothing.
#[test]
fn an_ending_that_is_made_up_is_found() {
    let absent = format!("create; {ASKED}; confirm; +700; wake; trace absent");
    let paid = format!("create; {ASKED}; confirm; pay S; look verified; order yes");
    let cancelled = forged(&absent, "RUN_FAILED", |event| *event = named(event, "CANCELLED", None));
    assert!(!is_read(&cancelled));
    let payment = json!({ "payment": crate::cast::payment("S") });
    let late = forged(&absent, "RUN_FAILED", |event| {
        *event = named(event, "PAYMENT_SUBMITTED", Some(payment.clone()))
    });
    assert!(!is_read(&late));
    let no =
        forged(&paid, "ORDER_CONFIRMED", |event| event["payload"]["evidence"]["confirmed"] = json!(false));
    assert!(!is_read(&no));
    let unasked = forged(&paid, "ORDER_CONFIRMED", |event| event["answers"] = Value::Null);
    assert!(!is_read(&unasked));
}

/// The same event with another fact.
fn named(event: &Value, name: &str, payload: Option<Value>) -> Value {
    let mut other = event.clone();
    other["type"] = json!(name);
    match payload {
        Some(payload) => other["payload"] = payload,
        None => drop(other.as_object_mut().unwrap().remove("payload")),
    }
    other
}

/// R10: right away, whatever follows.
#[test]
fn what_is_doubled_is_found_at_once() {
    let (life, _) = walk(&format!(
        "create mandate; {ASKED}; budget approval; confirm by:owner; budget held; pay S; look verified; order yes"
    ));
    let events = written(&life);
    for place in 0..events.len() {
        let doubled = [&events[..=place], &events[place..=place]].concat();
        let is_wallet = events[place]["type"] == "WALLET_CONNECTED";
        assert!(is_wallet || !is_read(&doubled), "{} twice", events[place]["type"]);
    }
}
