//! Tools that wait for a person: who is asked, what everyone else reads, and what the repeated call brings back.
//! Shapes are those of `InputRequiredResult`, `ElicitRequestURLParams` and `ElicitResult` of 2026-07-28.

use crate::fixture::{answered, legacy, meta, modern, modern_with, read, verdict};
use mcp::{Dispatch, ElicitAction, InputRequired, ToolCall, ToolContent, ToolOutcome, finish_call};
use serde_json::{Value, json, value::to_raw_value};

const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

fn call(dispatch: Dispatch) -> ToolCall {
    let Dispatch::Call(call) = dispatch else { panic!("no call: {dispatch:?}") };
    call
}

/// A modern call of a client that declares `capabilities`, with `more` beside name and arguments.
fn from(capabilities: &Value, more: Value) -> Dispatch {
    let (mut meta, mut params) = (meta(), more);
    meta[CAPABILITIES] = capabilities.clone();
    params["name"] = json!("get_time");
    modern_with(meta, "tools/call", params)
}

fn opens_urls() -> Value {
    json!({ "elicitation": { "form": {}, "url": {} } })
}

fn waiting(request_state: Option<&str>) -> ToolOutcome {
    let structured = to_raw_value(&json!({ "waits": true })).unwrap();
    ToolOutcome::InputRequired(InputRequired {
        message: "Only you may set the clock.".to_owned(),
        url: "https://clock.example/set".to_owned(),
        request_state: request_state.map(str::to_owned),
        otherwise: ToolContent {
            text: "It waits for https://clock.example/set.".to_owned(),
            structured: Some(structured),
        },
    })
}

#[test]
fn m6_a_client_that_opens_urls_is_asked_and_nothing_else_is_said() {
    let called = call(from(&opens_urls(), json!({})));
    assert!(called.opens_urls);
    let (status, body) = read(finish_call(&called, &waiting(Some("state ☀"))));
    assert_eq!(status, 200);
    let server = json!({ "name": "fixture", "title": "Fixture", "version": "1.2.3" });
    let mut expected = json!({
        "resultType": "input_required",
        "inputRequests": { "visit": {
            "method": "elicitation/create",
            "params": {
                "mode": "url",
                "message": "Only you may set the clock.",
                "url": "https://clock.example/set",
            },
        } },
        "requestState": "state ☀",
        "_meta": { "io.modelcontextprotocol/serverInfo": server },
    });
    assert_eq!(body, json!({ "jsonrpc": "2.0", "id": 7, "result": expected }));

    // Without a state there is none to send back.
    expected.as_object_mut().unwrap().remove("requestState");
    let (_, body) = read(finish_call(&called, &waiting(None)));
    assert_eq!(body["result"], expected);
}

#[test]
fn m6_every_other_client_reads_that_it_waits_in_a_result_that_is_no_error() {
    let cannot = [
        json!({}),
        json!({ "elicitation": {} }),
        json!({ "elicitation": { "form": {} } }),
        json!({ "elicitation": { "url": true } }),
        json!({ "elicitation": { "url": null } }),
        json!({ "elicitation": "url" }),
        json!({ "url": {} }),
    ];
    let modern_calls = cannot.iter().map(|capabilities| ("modern", from(capabilities, json!({}))));
    // What a legacy client declares belongs to `initialize`, which is forgotten.
    let legacy_call = legacy("tools/call", json!({ "name": "get_time", "capabilities": opens_urls() }));
    for (era, dispatched) in modern_calls.chain([("legacy", legacy_call)]) {
        let called = call(dispatched);
        assert!(!called.opens_urls, "{called:?}");
        let (status, body) = read(finish_call(&called, &waiting(Some("state"))));
        let result = &body["result"];
        assert_eq!((status, &result["isError"]), (200, &json!(false)), "{body}");
        assert_eq!(result["content"][0]["text"], json!("It waits for https://clock.example/set."));
        assert_eq!(result["structuredContent"], json!({ "waits": true }));
        assert_eq!(result.get("resultType"), (era == "modern").then_some(&json!("complete")), "{body}");
        assert_eq!((result.get("inputRequests"), result.get("requestState")), (None, None), "{body}");
    }
}

#[test]
fn m7_what_a_repeated_call_brings_back_reaches_the_caller_as_it_was_sent() {
    let answer = |action: &str| json!({ "visit": { "action": action } });
    for (responses, action) in [
        (answer("accept"), Some(ElicitAction::Accept)),
        (answer("decline"), Some(ElicitAction::Decline)),
        (answer("cancel"), Some(ElicitAction::Cancel)),
        // What was not asked for is ignored, and what is missing is asked for again.
        (
            json!({ "visit": { "action": "accept", "content": { "pin": "1" } }, "more": 7 }),
            Some(ElicitAction::Accept),
        ),
        (json!({ "more": { "action": "accept" } }), None),
        (json!({}), None),
    ] {
        let more = json!({ "arguments": { "zone": "UTC" }, "inputResponses": responses, "requestState": "" });
        let called = call(from(&opens_urls(), more));
        assert_eq!((called.action, called.request_state.as_deref()), (action, Some("")), "{responses}");
        assert_eq!(called.arguments["zone"], json!("UTC"));
    }
    let first = call(modern("tools/call", json!({ "name": "get_time" })));
    assert_eq!((first.action, first.request_state), (None, None));
}

#[test]
fn m7_what_has_not_the_shape_of_a_response_is_refused() {
    let misshapen = [
        json!({ "inputResponses": null }),
        json!({ "inputResponses": [] }),
        json!({ "inputResponses": { "visit": null } }),
        json!({ "inputResponses": { "visit": "accept" } }),
        json!({ "inputResponses": { "visit": {} } }),
        json!({ "inputResponses": { "visit": { "action": "approve" } } }),
        json!({ "inputResponses": { "visit": { "action": true } } }),
        json!({ "requestState": null }),
        json!({ "requestState": {} }),
        json!({ "requestState": 7 }),
    ];
    for more in misshapen {
        assert_eq!(verdict(from(&opens_urls(), more.clone())), (200, -32602), "{more}");
        let (_, body) = read(answered(from(&opens_urls(), more)));
        assert_eq!(body["id"], json!(7));
    }
}

#[test]
fn m7_a_legacy_call_brings_nothing_back() {
    for more in [json!({ "visit": { "action": "accept" } }), json!(7)] {
        let params = json!({ "name": "get_time", "inputResponses": more, "requestState": more });
        let called = call(legacy("tools/call", params));
        assert_eq!((called.action, called.request_state), (None, None));
    }
}
