//! The browser command protocol as JSON Schemas, for whoever writes an executor.
//!
//! The schemas are those of the OpenAPI document. Built natively and committed; a test fails when the committed file is
//! stale.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::openapi::schemas;
use crate::outbound::run::PROTOCOL_VERSION;

/// Where schemas lie in an OpenAPI document, and where they do in one of JSON Schema.
const COMPONENTS: &str = "#/components/schemas/";
const DEFINITIONS: &str = "#/$defs/";

/// The two kinds of message.
const ROOTS: [&str; 2] = ["AgentBrowserCommand", "BrowserResult"];

/// The document.
pub fn executor_protocol() -> Value {
    let all = schemas();
    let mut named: BTreeSet<String> = BTreeSet::new();
    let mut open: Vec<String> = ROOTS.map(str::to_owned).into();
    while let Some(name) = open.pop() {
        if named.insert(name.clone()) {
            open.extend(all.get(&name).map(references).unwrap_or_default());
        }
    }
    let definitions: Map<String, Value> =
        named.into_iter().filter_map(|name| Some((name.clone(), moved(all.get(&name)?)))).collect();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": format!("https://guildhall.dev/schemas/executor-protocol/{PROTOCOL_VERSION}"),
        "title": "Guildhall browser command protocol",
        "description": "An executor takes each AgentBrowserCommand from GET /v1/executors/me/commands or its socket, and answers it with BrowserResults at POST /v1/runs/{runId}/browser-result. Within a version fields are only added to commands; a result has no others than these.",
        "version": PROTOCOL_VERSION,
        "oneOf": ROOTS.map(|root| json!({ "$ref": format!("{DEFINITIONS}{root}") })),
        "$defs": definitions,
    })
}

/// The names of the schemas that one refers to.
fn references(schema: &Value) -> Vec<String> {
    match schema {
        Value::Object(fields) => {
            let own = fields.get("$ref").and_then(Value::as_str).and_then(|to| to.strip_prefix(COMPONENTS));
            own.map(str::to_owned).into_iter().chain(fields.values().flat_map(references)).collect()
        }
        Value::Array(items) => items.iter().flat_map(references).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    }
}

/// The same schema, with what it refers to beside it.
fn moved(schema: &Value) -> Value {
    match schema {
        Value::Object(fields) => {
            let to = |name: &str, value: &Value| match value.as_str().filter(|_| name == "$ref") {
                Some(target) => Value::from(target.replace(COMPONENTS, DEFINITIONS)),
                None => moved(value),
            };
            fields.iter().map(|(name, value)| (name.clone(), to(name, value))).collect()
        }
        Value::Array(items) => items.iter().map(moved).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => schema.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_document_is_current() {
        let committed: Value = serde_json::from_str(crate::document::EXECUTOR_PROTOCOL_JSON).unwrap();
        assert!(
            committed == executor_protocol(),
            "documents/executor_protocol.json is stale: run `cargo xtask openapi` and commit the file"
        );
    }

    #[test]
    fn it_stands_for_itself() {
        let document = executor_protocol();
        let text = document.to_string();
        assert!(!text.contains(COMPONENTS));
        let mut targets = 0;
        for (at, _) in text.match_indices(DEFINITIONS) {
            let name = text[at + DEFINITIONS.len()..].split('"').next().unwrap();
            assert!(document["$defs"].get(name).is_some(), "{name} is missing");
            targets += 1;
        }
        assert!(targets > 10, "{targets}");
        for kind in ["REVALIDATE_CANDIDATE", "PREPARE_CHECKOUT", "READ_CHECKOUT", "READ_PIX", "VERIFY_ORDER"]
            .into_iter()
            .chain(["STARTED", "NEEDS_USER", "QUOTE", "PIX", "ORDER", "UNAVAILABLE", "ERROR"])
        {
            assert!(text.contains(&format!(r#""const":"{kind}""#)), "{kind}");
        }
    }
}
