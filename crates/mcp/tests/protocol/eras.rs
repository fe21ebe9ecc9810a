//! Which era a request belongs to, and what each era answers. Sections are those of the specification's transport and
//! lifecycle pages.

use crate::fixture::{answered, body, legacy, meta, modern, read, server, verdict};
use mcp::{Request, dispatch};
use serde_json::{Value, json};

/// Unknown methods separate the eras on the wire: 404 in the modern one, 200 in the legacy one (M2).
#[test]
fn the_era_follows_from_the_request_alone() {
    let both = meta();
    let version_only = json!({ "io.modelcontextprotocol/protocolVersion": "2026-07-28" });
    let other_meta = json!({ "progressToken": 1 });
    // (method, _meta, version header) → (status, code)
    let cases = [
        // Nothing said, or a legacy revision: legacy.
        ("nonsense", None, None, (200, -32601)),
        ("nonsense", Some(&other_meta), None, (200, -32601)),
        ("nonsense", None, Some("2025-11-25"), (200, -32601)),
        ("nonsense", None, Some(" 2025-06-18 "), (200, -32601)),
        // A revision that this server does not know: refused, with those it knows.
        ("nonsense", None, Some("1999-01-01"), (400, -32022)),
        ("tools/list", None, Some("2025-03-26"), (400, -32022)),
        // Modern by its `_meta`, even when it is half or the header is missing.
        ("nonsense", Some(&both), Some("2026-07-28"), (404, -32601)),
        ("nonsense", Some(&version_only), Some("2026-07-28"), (400, -32602)),
        ("nonsense", Some(&both), None, (400, -32020)),
        // Modern by its header: then `_meta` is owed.
        ("nonsense", None, Some("2026-07-28"), (400, -32602)),
        // Modern by its method.
        ("server/discover", None, None, (400, -32602)),
        // `initialize` is legacy whatever its header asks for, and gone for whoever speaks the modern revision.
        ("initialize", None, Some("2026-07-28"), (200, -32602)),
        ("initialize", Some(&both), Some("2026-07-28"), (404, -32601)),
        // What only the other era has.
        ("ping", None, None, (200, 0)),
        ("ping", Some(&both), Some("2026-07-28"), (404, -32601)),
        ("logging/setLevel", Some(&both), Some("2026-07-28"), (404, -32601)),
        ("resources/subscribe", Some(&both), Some("2026-07-28"), (404, -32601)),
        // What is not declared is not there.
        ("prompts/list", None, None, (200, -32601)),
        ("prompts/list", Some(&both), Some("2026-07-28"), (404, -32601)),
        ("completion/complete", None, None, (200, -32601)),
        ("tasks/list", Some(&both), Some("2026-07-28"), (404, -32601)),
    ];
    for (method, meta, version, expected) in cases {
        let params = meta.map_or(json!({}), |meta| json!({ "_meta": meta }));
        let body = body(method, params);
        let request =
            Request { protocol_version: version, mcp_method: Some(method), mcp_name: None, body: &body };
        assert_eq!(verdict(dispatch(&request, &server())), expected, "{method} {meta:?} {version:?}");
    }
}

