//! `TaskDelegation`: every bound exactly at it and one beyond, and every fault by its place.

use api::inbound::{body, posting};
use api::problem::Problem;
use primitives::Millis;
use serde_json::{Value, json};

pub(crate) fn delegation() -> Value {
    json!({
        "message_id": "post-1",
        "sender": "buyer",
        "type": "TaskDelegation",
        "payload": {
            "title": "Count the words",
            "description": "How many words has the page?",
            "task_type": "computation",
            "task_params": { "page": 1 },
            "bounty_sats": 1000,
            "ttl_minutes": 60,
        },
    })
}

/// The delegation with one place changed; `null` takes the place away.
fn with(place: &str, value: Value) -> Value {
    let mut message = delegation();
    let (parent, name) = place.rsplit_once('/').unwrap();
    let parent = message.pointer_mut(parent).unwrap().as_object_mut().unwrap();
    if value.is_null() {
        parent.remove(name);
    } else {
        parent.insert(name.to_owned(), value);
    }
    message
}

/// The places that a refusal names.
pub(crate) fn places(problem: &Problem) -> Vec<&str> {
    assert_eq!((problem.status, problem.code.as_str()), (400, "invalid_body"));
    assert!(problem.errors.iter().all(|fault| !fault.message.is_empty()));
    problem.errors.iter().map(|fault| fault.field.as_str()).collect()
}

