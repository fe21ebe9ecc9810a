//! M5: whatever arrives, there is an answer.

use crate::fixture::{meta, server};
use mcp::{Dispatch, InputRequired, Request, ToolContent, ToolOutcome, dispatch, finish_call, finish_read};
use proptest::prelude::*;
use serde_json::{Value, json};

/// JSON of any shape, a few levels deep.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::hash_map("[a-z_/]{0,8}", inner, 0..6)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

/// Something that nearly is a request: words of the protocol in their places, one place filled with anything.
fn near_request() -> impl Strategy<Value = String> {
    let words = ["initialize", "server/discover", "tools/list", "tools/call", "resources/read", "ping", "x"];
    let places = [
        "id",
        "method",
        "params",
        "jsonrpc",
        "name",
        "uri",
        "_meta",
        "arguments",
        "inputResponses",
        "requestState",
        "nothing",
    ];
    (prop::sample::select(words.to_vec()), prop::sample::select(places.to_vec()), any::<bool>(), any_json())
        .prop_map(|(method, place, modern, anything)| {
            let mut body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": {
                "name": "get_time", "uri": "fixture://clock", "protocolVersion": "2025-11-25",
            } });
            if modern {
                body["params"]["_meta"] = meta();
            }
            if body.get(place).is_some() {
                body[place] = anything
            } else {
                body["params"][place] = anything
            }
            body.to_string()
        })
}

fn check(request: &Request<'_>) {
    let answer = match dispatch(request, &server()) {
        Dispatch::Answer(answer) => answer,
        Dispatch::Call(call) => {
            let otherwise = ToolContent::text("It waits.");
            let (message, url) = ("Please look.".to_owned(), "https://fixture.example/".to_owned());
            let request_state = call.request_state.clone();
            let input = InputRequired { message, url, request_state, otherwise };
            finish_call(&call, &ToolOutcome::InputRequired(input))
        }
        Dispatch::Read(read) => finish_read(&read, Ok("text")),
    };
    assert!(matches!(answer.status, 200 | 202 | 400 | 404), "{}", answer.status);
    match answer.body {
        Some(body) => {
            let body: Value = serde_json::from_str(&body).unwrap();
            assert_eq!(body["jsonrpc"], json!("2.0"));
            assert_eq!(body.get("result").is_some(), body.get("error").is_none(), "{body}");
        }
        None => assert_eq!(answer.status, 202),
    }
}

proptest! {
    #[test]
    fn any_text_has_an_answer(
        body in "\\PC*", version in prop::option::of(".*"), method in prop::option::of(".*"), name in prop::option::of(".*"),
    ) {
        check(&Request {
            protocol_version: version.as_deref(),
            mcp_method: method.as_deref(),
            mcp_name: name.as_deref(),
            body: &body,
        });
    }

    #[test]
    fn what_nearly_is_a_request_has_an_answer(
        body in near_request(),
        version in prop::option::of(prop::sample::select(vec!["2026-07-28", "2025-11-25", "x"])),
        name in prop::option::of("(=\\?base64\\?)?[ -~]{0,12}(\\?=)?"),
    ) {
        check(&Request {
            protocol_version: version,
            mcp_method: Some("tools/call"),
            mcp_name: name.as_deref(),
            body: &body,
        });
    }
}

#[test]
fn depth_is_bounded_by_the_parser() {
    for depth in [100, 127, 128, 200, 100_000] {
        let body = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"nonsense","params":{{"a":{}{}}}}}"#,
            "[".repeat(depth),
            "]".repeat(depth)
        );
        check(&Request { body: &body, ..Request::default() });
    }
}
