//! Tools and resources: lists, calls and reads, in both eras.

use crate::fixture::{answered, legacy, modern, read, verdict};
use mcp::{Dispatch, NotFound, ResourceRead, ToolCall, ToolContent, ToolOutcome, finish_call, finish_read};
use serde_json::{Value, json, value::to_raw_value};

type Ask = fn(&str, Value) -> Dispatch;
const ERAS: [(&str, Ask); 2] = [("legacy", legacy), ("modern", modern)];

fn call(dispatch: Dispatch) -> ToolCall {
    let Dispatch::Call(call) = dispatch else { panic!("no call: {dispatch:?}") };
    call
}

fn resource_read(dispatch: Dispatch) -> ResourceRead {
    let Dispatch::Read(read) = dispatch else { panic!("no read: {dispatch:?}") };
    read
}

/// M3: what a modern result carries beside its content, and a legacy one does not.
fn assert_marks(era: &str, result: &Value, kept: bool) {
    let modern = era == "modern";
    assert_eq!(result.get("resultType"), modern.then_some(&json!("complete")), "{era}: {result}");
    assert_eq!(
        result.pointer("/_meta/io.modelcontextprotocol~1serverInfo/name"),
        modern.then_some(&json!("fixture")),
        "{era}: {result}"
    );
    assert_eq!(result.get("ttlMs"), (modern && kept).then_some(&json!(60_000)), "{era}: {result}");
    assert_eq!(result.get("cacheScope"), (modern && kept).then_some(&json!("public")), "{era}: {result}");
}

#[test]
fn lists_are_whole_and_alike_in_both_eras() {
    let tool = json!([{
        "name": "get_time",
        "title": "Time",
        "description": "Tells the time.",
        "inputSchema": { "type": "object", "additionalProperties": false, "properties": {} },
        "annotations": {
            "title": "Time",
            "readOnlyHint": true,
            "destructiveHint": false,
            "idempotentHint": true,
            "openWorldHint": false,
        },
    }]);
    let resource = json!([{
        "uri": "fixture://clock",
        "name": "clock",
        "title": "Clock",
        "description": "What time is it?",
        "mimeType": "text/plain",
    }]);
    for (era, ask) in ERAS {
        for (method, key, items) in [
            ("tools/list", "tools", &tool),
            ("resources/list", "resources", &resource),
            ("resources/templates/list", "resourceTemplates", &json!([])),
        ] {
            let (status, body) = read(answered(ask(method, json!({}))));
            assert_eq!((status, &body["result"][key]), (200, items), "{era} {method}");
            assert_eq!(body["result"].get("nextCursor"), None);
            assert_marks(era, &body["result"], true);
            // Pagination: no cursor was ever given out, and the empty one is a cursor too.
            for cursor in [json!("2"), json!(""), json!(null), json!(7)] {
                assert_eq!(
                    verdict(ask(method, json!({ "cursor": cursor }))),
                    (200, -32602),
                    "{era} {method}"
                );
            }
        }
    }
}

#[test]
fn a_call_reaches_the_caller_with_its_arguments() {
    for (era, ask) in ERAS {
        assert_eq!(call(ask("tools/call", json!({ "name": "get_time" }))).arguments.len(), 0, "{era}");
        let called = call(ask("tools/call", json!({ "name": "get_time", "arguments": { "zone": "UTC" } })));
        assert_eq!((called.name, &called.arguments["zone"]), ("get_time", &json!("UTC")), "{era}");
        for misshapen in [
            json!({}),
            json!({ "name": 7 }),
            json!({ "name": "no_such_tool" }),
            json!({ "name": "get_time", "arguments": [] }),
            json!({ "name": "get_time", "arguments": null }),
        ] {
            assert_eq!(verdict(ask("tools/call", misshapen.clone())), (200, -32602), "{era} {misshapen}");
        }
    }
}

#[test]
fn an_outcome_becomes_a_result_and_a_failed_one_too() {
    for (era, ask) in ERAS {
        let called = call(ask("tools/call", json!({ "name": "get_time" })));
        let structured = to_raw_value(&json!({ "now": "12:00 ☀" })).unwrap();
        let content =
            ToolContent { text: "{\"now\":\"12:00 ☀\"}".to_owned(), structured: Some(structured) };
        let (status, body) = read(finish_call(&called, &ToolOutcome::Succeeded(content)));
        assert_eq!((status, &body["id"]), (200, &json!(7)), "{era}");
        let result = &body["result"];
        assert_eq!(result["content"], json!([{ "type": "text", "text": "{\"now\":\"12:00 ☀\"}" }]));
        assert_eq!(result["structuredContent"], json!({ "now": "12:00 ☀" }));
        assert_eq!(result["isError"], json!(false));
        assert_marks(era, result, false);

        let failed = ToolOutcome::Failed(ToolContent::text("The clock has stopped."));
        let (status, body) = read(finish_call(&called, &failed));
        assert_eq!((status, &body["result"]["isError"]), (200, &json!(true)), "{era}");
        assert_eq!(body["result"].get("structuredContent"), None);
        assert_marks(era, &body["result"], false);
    }
}

#[test]
fn a_resource_is_read_or_said_to_be_missing() {
    for (era, ask, missing) in [("legacy", legacy as Ask, -32002), ("modern", modern as Ask, -32602)] {
        let asked = resource_read(ask("resources/read", json!({ "uri": "fixture://clock" })));
        let (status, body) = read(finish_read(&asked, Ok("noon")));
        assert_eq!(status, 200);
        assert_eq!(
            body["result"]["contents"],
            json!([{ "uri": "fixture://clock", "mimeType": "text/plain", "text": "noon" }])
        );
        assert_marks(era, &body["result"], true);

        let gone = read(finish_read(&asked, Err(NotFound)));
        let unknown = read(answered(ask("resources/read", json!({ "uri": "fixture://nothing" }))));
        for ((status, body), uri) in [(gone, "fixture://clock"), (unknown, "fixture://nothing")] {
            assert_eq!((status, &body["error"]["code"]), (200, &json!(missing)), "{era}");
            assert_eq!(body["error"]["data"], json!({ "uri": uri }), "{era}");
        }
        assert_eq!(verdict(ask("resources/read", json!({}))), (200, -32602), "{era}");
    }
}