/// `task_params` whose JSON has so many characters.
fn params(characters: usize) -> Value {
    json!({ "a": "x".repeat(characters - r#"{"a":""}"#.len()) })
}

#[test]
fn a_posting_at_every_bound_is_taken() {
    for (place, value) in [
        ("/payload/title", json!("t")),
        ("/payload/title", json!("é".repeat(80))),
        ("/payload/description", json!("d")),
        ("/payload/description", json!("日".repeat(500))),
        ("/payload/task_type", json!("web_scrape")),
        ("/payload/task_type", json!("data_extraction")),
        ("/payload/task_type", json!("api_relay")),
        ("/payload/task_type", json!("custom")),
        ("/payload/task_params", json!({})),
        ("/payload/task_params", params(10_000)),
        ("/payload/bounty_sats", json!(1)),
        ("/payload/bounty_sats", json!(1_000_000)),
        ("/payload/ttl_minutes", json!(1)),
        ("/payload/ttl_minutes", json!(120)),
        ("/message_id", json!("m".repeat(256))),
        ("/sender", json!("s".repeat(512))),
    ] {
        let taken = posting(&with(place, value.clone()));
        assert!(taken.is_ok(), "{place} {value}: {taken:?}");
    }
}

#[test]
fn one_beyond_every_bound_is_refused_by_its_place() {
    for (place, value) in [
        ("/payload/title", json!("")),
        ("/payload/title", json!("é".repeat(81))),
        ("/payload/description", json!("")),
        ("/payload/description", json!("日".repeat(501))),
        ("/payload/task_type", json!("Custom")),
        ("/payload/task_type", json!("")),
        ("/payload/task_params", params(10_001)),
        ("/payload/task_params", json!("{}")),
        ("/payload/task_params", json!([])),
        ("/payload/bounty_sats", json!(0)),
        ("/payload/bounty_sats", json!(1_000_001)),
        ("/payload/bounty_sats", json!(-1)),
        ("/payload/bounty_sats", json!(1.5)),
        ("/payload/bounty_sats", json!(1e3)),
        ("/payload/bounty_sats", json!("1000")),
        ("/payload/bounty_sats", json!(4_294_967_297_u64)),
        ("/payload/ttl_minutes", json!(0)),
        ("/payload/ttl_minutes", json!(121)),
        ("/payload/ttl_minutes", json!("60")),
        ("/message_id", json!("")),
        ("/message_id", json!("m".repeat(257))),
        ("/message_id", json!("a\nb")),
        ("/message_id", json!(7)),
        ("/sender", json!("")),
        ("/sender", json!(" buyer")),
        ("/sender", json!("s".repeat(513))),
        ("/type", json!("TaskClaim")),
        ("/type", json!("taskdelegation")),
        ("/payload", json!("text")),
        ("/payload", json!([])),
    ] {
        let problem = posting(&with(place, value.clone())).unwrap_err();
        let place = place.trim_start_matches('/').replace('/', ".");
        assert_eq!(places(&problem), [place], "{value}");
    }
}

#[test]
fn a_missing_and_an_unknown_field_are_named() {
    for place in [
        "/message_id",
        "/sender",
        "/type",
        "/payload",
        "/payload/title",
        "/payload/description",
        "/payload/task_type",
        "/payload/task_params",
        "/payload/bounty_sats",
        "/payload/ttl_minutes",
    ] {
        let problem = posting(&with(place, Value::Null)).unwrap_err();
        let field = place.trim_start_matches('/').replace('/', ".");
        assert_eq!(places(&problem), [field], "{:?}", problem.errors);
    }
    for place in ["/urgency", "/payload/urgency", "/payload/Title"] {
        let problem = posting(&with(place, json!(1))).unwrap_err();
        let field = place.trim_start_matches('/').replace('/', ".");
        assert_eq!(places(&problem), [field], "{:?}", problem.errors);
    }
}

#[test]
fn every_fault_is_named_at_once() {
    let mut message = delegation();
    message["payload"]["title"] = json!("");
    message["payload"]["bounty_sats"] = json!(0);
    message["payload"]["ttl_minutes"] = json!(121);
    let problem = posting(&message).unwrap_err();
    assert_eq!(places(&problem), ["payload.title", "payload.bounty_sats", "payload.ttl_minutes"]);
}

#[test]
fn the_terms_say_what_the_message_said() {
    let terms = posting(&delegation()).unwrap().terms(&[7; 20], Millis(300_000), Millis(600_000));
    assert_eq!(terms.buyer.as_str(), "buyer");
    assert_eq!(terms.task_type, "computation");
    assert_eq!(terms.task_params, r#"{"page":1}"#);
    assert_eq!(terms.lifetime, Millis::from_minutes(60));
    let other = posting(&with("/message_id", json!("post-2"))).unwrap();
    assert_ne!(other.terms(&[7; 20], Millis(300_000), Millis(600_000)).gig_id, terms.gig_id);
}

#[test]
fn an_a2a_message_says_the_same_as_the_envelope_inside_it() {
    let plain = delegation();
    let message = json!({
        "messageId": "post-1",
        "role": "ROLE_USER",
        "parts": [{
            "data": { "sender": "buyer", "type": "TaskDelegation", "payload": plain["payload"] },
            "mediaType": "application/json",
        }],
        "contextId": "c",
        "metadata": { "any": 1 },
    });
    for content_type in ["application/json", "application/a2a+json", "Application/JSON; charset=utf-8"] {
        let read = body(Some(content_type), &message.to_string()).unwrap();
        // Equal bodies make equal fingerprints, so a retry in the other form is the same message.
        assert_eq!(read, plain);
    }
}

#[test]
fn an_a2a_message_of_another_form_is_not_taken_for_an_envelope() {
    let part = json!({
        "data": { "sender": "buyer", "type": "TaskDelegation", "payload": delegation()["payload"] },
        "mediaType": "application/json",
    });
    let message = json!({ "messageId": "post-1", "role": "ROLE_USER", "parts": [part] });
    let changed = |place: &str, value: Value| {
        let mut message = message.clone();
        *message.pointer_mut(place).unwrap() = value;
        body(Some("application/json"), &message.to_string()).and_then(|value| posting(&value))
    };
    assert!(changed("/messageId", json!("post-1")).is_ok());
    for (place, value) in [
        ("/role", json!("ROLE_AGENT")),
        ("/role", json!("user")),
        ("/parts", json!([])),
        ("/parts", json!([part, part])),
        ("/parts/0", json!({ "text": "hello" })),
        ("/parts/0/mediaType", json!("text/plain")),
        ("/parts/0/data", json!("text")),
        ("/parts/0/data/sender", json!("")),
        ("/messageId", json!("")),
        ("/messageId", json!(1)),
    ] {
        let problem = changed(place, value.clone()).unwrap_err();
        assert!(!places(&problem).is_empty(), "{place} {value}");
    }
}
