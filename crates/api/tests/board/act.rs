//! Claims, lifecycle messages and reconnects.

use api::inbound::{act, claim, reconnect};
use gig::Command;
use primitives::{Digest, GigId};
use serde_json::{Value, json};

use crate::posting::places;

const ID: &str = "5f0c3f0e-3c5d-8a57-9a51-2f8e5a0a7d11";

fn gig() -> GigId {
    ID.parse().unwrap()
}

fn message(kind: &str, payload: Value) -> Value {
    json!({ "message_id": "m-1", "sender": "agent", "type": kind, "payload": payload })
}

/// The faults of an act, by place.
fn faults(kind: &str, payload: Value) -> Vec<String> {
    match act(&message(kind, payload), &gig(), Digest::ZERO) {
        Ok(_) => Vec::new(),
        Err(problem) => places(&problem).into_iter().map(str::to_owned).collect(),
    }
}

#[test]
fn every_act_becomes_its_command() {
    for (kind, is_its_own) in [
        ("TaskDelivery", (|command| matches!(command, Command::Deliver { .. })) as fn(&Command) -> bool),
        ("TaskAcceptance", |command| matches!(command, Command::Accept { .. })),
        ("TaskRevision", |command| matches!(command, Command::Revise { .. })),
        ("TaskCancellation", |command| matches!(command, Command::Cancel { .. })),
        ("TaskAbandonment", |command| matches!(command, Command::Abandon { .. })),
    ] {
        let message = message(kind, json!({ "gig_id": ID, "reason": "because" }));
        let command = act(&message, &gig(), Digest::ZERO).unwrap().command;
        assert!(is_its_own(&command), "{kind} became {command:?}");
    }
    for kind in ["", "TaskDelegation", "TaskClaim", "taskdelivery", "TaskPayment"] {
        assert_eq!(faults(kind, json!({ "gig_id": ID })), ["type"], "{kind}");
    }
}

#[test]
fn a_delivery_is_taken_at_every_bound_and_refused_beyond_it() {
    let url = |characters: usize| format!("https://a/{}", "x".repeat(characters - "https://a/".len()));
    for (name, good, bad) in [
        ("reason", json!("r".repeat(500)), json!("r".repeat(501))),
        ("result_hash", json!("0a".repeat(32)), json!("0A".repeat(32))),
        ("result_hash", json!("f".repeat(64)), json!("f".repeat(63))),
        ("result_hash", json!("0".repeat(64)), json!("g".repeat(64))),
        ("result", json!("x".repeat(9_998)), json!("x".repeat(9_999))),
        ("result", json!([1, { "a": null }]), json!({ "a": "x".repeat(10_000) })),
        ("result_url", json!(url(2_048)), json!(url(2_049))),
        ("result_url", json!("https://example.org"), json!("http://example.org")),
        ("result_url", json!("https://[::1]/x"), json!("https://")),
        ("result_url", json!("https://example.org/?q=1#a"), json!("https:///path")),
        ("result_url", json!("https://example.org/%20"), json!("https://example.org/a b")),
        ("result_url", json!("https://example.org/é"), json!("javascript:alert(1)")),
    ] {
        assert!(faults("TaskDelivery", json!({ "gig_id": ID, name: good })).is_empty(), "{name} {good}");
        let found = faults("TaskDelivery", json!({ "gig_id": ID, name: bad }));
        assert_eq!(found.first(), Some(&format!("payload.{name}")), "{bad}");
    }
}

#[test]
fn a_revision_needs_a_reason_and_the_others_do_not() {
    for kind in ["TaskDelivery", "TaskAcceptance", "TaskCancellation", "TaskAbandonment"] {
        assert!(faults(kind, json!({ "gig_id": ID })).is_empty(), "{kind}");
        assert!(faults(kind, json!({ "gig_id": ID, "reason": "" })).is_empty(), "{kind}");
        assert_eq!(faults(kind, json!({ "gig_id": ID, "reason": "r".repeat(501) })), ["payload.reason"]);
    }
    assert_eq!(faults("TaskRevision", json!({ "gig_id": ID })), ["payload.reason"]);
    assert_eq!(faults("TaskRevision", json!({ "gig_id": ID, "reason": "" })), ["payload.reason"]);
    assert_eq!(
        faults("TaskRevision", json!({ "gig_id": ID, "reason": "r".repeat(501) })),
        ["payload.reason"]
    );
    assert!(faults("TaskRevision", json!({ "gig_id": ID, "reason": "r".repeat(500) })).is_empty());
}

