//! Headers that say what was seen, and what is to be done once.

use api::inbound::metering::{operation, revision, seen_revision};
use serde_json::{Value, json};

#[test]
fn if_match_takes_an_etag_as_it_was_given() {
    assert_eq!(revision(None), Ok(None));
    assert_eq!(revision(Some("*")), Ok(None));
    assert_eq!(revision(Some(" \"3\" ")), Ok(Some(3)));
    assert_eq!(revision(Some("\"18446744073709551615\"")), Ok(Some(u64::MAX)));
    for text in
        ["", "3", "\"3", "W/\"3\"", "\"03\"", "\"+3\"", "\"3\",\"4\"", "\"18446744073709551616\"", "\"\""]
    {
        let problem = revision(Some(text)).unwrap_err();
        assert_eq!((problem.status, problem.code.as_str()), (400, "invalid_if_match"), "{text}");
    }
}

#[test]
fn what_must_have_been_seen_says_so() {
    assert_eq!(seen_revision(Some("\"3\"")), Ok(3));
    for header in [None, Some("*")] {
        let problem = seen_revision(header).unwrap_err();
        assert_eq!((problem.status, problem.code.as_str()), (428, "if_match_required"));
    }
}

#[test]
fn one_key_stands_for_one_request() {
    let ask = |kind, target, body: &Value| operation(Some("k-1"), kind, target, body).unwrap().unwrap();
    let (one, same) = (json!({ "a": 1, "b": [1, 2] }), json!({ "b": [1, 2], "a": 1 }));
    assert_eq!(ask("key.create", "", &one), ask("key.create", "", &same));
    let fingerprint = ask("key.create", "", &one).fingerprint;
    for other in [
        ask("key.rotate", "", &one),
        ask("key.create", "key_a", &one),
        ask("key.create", "", &json!({ "a": 1, "b": [2, 1] })),
        ask("key.create", "", &json!({ "a": 1, "b": [1, 2], "c": null })),
    ] {
        assert_ne!(other.fingerprint, fingerprint);
    }
    assert_eq!(operation(None, "key.create", "", &one), Ok(None));
    for key in ["", "a b", "ü", &"k".repeat(256)] {
        assert_eq!(operation(Some(key), "key.create", "", &one).unwrap_err().code, "invalid_idempotency_key");
    }
    assert!(operation(Some(&"k".repeat(255)), "key.create", "", &one).is_ok());
}
