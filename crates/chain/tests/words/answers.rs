//! The envelope of an answer.

use chain::limits::ANSWER_BYTES;
use chain::rpc::{Fault, answers};
use serde_json::{Value, json};

fn ok(id: u64, result: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "result": result })
}

fn fault(message: &str) -> Fault {
    Fault { code: -32_000, message: message.into(), data: None }
}

fn error(id: Value, message: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": -32_000, "message": message } })
}

// C2
#[test]
fn replies_find_their_questions_in_any_order() {
    let text = json!([ok(2, "c"), error(json!(0), "no"), ok(1, "b")]).to_string();
    assert_eq!(answers(&text, 3), Ok(vec![Err(fault("no")), Ok(json!("b")), Ok(json!("c"))]));
    assert_eq!(answers(&ok(0, "a").to_string(), 1), Ok(vec![Ok(json!("a"))]));
    // A batch of one, though one was not asked as a batch.
    assert_eq!(answers(&json!([ok(0, "a")]).to_string(), 1), Ok(vec![Ok(json!("a"))]));
    assert_eq!(answers(&json!({ "id": 0, "result": null }).to_string(), 1), Ok(vec![Ok(Value::Null)]));
}

#[test]
fn a_single_fault_answers_every_question() {
    for id in [json!(null), json!(0), json!(7)] {
        let text = error(id, "batch too long").to_string();
        assert_eq!(answers(&text, 3), Ok(vec![Err(fault("batch too long")); 3]));
    }
    let unread = json!({ "error": { "code": -32_000, "message": "parse error" } }).to_string();
    assert_eq!(answers(&unread, 1), Ok(vec![Err(fault("parse error"))]));
    assert_eq!(answers(&error(json!(0), "no").to_string(), 1), Ok(vec![Err(fault("no"))]));
}

#[test]
fn a_null_beside_a_word_counts_as_absent() {
    let result = json!({ "id": 0, "result": "0x1", "error": null }).to_string();
    assert_eq!(answers(&result, 1), Ok(vec![Ok(json!("0x1"))]));
    let fails = json!({ "id": 0, "result": null, "error": { "code": -32_000, "message": "no" } }).to_string();
    assert_eq!(answers(&fails, 1), Ok(vec![Err(fault("no"))]));
}

// C2
#[test]
fn what_does_not_answer_each_question_once_is_refused() {
    let both = json!({ "id": 0, "result": "0x1", "error": { "code": 1, "message": "no" } });
    for (why, answer, count) in [
        ("another id", ok(1, "a"), 1),
        ("a text as id", json!({ "id": "0", "result": "a" }), 1),
        ("a negative id", json!({ "id": -1, "result": "a" }), 1),
        ("a fraction as id", json!({ "id": 0.5, "result": "a" }), 1),
        ("no id", json!({ "result": "a" }), 1),
        ("a fault for another id", error(json!(1), "no"), 1),
        ("neither result nor error", json!({ "id": 0 }), 1),
        ("only an error, and null", json!({ "id": 0, "error": null }), 1),
        ("result and error", both.clone(), 1),
        ("result and error for all", both, 2),
        ("an error that is a text", json!({ "id": 0, "error": "no" }), 1),
        ("an id twice", json!([ok(0, "a"), ok(0, "a")]), 2),
        ("an id twice and every other", json!([ok(0, "a"), ok(1, "b"), ok(0, "c")]), 2),
        ("an id too many", json!([ok(0, "a"), ok(1, "b")]), 1),
        ("an id too few", json!([ok(0, "a")]), 2),
        ("one result for two", ok(0, "a"), 2),
        ("a fault without id in a batch", json!([ok(0, "a"), error(json!(null), "no")]), 2),
        ("a reply to nothing", json!([ok(0, "a")]), 0),
        ("an empty batch", json!([]), 1),
        ("null", json!(null), 1),
        ("a text", json!("0x1"), 1),
        ("a batch in a batch", json!([[ok(0, "a")]]), 1),
    ] {
        assert!(answers(&answer.to_string(), count).is_err(), "{why} was taken for an answer");
    }
    for text in ["", "{", "<html>502 Bad Gateway</html>", "{\"id\":0,\"result\":1}x"] {
        assert!(answers(text, 1).is_err(), "{text}");
    }
    assert_eq!(answers("[]", 0), Ok(vec![]));
}

// C1
#[test]
fn a_long_answer_is_refused_before_it_is_parsed() {
    let with = |padding: usize| format!("{{\"id\":0,\"result\":\"{}\"}}", "a".repeat(padding));
    let longest = ANSWER_BYTES - with(0).len();
    assert!(answers(&with(longest), 1).is_ok());
    let refusal = answers(&with(longest + 1), 1).unwrap_err();
    assert_eq!(refusal.to_string(), "is not a valid JSON-RPC answer: at most 1 MiB");
    assert!(answers(&"[".repeat(10_000), 1).is_err(), "deep nesting");
}