#[test]
fn an_act_names_the_gig_of_its_path_and_nothing_unknown() {
    let other = "5f0c3f0e-3c5d-8a57-9a51-2f8e5a0a7d12";
    for kind in ["TaskDelivery", "TaskAcceptance", "TaskRevision", "TaskCancellation", "TaskAbandonment"] {
        let payload = |gig: Value| json!({ "gig_id": gig, "reason": "r" });
        for bad in [json!(other), json!(""), json!("x"), json!(7)] {
            assert_eq!(faults(kind, payload(bad)), ["payload.gig_id"], "{kind}");
        }
        let unknown = json!({ "gig_id": ID, "reason": "r", "stars": 5 });
        assert_eq!(faults(kind, unknown), ["payload.stars"], "{kind}");
    }
}

#[test]
fn an_operation_is_scoped_by_sender_and_kind_and_knows_its_content() {
    let operation = |sender: &str, kind: &str, id: &str, reason: &str| {
        let value = json!({
            "message_id": id, "sender": sender, "type": kind, "payload": { "gig_id": ID, "reason": reason },
        });
        act(&value, &gig(), Digest::ZERO).unwrap().operation
    };
    let first = operation("a", "TaskAcceptance", "m", "r");
    assert_eq!(first, operation("a", "TaskAcceptance", "m", "r"));
    assert_ne!(first.key, operation("b", "TaskAcceptance", "m", "r").key);
    assert_ne!(first.key, operation("a", "TaskCancellation", "m", "r").key);
    assert_ne!(first.key, operation("a", "TaskAcceptance", "n", "r").key);
    assert_ne!(
        operation("a\",\"b", "TaskAcceptance", "m", "r").key,
        operation("a", "TaskAcceptance", "b\",\"m", "r").key
    );
    let other = operation("a", "TaskAcceptance", "m", "s");
    assert_eq!(first.key, other.key);
    assert_ne!(first.fingerprint, other.fingerprint);
}

#[test]
fn the_order_and_spacing_of_a_message_do_not_make_another() {
    let read = |text: &str| {
        let value = api::inbound::body(Some("application/json"), text).unwrap();
        act(&value, &gig(), Digest::ZERO).unwrap().operation
    };
    let one = format!(
        r#"{{"message_id":"m","sender":"a","type":"TaskAcceptance","payload":{{"gig_id":"{ID}","reason":"r"}}}}"#
    );
    let two = format!(
        r#" {{ "payload": {{ "reason": "r", "gig_id": "{ID}" }}, "type": "TaskAcceptance", "sender": "\u0061", "message_id": "m" }}"#
    );
    assert_eq!(read(&one), read(&two));
}

#[test]
fn a_claim_names_gig_sender_and_message() {
    let (id, by, message_id) = claim(&message("TaskClaim", json!({ "gig_id": ID }))).unwrap();
    assert_eq!((id, by.as_str(), message_id.as_str()), (gig(), "agent", "m-1"));
    for (payload, place) in [
        (json!({ "gig_id": "x" }), "payload.gig_id"),
        (json!({ "gig_id": null }), "payload.gig_id"),
        (json!({}), "payload.gig_id"),
        (json!({ "gig_id": ID, "bid": 1 }), "payload.bid"),
        (json!([ID]), "payload"),
        (json!(ID), "payload"),
        (json!(null), "payload"),
    ] {
        let problem = claim(&message("TaskClaim", payload)).unwrap_err();
        assert_eq!(places(&problem), [place]);
    }
    // An array in the order of the fields is not the message.
    let problem = claim(&json!(["m-1", "agent", "TaskClaim", { "gig_id": ID }])).unwrap_err();
    assert_eq!(places(&problem), ["body"]);
    let problem = claim(&message("TaskDelivery", json!({ "gig_id": ID }))).unwrap_err();
    assert_eq!(places(&problem), ["type"]);
}

#[test]
fn a_reconnect_names_seat_sender_and_message() {
    let good = json!({ "message_id": "m-1", "sender": "agent", "role": "worker" });
    assert!(reconnect(&good).is_ok());
    for (name, value) in [
        ("role", json!("Worker")),
        ("role", json!("observer")),
        ("role", json!(1)),
        ("sender", json!("")),
        ("message_id", json!("")),
        ("grant", json!("gld_grant_x")),
    ] {
        let mut body = good.clone();
        body[name] = value;
        assert_eq!(places(&reconnect(&body).unwrap_err()), [name]);
    }
    for name in ["role", "sender", "message_id"] {
        let mut body = good.clone();
        body.as_object_mut().unwrap().remove(name);
        assert_eq!(places(&reconnect(&body).unwrap_err()), [name]);
    }
    assert_eq!(places(&reconnect(&json!("x")).unwrap_err()), ["body"]);
}
