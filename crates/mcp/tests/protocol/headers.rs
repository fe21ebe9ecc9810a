//! What the headers of a modern request owe to its body (M4): the specification's "standard request headers".

use crate::fixture::{answered, body, meta, read, server, verdict};
use mcp::{Dispatch, Request, dispatch};
use serde_json::{Value, json};

const VERSION: Option<&str> = Some("2026-07-28");

fn tool_call(meta: &Value) -> String {
    body("tools/call", json!({ "name": "get_time", "arguments": {}, "_meta": meta }))
}

#[test]
fn headers_and_body_must_agree() {
    let body = tool_call(&meta());
    // (version, method, name) → refused with HeaderMismatch, or let through.
    let refused = [
        (None, Some("tools/call"), Some("get_time")),
        (Some(""), Some("tools/call"), Some("get_time")),
        (Some("2025-11-25"), Some("tools/call"), Some("get_time")),
        (VERSION, None, Some("get_time")),
        (VERSION, Some("tools/list"), Some("get_time")),
        (VERSION, Some("Tools/Call"), Some("get_time")),
        (VERSION, Some("tools/call"), None),
        (VERSION, Some("tools/call"), Some("")),
        (VERSION, Some("tools/call"), Some("GET_TIME")),
        (VERSION, Some("tools/call"), Some("set_time")),
        // Not base64, cut short, and base64 of another name.
        (VERSION, Some("tools/call"), Some("=?base64?Z2V0X3RpbWU?=")),
        (VERSION, Some("tools/call"), Some("=?base64?!!!?=")),
        (VERSION, Some("tools/call"), Some("=?base64?/w==?=")),
        (VERSION, Some("tools/call"), Some("=?base64?c2V0X3RpbWU=?=")),
    ];
    for (protocol_version, mcp_method, mcp_name) in refused {
        let request = Request { protocol_version, mcp_method, mcp_name, body: &body };
        assert_eq!(verdict(dispatch(&request, &server())), (400, -32020), "{request:?}");
    }
    let accepted = [
        (VERSION, Some("tools/call"), Some("get_time")),
        (Some("  2026-07-28\t"), Some(" tools/call "), Some(" get_time ")),
        (VERSION, Some("tools/call"), Some("=?base64?Z2V0X3RpbWU=?=")),
    ];
    for (protocol_version, mcp_method, mcp_name) in accepted {
        let request = Request { protocol_version, mcp_method, mcp_name, body: &body };
        assert!(matches!(dispatch(&request, &server()), Dispatch::Call(_)), "{request:?}");
    }
}

#[test]
fn every_modern_request_says_its_version_and_the_clients_capabilities() {
    let version = "io.modelcontextprotocol/protocolVersion";
    let capabilities = "io.modelcontextprotocol/clientCapabilities";
    let cases = [
        json!({}),
        json!({ version: "2026-07-28" }),
        json!({ capabilities: {} }),
        json!({ version: 20260728, capabilities: {} }),
        json!({ version: "2026-07-28", capabilities: [] }),
        json!({ version: "2026-07-28", capabilities: null }),
        json!("2026-07-28"),
        Value::Null,
    ];
    for meta in cases {
        let body = tool_call(&meta);
        let request = Request {
            protocol_version: VERSION,
            mcp_method: Some("tools/call"),
            mcp_name: Some("get_time"),
            body: &body,
        };
        assert_eq!(verdict(dispatch(&request, &server())), (400, -32602), "{meta}");
    }
}

#[test]
fn a_version_that_is_not_served_is_told_what_is() {
    let supported_beside = [
        ("2027-01-01", json!(["2026-07-28", "2025-11-25", "2025-06-18"])),
        // Served, but not in this form: what opens with initialize carries no version in `_meta`.
        ("2025-11-25", json!(["2026-07-28", "2025-06-18"])),
    ];
    for (requested, supported) in supported_beside {
        let mut meta = meta();
        meta["io.modelcontextprotocol/protocolVersion"] = json!(requested);
        let body = tool_call(&meta);
        let request = Request {
            protocol_version: Some(requested),
            mcp_method: Some("tools/call"),
            mcp_name: Some("get_time"),
            body: &body,
        };
        let (status, answer) = read(answered(dispatch(&request, &server())));
        assert_eq!((status, &answer["error"]["code"]), (400, &json!(-32022)));
        assert_eq!(answer["error"]["data"], json!({ "supported": supported, "requested": requested }));
    }
}

#[test]
fn legacy_requests_owe_no_headers() {
    let body = body("tools/call", json!({ "name": "get_time" }));
    let request = Request {
        mcp_method: Some("something/else"),
        mcp_name: Some("other"),
        body: &body,
        protocol_version: None,
    };
    assert!(matches!(dispatch(&request, &server()), Dispatch::Call(_)));
}
