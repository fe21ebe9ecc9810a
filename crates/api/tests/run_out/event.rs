//! Events.

use std::collections::BTreeSet;

use api::outbound::run::event;
use api::wire::RunEvent;
use run::{Actor, Event, Fact};
use serde_json::{Value, json};

use crate::cast::*;
use crate::facts::facts;

fn shown(fact: Fact) -> Value {
    let recorded = Event { v: 1, at: at(5), actor: Actor::Agent, answers: None, fact };
    json!(event(&id(), 7, &recorded))
}

/// Every key of a value, at any depth.
fn keys(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => fields.iter().for_each(|(name, value)| {
            found.insert(name.clone());
            keys(value, found);
        }),
        Value::Array(items) => items.iter().for_each(|item| keys(item, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The names of the facts are those of the journal; a fact that nobody has thought of here has none.
#[test]
fn every_fact_is_told_under_its_own_name() {
    let mut told = BTreeSet::new();
    for fact in facts() {
        let recorded = serde_json::to_value(&fact).unwrap();
        let shown = shown(fact);
        assert_eq!(shown["type"], recorded["type"]);
        let fields: Vec<&String> = shown.as_object().unwrap().keys().collect();
        assert_eq!(fields, ["actor", "at", "message", "payload", "seq", "type"], "{shown}");
        assert_eq!((&shown["seq"], &shown["actor"]), (&json!(7), &json!("agent")));
        assert_eq!(shown["at"], "2027-01-01T00:00:05.000Z");
        assert!(shown["message"].as_str().is_some_and(|line| !line.is_empty()), "{shown}");
        assert!(shown["payload"].is_object(), "{shown}");
        told.insert(shown["type"].to_string());
    }
    // What a fact can be, a reader of another one is told.
    let complaint =
        serde_json::from_value::<Fact>(json!({ "type": "?", "payload": {} })).unwrap_err().to_string();
    let all: BTreeSet<String> =
        complaint.split('`').skip(3).step_by(2).map(|name| format!("\"{name}\"")).collect();
    assert!(all.len() > 55, "{complaint}");
    assert_eq!(told, all);
}

#[test]
fn what_is_told_comes_back() {
    for fact in facts() {
        let shown = shown(fact);
        let read: RunEvent = serde_json::from_value(shown.clone()).unwrap();
        assert_eq!(json!(read), shown);
    }
}

#[test]
fn names_times_and_amounts_are_those_of_the_wire() {
    let mut all = BTreeSet::new();
    for fact in facts() {
        let shown = shown(fact.clone());
        keys(&shown, &mut all);
        let text = shown.to_string();
        // Milliseconds since 1970 begin so, in any event of these.
        assert!(!text.contains(":1798"), "{text}");
        let (mut amounts, mut recorded) = (Vec::new(), Vec::new());
        numbers(&shown["payload"], &mut amounts);
        numbers(&serde_json::to_value(&fact).unwrap()["payload"], &mut recorded);
        assert!(amounts.iter().all(|amount| recorded.contains(amount)), "{amounts:?} {recorded:?}");
    }
    let odd: Vec<&String> = all.iter().filter(|key| key.contains('_')).collect();
    assert!(odd.is_empty(), "{odd:?}");
    for cents in ["amountCents", "totalCents", "observedTotalCents", "maxBudgetCents", "expectedAmountCents"]
    {
        assert!(all.contains(cents), "{cents}");
    }
}

/// Every amount, as its decimal text.
fn numbers(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) => {
            found.push(text.clone());
        }
        Value::Object(fields) => {
            let amounts = fields.iter().filter(|(name, _)| *name != "protocolVersion");
            amounts.for_each(|(_, value)| numbers(value, found));
        }
        Value::Array(items) => items.iter().for_each(|value| numbers(value, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// S4: the journal keeps the digest of the token, and nobody who watches is shown it.
#[test]
fn no_event_shows_a_token() {
    let digest = token().to_string();
    let recorded: Vec<String> = facts()
        .iter()
        .map(|fact| serde_json::to_string(fact).unwrap())
        .filter(|text| text.contains(&digest))
        .collect();
    assert_eq!(recorded.len(), 2, "the digest is there to be found");
    for fact in facts() {
        let shown = shown(fact).to_string();
        assert!(!shown.contains(&digest), "{shown}");
        assert!(!shown.contains("\"token\""), "{shown}");
    }
}

#[test]
fn what_is_told_of_some_facts() {
    let first = facts().remove(0);
    let shown_intent = json!({
        "intent": { "requirement": "coca-cola 2l", "quantity": 2, "maxBudgetCents": "2500" },
        "executorId": executor(),
        "executionMode": "simulated",
        "settlement": { "kind": "chain", "network": "eip155:84532" },
        "mandate": {
            "mandate": mandate().mandate,
            "owner": mandate().owner,
            "agent": mandate().agent,
        },
        "userId": "customer 7",
    });
    assert_eq!(shown(first)["payload"], shown_intent);
    let refused = Fact::SignalRefused { signal: "pay".to_owned(), refusal: run::Refusal::SignatureUsed };
    let payload = shown(refused)["payload"].clone();
    assert_eq!((&payload["signal"], &payload["code"]), (&json!("pay"), &json!("signature_used")));
    assert_eq!(payload["reason"], run::Refusal::SignatureUsed.to_string());
    let found = shown(Fact::PaymentFound { payment: payment() })["payload"].clone();
    assert_eq!(found, json!({ "signature": SIGNATURE, "lastValidBlockHeight": 250_000_000 }));
    let gone = shown(Fact::WalletIgnored { address: None })["payload"].clone();
    assert_eq!(gone, json!({ "address": null }));
}
