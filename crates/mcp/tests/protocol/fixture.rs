//! A small server, and words to build requests with.
use mcp::{Annotations, Answer, Dispatch, Request, Resource, Server, Tool, dispatch};
use serde_json::{Value, json};

pub(crate) fn server() -> Server {
    Server {
        name: "fixture",
        title: "Fixture",
        version: "1.2.3",
        instructions: "Ask for the time.",
        tools: vec![Tool {
            name: "get_time",
            title: "Time",
            description: "Tells the time.",
            input_schema: json!({ "type": "object", "additionalProperties": false, "properties": {} }),
            annotations: Annotations::READS,
        }],
        resources: vec![Resource {
            uri: "fixture://clock",
            name: "clock",
            title: "Clock",
            description: "What time is it?",
            mime_type: "text/plain",
        }],
        keep_ms: 60_000,
    }
}

/// The `_meta` of a modern request.
pub(crate) fn meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}

/// A request's body with id 7.
pub(crate) fn body(method: &str, params: Value) -> String {
    json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params }).to_string()
}

/// A legacy request after `initialize`.
pub(crate) fn legacy(method: &str, params: Value) -> Dispatch {
    let body = body(method, params);
    dispatch(&Request { protocol_version: Some("2025-11-25"), body: &body, ..Request::default() }, &server())
}

/// A modern request whose headers and `_meta` are right.
pub(crate) fn modern(method: &str, params: Value) -> Dispatch {
    modern_with(meta(), method, params)
}

/// The same, with a `_meta` of the caller's.
pub(crate) fn modern_with(meta: Value, method: &str, mut params: Value) -> Dispatch {
    params["_meta"] = meta;
    let name = params.get("name").or(params.get("uri")).and_then(Value::as_str).map(str::to_owned);
    let body = body(method, params);
    let request = Request {
        protocol_version: Some("2026-07-28"),
        mcp_method: Some(method),
        mcp_name: name.as_deref(),
        body: &body,
    };
    dispatch(&request, &server())
}

/// The answer, when none of the caller's work is needed.
pub(crate) fn answered(dispatch: Dispatch) -> Answer {
    match dispatch {
        Dispatch::Answer(answer) => answer,
        Dispatch::Call(call) => panic!("asked to call {}", call.name),
        Dispatch::Read(read) => panic!("asked to read {}", read.uri),
    }
}

/// Status and body of an answer.
pub(crate) fn read(answer: Answer) -> (u16, Value) {
    (answer.status, answer.body.map_or(Value::Null, |body| serde_json::from_str(&body).unwrap()))
}

/// Status and error code of an answer; no error is 0.
pub(crate) fn verdict(dispatch: Dispatch) -> (u16, i64) {
    let (status, body) = read(answered(dispatch));
    (status, body["error"]["code"].as_i64().unwrap_or(0))
}
