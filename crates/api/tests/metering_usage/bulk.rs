//! Many events at once.

use serde_json::json;

use crate::cast::{BATCH, JSON, STRUCTURED, places, send, send_many};

#[test]
fn what_cannot_be_read_says_so_and_spoils_nothing_else() {
    let body = json!({ "items": [
        { "agent": "a", "serviceId": "s", "quantity": 1, "id": "e1" },
        { "agent": "a", "serviceId": "s", "quantity": 1.5, "id": "e2", "source": "/gw" },
        7,
        { "agent": "a::b", "serviceId": "", "quantity": 1 },
        { "agent": "a", "serviceId": "s", "quantity": "2" },
    ] });
    let read = send_many(JSON, &body.to_string()).unwrap();
    let good: Vec<bool> = read.iter().map(Result::is_ok).collect();
    assert_eq!(good, [true, false, false, false, true]);
    let alone = send(JSON, &[], r#"{"agent":"a","serviceId":"s","quantity":1,"id":"e1"}"#).unwrap();
    assert_eq!(read[0].as_ref().unwrap(), &alone, "an item is what it would be alone");

    let fault = |at: usize| read[at].as_ref().unwrap_err();
    assert_eq!(fault(1).error.field.as_deref(), Some("quantity"));
    let event = fault(1).event.as_ref().unwrap();
    assert_eq!((event.source.as_str(), event.id.as_str()), ("/gw", "e2"));
    assert_eq!((fault(2).event.is_none(), fault(2).error.field.as_deref()), (true, Some("body")));
    assert!(fault(3).error.detail.contains("`agent`") && fault(3).error.detail.contains("`serviceId`"));
    assert!(read.iter().flat_map(Result::as_ref).all(|usage| usage.key.source.as_str() == "api"));
    // Items without a name have each their own.
    assert_eq!(read[4].as_ref().unwrap().key.id.as_str(), "a4dqobyha4dqobyha4dqobyha4:4");
}

#[test]
fn a_batch_of_cloud_events_is_a_bulk() {
    let event = |id: &str, version: &str| {
        json!({ "specversion": version, "type": "t", "id": id, "source": "/s", "subject": "a",
            "data": { "serviceId": "s", "quantity": 1 } })
    };
    let batch = json!([event("e1", "1.0"), event("e2", "2.0"), event("e3", "1.0")]).to_string();
    let read = send_many(BATCH, &batch).unwrap();
    let good: Vec<bool> = read.iter().map(Result::is_ok).collect();
    assert_eq!(good, [true, false, true]);
    assert_eq!(send(STRUCTURED, &[], &event("e1", "1.0").to_string()).unwrap(), *read[0].as_ref().unwrap());
    assert_eq!(places(&send_many(BATCH, "{}").unwrap_err()), ["body"]);
    assert_eq!(send_many(STRUCTURED, &batch).unwrap_err().status, 415);
}

#[test]
fn a_bulk_has_events_and_not_too_many() {
    for (body, place) in [
        ("[]", "body"),
        ("{}", "items"),
        (r#"{"items":[]}"#, "items"),
        (r#"{"items":{}}"#, "items"),
        (r#"{"items":[{}],"more":1}"#, "more"),
    ] {
        let problem = send_many(JSON, body).unwrap_err();
        assert_eq!((problem.status, places(&problem)), (400, vec![place]), "{body}");
    }
    let many = |count: usize| json!({ "items": vec![json!({}); count] }).to_string();
    assert_eq!(send_many(JSON, &many(1_000)).unwrap().len(), 1_000);
    let problem = send_many(JSON, &many(1_001)).unwrap_err();
    assert_eq!((problem.status, problem.code.as_str()), (422, "bulk_too_large"));
}
