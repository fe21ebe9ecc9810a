//! One event, in each of its forms.

use api::inbound::metering::{Naming, reversal};
use primitives::{Digest, UnixMillis};
use serde_json::{Value, json};
use tariff::Quantity;

use crate::cast::{BATCH, JSON, STRUCTURED, but, places, send, send_keyed};

fn plain() -> Value {
    json!({
        "agent": "agent-1", "serviceId": "search", "quantity": "2.5", "id": "e1", "source": "/gateway/eu",
        "time": "2026-11-30T10:00:00.250+01:00",
    })
}

fn structured() -> Value {
    json!({
        "specversion": "1.0", "type": "com.example.usage", "id": "e1", "source": "/gateway/eu", "subject": "agent-1",
        "time": "2026-11-30T10:00:00.250+01:00", "datacontenttype": "application/json", "someextension": 7,
        "data": { "serviceId": "search", "quantity": "2.5" },
    })
}

#[test]
fn every_form_of_an_event_says_the_same() {
    let told = send(JSON, &[], &plain().to_string()).unwrap();
    assert_eq!((told.agent.as_str(), told.service.as_str()), ("agent-1", "search"));
    assert_eq!((told.key.source.as_str(), told.key.id.as_str()), ("/gateway/eu", "e1"));
    assert_eq!(told.quantity, Quantity(2_500_000));
    assert_eq!(told.at, Some(UnixMillis(1_796_029_200_250)));

    assert_eq!(send(STRUCTURED, &[], &structured().to_string()).unwrap(), told);
    let in_data = json!({ "agent": "agent-1", "serviceId": "search", "requests": "2.5" });
    let elsewhere = but(&but(&structured(), "subject", None), "data", Some(in_data));
    assert_eq!(send(STRUCTURED, &[], &elsewhere.to_string()).unwrap(), told);
    let headers = [
        ("ce-specversion", "1.0"),
        ("ce-type", "com.example.usage"),
        ("ce-id", "e%31"),
        ("ce-source", "/gateway/eu"),
        ("ce-subject", "agent-1"),
        ("ce-time", "2026-11-30T10:00:00.250%2B01:00"),
    ];
    assert_eq!(send(JSON, &headers, r#"{"serviceId":"search","quantity":"2.5"}"#).unwrap(), told);
    let aliased = but(&but(&plain(), "quantity", None), "requests", Some("2.5".into()));
    assert_eq!(send(JSON, &[], &aliased.to_string()).unwrap(), told);
}

/// The fingerprint is SHA-256 of canonical JSON as anyone can write it.
#[test]
fn a_fingerprint_is_that_of_the_canonical_json() {
    let told = send(JSON, &[], &plain().to_string()).unwrap();
    let says = json!({
        "time": "2026-11-30T10:00:00.250+01:00", "serviceId": "search", "agent": "agent-1", "quantity": "2.5",
    });
    assert_eq!(told.fingerprint, Digest::of_json(&says).unwrap());
    let untimed = send(JSON, &[], &but(&plain(), "time", None).to_string()).unwrap();
    assert_eq!(untimed.fingerprint, Digest::of_json(&but(&says, "time", Some(Value::Null))).unwrap());

    for (field, value) in [
        ("agent", json!("agent-2")),
        ("serviceId", json!("other")),
        ("quantity", json!("2.500001")),
        ("time", json!("2026-11-30T09:00:00.250Z")),
    ] {
        let other = send(JSON, &[], &but(&plain(), field, Some(value)).to_string()).unwrap();
        assert_ne!(other.fingerprint, told.fingerprint, "{field}");
    }
    // One quantity has many texts and numbers, and is one quantity.
    let whole = send(JSON, &[], &but(&plain(), "quantity", Some(json!(3))).to_string()).unwrap();
    let text = send(JSON, &[], &but(&plain(), "quantity", Some(json!("3.0"))).to_string()).unwrap();
    assert_eq!(whole, text);
}

#[test]
fn an_event_without_a_name_is_called_by_its_key_or_afresh() {
    let unnamed = but(&but(&plain(), "id", None), "source", None).to_string();
    let keyed = send_keyed("9f0c", &unnamed).unwrap();
    assert_eq!((keyed.key.source.as_str(), keyed.key.id.as_str()), ("api", "key:9f0c"));
    let fresh = send(JSON, &[], &unnamed).unwrap();
    assert_eq!(fresh.key.id.as_str(), "a4dqobyha4dqobyha4dqobyha4");
    assert_eq!(send_keyed("9f0c", &plain().to_string()).unwrap().key.id.as_str(), "e1");
    assert!(send_keyed(&"k".repeat(118), &unnamed).is_ok());
    for bad in ["", " ", "a b", "schlüssel", &"k".repeat(119)] {
        assert_eq!(Naming::new(Some(bad), [0; 16]).err().unwrap().code, "invalid_idempotency_key", "{bad:?}");
    }
}

#[test]
fn each_fault_of_an_event_is_named_by_its_place() {
    let cases = [
        ("agent", json!("a::b")),
        ("agent", json!("a\u{1f}b")),
        ("agent", json!("a/b")),
        ("agent", json!("")),
        ("agent", json!("a".repeat(257))),
        ("agent", json!(7)),
        ("serviceId", json!("s b")),
        ("serviceId", json!("s".repeat(129))),
        ("serviceId", Value::Null),
        ("quantity", json!(-1)),
        ("quantity", json!(1.5)),
        ("quantity", json!(1e3)),
        ("quantity", json!(9_007_199_254_740_992_u64)),
        ("quantity", json!("-1")),
        ("quantity", json!("+1")),
        ("quantity", json!("1e3")),
        ("quantity", json!("01")),
        ("quantity", json!("1.")),
        ("quantity", json!(".5")),
        ("quantity", json!("0.0000001")),
        ("quantity", json!("NaN")),
        ("quantity", json!("")),
        ("quantity", json!(true)),
        ("quantity", json!([1])),
        ("id", json!("with space")),
        ("id", json!("i".repeat(129))),
        ("source", json!("")),
        ("source", json!("s".repeat(257))),
        ("time", json!("yesterday")),
        ("time", json!("2026-02-29T00:00:00Z")),
        ("time", json!(1_796_029_200)),
        ("unknown", json!(1)),
    ];
    for (field, value) in cases {
        let problem = send(JSON, &[], &but(&plain(), field, Some(value.clone())).to_string()).unwrap_err();
        assert_eq!((problem.status, places(&problem)), (400, vec![field]), "{field}: {value}");
    }
    for field in ["agent", "serviceId", "quantity"] {
        let problem = send(JSON, &[], &but(&plain(), field, None).to_string()).unwrap_err();
        assert_eq!(places(&problem), [field], "without {field}");
    }
    // All of them at once.
    let all = json!({ "agent": "a b", "serviceId": "", "quantity": "x", "id": "", "source": "", "time": "" });
    let problem = send(JSON, &[], &all.to_string()).unwrap_err();
    assert_eq!(places(&problem), ["agent", "serviceId", "quantity", "source", "id", "time"]);
    // A quantity that readers of JSON round is told how to be written.
    let fraction = send(JSON, &[], &but(&plain(), "quantity", Some(json!(1.5))).to_string()).unwrap_err();
    assert!(fraction.errors.iter().any(|fault| fault.message.contains("\"1.5\"")), "{fraction:?}");
    let largest = but(&plain(), "quantity", Some(json!(9_007_199_254_740_991_u64)));
    assert_eq!(
        send(JSON, &[], &largest.to_string()).unwrap().quantity,
        Quantity::whole(9_007_199_254_740_991)
    );
}

#[test]
fn a_body_that_is_none_is_refused_as_a_whole() {
    for body in ["", "{", "[]", "7", r#"{"agent":"a","agent":"b","serviceId":"s","quantity":1}"#] {
        let problem = send(JSON, &[], body).unwrap_err();
        assert_eq!((problem.status, places(&problem)), (400, vec!["body"]), "{body}");
    }
    for media_type in
        ["", "text/plain", "application/x-www-form-urlencoded", "application/cloudevents", BATCH]
    {
        let problem = send(media_type, &[], &plain().to_string()).unwrap_err();
        assert_eq!((problem.status, problem.code.as_str()), (415, "unsupported_media_type"), "{media_type}");
    }
    let large = format!("{}{}", plain(), " ".repeat(1 << 20));
    assert_eq!(send(JSON, &[], &large).unwrap_err().status, 413);
    let doubled = r#"{"agent":"a","serviceId":"s","quantity":1,"requests":2}"#;
    assert_eq!(send(JSON, &[], doubled).unwrap_err().status, 400);
}

#[test]
fn a_cloud_event_needs_what_its_specification_asks_for() {
    let data = |value: Value| but(&structured(), "data", Some(value));
    let changed = |field: &str, value: Value| but(&structured(), field, Some(value));
    let cases = [
        ("specversion", but(&structured(), "specversion", None)),
        ("specversion", changed("specversion", json!("0.3"))),
        ("id", but(&structured(), "id", None)),
        ("id", changed("id", json!(""))),
        ("source", but(&structured(), "source", None)),
        ("source", changed("source", json!(""))),
        ("type", but(&structured(), "type", None)),
        ("type", changed("type", json!(""))),
        ("subject", but(&structured(), "subject", None)),
        ("subject", changed("subject", json!("a::b"))),
        ("time", changed("time", json!("soon"))),
        ("datacontenttype", changed("datacontenttype", json!("text/plain"))),
        ("data", but(&structured(), "data", None)),
        ("data", data(json!("x"))),
        ("data.serviceId", data(json!({ "quantity": 1 }))),
        ("data.serviceId", data(json!({ "serviceId": "a b", "quantity": 1 }))),
        ("data.quantity", data(json!({ "serviceId": "s", "quantity": 0.5 }))),
        ("data.quantity", data(json!({ "serviceId": "s", "quantity": "x" }))),
        ("data.agent", data(json!({ "serviceId": "s", "quantity": 1, "agent": "another" }))),
        ("data.more", data(json!({ "serviceId": "s", "quantity": 1, "more": 1 }))),
        ("data_base64", changed("data_base64", json!("e30="))),
    ];
    for (field, event) in cases {
        let problem = send(STRUCTURED, &[], &event.to_string()).unwrap_err();
        assert_eq!((problem.status, places(&problem)), (400, vec![field]), "{event}");
    }
    let binary = |name: &str, value: Option<&str>| {
        let all = [
            ("ce-specversion", "1.0"),
            ("ce-type", "t"),
            ("ce-id", "e1"),
            ("ce-source", "/s"),
            ("ce-subject", "a"),
        ];
        let mut headers: Vec<(&str, &str)> = all.into_iter().filter(|(known, _)| *known != name).collect();
        headers.extend(value.map(|value| (name, value)));
        send(JSON, &headers, r#"{"serviceId":"s","quantity":1}"#)
    };
    assert!(binary("ce-other", None).is_ok());
    for (name, value) in [
        ("ce-id", None),
        ("ce-source", None),
        ("ce-type", None),
        ("ce-subject", None),
        ("ce-specversion", Some("1.1")),
        ("ce-id", Some("%zz")),
        ("ce-id", Some("%ff")),
        ("ce-id", Some("e%2")),
        ("ce-id", Some("a%20b")),
        ("ce-time", Some("now")),
    ] {
        let problem = binary(name, value).unwrap_err();
        assert_eq!((problem.status, places(&problem)), (400, vec![name]), "{name}: {value:?}");
    }
}

#[test]
fn a_reversal_names_another_event_and_is_called_after_it() {
    let body = json!({ "agent": "a", "serviceId": "s", "reverses": { "id": "e1", "source": "/gw" } });
    let read = reversal(&body).unwrap();
    assert_eq!((read.of.source.as_str(), read.of.id.as_str()), ("/gw", "e1"));
    assert_eq!(read.key.source.as_str(), "api");
    assert_eq!(reversal(&body).unwrap(), read, "asked for twice it is the same reversal");
    let says = json!({ "agent": "a", "serviceId": "s", "reverses": { "id": "e1", "source": "/gw" } });
    assert_eq!(read.fingerprint, Digest::of_json(&says).unwrap());
    let other = json!({ "agent": "a", "serviceId": "s", "reverses": { "id": "e2", "source": "/gw" } });
    assert_ne!(reversal(&other).unwrap().key, read.key);
    let own = but(&but(&body, "id", Some("r1".into())), "source", Some("/mine".into()));
    assert_eq!(reversal(&own).unwrap().key.id.as_str(), "r1");

    for (field, bad) in [
        ("id", but(&but(&body, "id", Some("e1".into())), "source", Some("/gw".into()))),
        ("reverses", but(&body, "reverses", None)),
        ("reverses.id", but(&body, "reverses", Some(json!({ "id": "" })))),
        ("reverses.source", but(&body, "reverses", Some(json!({ "id": "e", "source": "" })))),
        ("reverses.more", but(&body, "reverses", Some(json!({ "id": "e", "more": "" })))),
        ("agent", but(&body, "agent", Some("a b".into()))),
        ("quantity", but(&body, "quantity", Some(1.into()))),
    ] {
        assert_eq!(places(&reversal(&bad).unwrap_err()), [field], "{bad}");
    }
}
