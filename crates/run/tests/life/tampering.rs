//! A journal in which somebody has changed an amount, a wallet, a name or an order is found out when it is read.

use run::{Event, State, apply};
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