#[test]
fn an_unreadable_body_is_refused_without_an_id_and_a_misshapen_request_with_its_own() {
    // (body, status, code, id in the answer). M1.
    let cases = [
        ("", 400, -32700, Value::Null),
        ("{", 400, -32700, Value::Null),
        ("\u{feff}{}", 400, -32700, Value::Null),
        ("[]", 400, -32600, Value::Null),
        (r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, 400, -32600, Value::Null),
        ("\"ping\"", 400, -32600, Value::Null),
        ("null", 400, -32600, Value::Null),
        ("{}", 400, -32600, Value::Null),
        (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, 400, -32600, Value::Null),
        (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, 400, -32600, Value::Null),
        (r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, 400, -32600, Value::Null),
        (r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, 400, -32600, json!(1)),
        (r#"{"id":"a","method":"ping"}"#, 400, -32600, json!("a")),
        (r#"{"jsonrpc":"2.0","id":1,"method":7}"#, 400, -32600, json!(1)),
        (r#"{"jsonrpc":"2.0","id":1}"#, 400, -32600, json!(1)),
        (r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#, 400, -32600, json!(1)),
        (r#"{"jsonrpc":"2.0","id":18446744073709551615,"method":"nonsense"}"#, 200, -32601, json!(u64::MAX)),
        (r#"{"jsonrpc":"2.0","id":"","method":"nonsense"}"#, 200, -32601, json!("")),
    ];
    for (body, status, code, id) in cases {
        let answer = answered(dispatch(&Request { body, ..Request::default() }, &server()));
        let (got_status, got) = read(answer);
        assert_eq!((got_status, &got["error"]["code"]), (status, &json!(code)), "{body}");
        assert_eq!(got["id"], id, "{body}");
        // `null` is outside the schema: an unknown id is left out.
        assert_eq!(got.get("id").is_none(), id.is_null(), "{body}");
    }
}

#[test]
fn what_asks_for_no_answer_is_accepted_in_silence() {
    let notification = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    let response = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;
    for (version, body, status) in [
        (None, notification, 202),
        (Some("2025-11-25"), notification, 202),
        (Some("2026-07-28"), notification, 202),
        (None, response, 202),
        (Some("2025-06-18"), response, 202),
        // A modern server never asks, so nothing can be answered.
        (Some("2026-07-28"), response, 400),
    ] {
        let answer =
            answered(dispatch(&Request { protocol_version: version, body, ..Request::default() }, &server()));
        assert_eq!(answer.status, status, "{version:?} {body}");
        assert_eq!(answer.body.is_none(), status == 202, "{version:?} {body}");
    }
}

#[test]
fn initialize_agrees_on_a_version_or_offers_the_newest_legacy_one() {
    for (requested, agreed) in [
        ("2025-11-25", "2025-11-25"),
        ("2025-06-18", "2025-06-18"),
        ("2025-03-26", "2025-11-25"),
        ("2024-11-05", "2025-11-25"),
        ("2026-07-28", "2025-11-25"),
        ("", "2025-11-25"),
    ] {
        let params = json!({ "protocolVersion": requested, "capabilities": {}, "clientInfo": { "name": "c", "version": "1" } });
        let (status, body) = read(answered(legacy("initialize", params)));
        assert_eq!(status, 200);
        assert_eq!(
            body,
            json!({ "jsonrpc": "2.0", "id": 7, "result": {
                "protocolVersion": agreed,
                "capabilities": { "tools": {}, "resources": {} },
                "serverInfo": { "name": "fixture", "title": "Fixture", "version": "1.2.3" },
                "instructions": "Ask for the time.",
            } }),
            "{requested}"
        );
    }
    assert_eq!(verdict(legacy("initialize", json!({}))), (200, -32602));
}

#[test]
fn discover_tells_a_modern_client_everything_at_once() {
    let (status, body) = read(answered(modern("server/discover", json!({}))));
    assert_eq!(status, 200);
    assert_eq!(
        body["result"],
        json!({
            "resultType": "complete",
            "supportedVersions": ["2026-07-28", "2025-11-25", "2025-06-18"],
            "capabilities": { "tools": {}, "resources": {} },
            "instructions": "Ask for the time.",
            "ttlMs": 60000,
            "cacheScope": "public",
            "_meta": { "io.modelcontextprotocol/serverInfo": { "name": "fixture", "title": "Fixture", "version": "1.2.3" } },
        })
    );
}

#[test]
fn a_server_without_tools_or_resources_declares_and_serves_none() {
    let mut bare = server();
    bare.tools.clear();
    bare.resources.clear();
    for method in ["tools/list", "tools/call", "resources/list", "resources/read", "resources/templates/list"]
    {
        let body = body(method, json!({ "name": "get_time", "uri": "fixture://clock" }));
        let request = Request { body: &body, ..Request::default() };
        assert_eq!(verdict(dispatch(&request, &bare)), (200, -32601), "{method}");
    }
    let hello = body("initialize", json!({ "protocolVersion": "2025-11-25" }));
    let (_, answer) = read(answered(dispatch(&Request { body: &hello, ..Request::default() }, &bare)));
    assert_eq!(answer["result"]["capabilities"], json!({}));
}
