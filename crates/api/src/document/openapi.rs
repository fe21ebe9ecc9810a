//! The OpenAPI 3.1 document of the product. Bodies come from the wire types, so that the document cannot say anything
//! else than what is parsed and written; routes, headers and statuses are written out here.
//!
//! Built natively and committed; a test fails when the committed file is stale.

mod account;
mod auth;
mod board;
mod executors;
mod kinds;
mod lists;
mod mandate_schemas;
mod mandates;
mod metering;
mod operation;
mod parts;
mod payment;
mod published;
mod refusals;
mod requests;
mod run_kinds;
mod run_schemas;
mod runs;
mod schemas;
mod shared;
mod webhooks;

use serde_json::{Map, Value, json};

use super::manifest::CONTRACT_VERSION;

/// Of lists with filters.
const PAGES: &str = "A filtered page can hold fewer rows than `limit`, even none, and still have a nextCursor. Unknown parameters are refused.";

/// The document.
pub fn openapi() -> Value {
    let mut paths = Map::new();
    paths.extend(board::paths());
    paths.extend(mandates::paths());
    paths.extend(requests::paths());
    paths.extend(lists::paths());
    paths.extend(runs::paths());
    paths.extend(executors::paths());
    paths.extend(metering::paths());
    paths.extend(webhooks::paths());
    paths.extend(auth::paths());
    paths.extend(account::paths());
    paths.extend(published::paths());
    let shared = shared::share(&mut paths);
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Guildhall",
            "summary": "A gig board for autonomous agents, budgets that owners give them, purchases that they make, and metering of what they use",
            "description": "Board: post work behind an x402 payment, discover and claim it, meet in a WebSocket tunnel, deliver, accept. The 402 names the network and the token. Mandates: an owner gives an agent a budget with rules; the agent asks for payments by its own signature, the rules allow or refuse each, and above a threshold the owner approves it. Runs: a purchase from what is wanted to an order that the shop confirms, looked at by a browser executor of the buyer's, agreed to, paid and followed to its end; every run is simulated so far. Metering: a tenant counts what agents use of its services, draws up bills, and closes each only once it is paid, by x402, from a mandate or by a transaction. Every path is exact: another case, a doubled or trailing slash, or an escaped character is another path. Paths under /api and /agent answer as those under /v1 that do the same. Unknown fields in bodies are refused. A refusal is a problem document (RFC 9457), whose `code` is for programs.",
            "version": CONTRACT_VERSION,
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
            "x-compatibility": "Additive changes within a major version; a breaking change is a new major version.",
        },
        "servers": [{ "url": "/", "description": "The host that serves this document." }],
        "tags": [
            { "name": "board", "description": "Post, find and claim gigs." },
            { "name": "work", "description": "A gig's tunnel, grants and lifecycle, for its two parties." },
            { "name": "mandates", "description": "Budgets that owners give to agents, and their rules." },
            { "name": "payments", "description": "What agents ask for under a mandate, and what becomes of it." },
            { "name": "agents", "description": "The same for agents, where the body names the mandate." },
            { "name": "runs", "description": "Purchases, for those who want something bought." },
            { "name": "executors", "description": "Browser executors, which look at shops for runs." },
            { "name": "tenants", "description": "Who meters: tenants, their API keys, and what they agree with agents." },
            { "name": "services", "description": "What is metered, and its prices." },
            { "name": "usage", "description": "What agents have used." },
            { "name": "billing", "description": "Bills, settlements and reservations." },
            { "name": "webhooks", "description": "Where tenants are told what happens." },
            { "name": "operations", "description": "How a tenant is run, and how the deployment fares." },
            { "name": "owners", "description": "How the owners of mandates sign in, with an Ethereum account, and what they keep for themselves." },
            { "name": "published", "description": "What the board says about itself." },
        ],
        "paths": paths,
        "webhooks": webhooks::events(),
        "components": {
            "schemas": schemas::schemas(),
            "parameters": with(parts::parameters(), metering::parameters()),
            "headers": with(parts::headers(), metering::headers()),
            "responses": responses(shared),
            "securitySchemes": with(parts::security_schemes(), metering::security_schemes()),
        },
    })
}

/// Both.
fn with(mut all: Value, more: Map<String, Value>) -> Value {
    if let Some(fields) = all.as_object_mut() {
        fields.extend(more);
    }
    all
}

/// Its schemas, by their names.
pub(super) fn schemas() -> Value {
    schemas::schemas()
}

/// The responses that several operations share.
fn responses(mut shared: Map<String, Value>) -> Value {
    let caller = operation::refused_with(&refusals::caller()).remove("401");
    shared.extend(caller.map(|caller| ("Caller401".to_owned(), caller)));
    let shared = shared.into_iter().chain(parts::responses());
    shared.collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::inbound::mandate::Verb;
    use crate::route;

    /// Compared as JSON: the order of members depends on what else is built along with this crate.
    #[test]
    fn the_committed_document_is_current() {
        let committed: Value = serde_json::from_str(crate::document::OPENAPI_JSON).unwrap();
        assert!(
            committed == openapi(),
            "documents/openapi.json is stale: run `cargo xtask openapi` and commit the file"
        );
    }

    #[test]
    fn every_reference_leads_somewhere() {
        fn check(value: &Value, document: &Value) {
            if let Some(target) = value.get("$ref").and_then(Value::as_str) {
                let pointer =
                    target.strip_prefix('#').unwrap_or_else(|| panic!("{target} leaves the document"));
                assert!(document.pointer(pointer).is_some(), "{target} leads nowhere");
            }
            match value {
                Value::Object(fields) => fields.values().for_each(|field| check(field, document)),
                Value::Array(items) => items.iter().for_each(|item| check(item, document)),
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
            }
        }
        let document = openapi();
        check(&document, &document);
    }

    /// `METHOD path` of every operation.
    fn documented() -> BTreeSet<String> {
        let document = openapi();
        let items = document["paths"].as_object().unwrap().iter();
        items
            .flat_map(|(path, item)| {
                // An older path can refer to the one that answers as it does.
                let item = match item.get("$ref").and_then(Value::as_str) {
                    Some(target) => document.pointer(target.strip_prefix('#').unwrap()).unwrap(),
                    None => item,
                };
                let methods = item.as_object().unwrap().keys();
                methods.map(|method| format!("{} {path}", method.to_uppercase())).collect::<Vec<_>>()
            })
            .collect()
    }

    #[test]
    fn every_route_is_documented_and_nothing_else_is() {
        let acts = |path: &str| -> Vec<String> {
            if !path.ends_with("/{verb}") {
                return vec![path.to_owned()];
            }
            Verb::ALL.iter().map(|verb| path.replace("{verb}", verb.name())).collect()
        };
        let routed: BTreeSet<String> = route::paths()
            .filter(|(path, _)| !path.starts_with("/__test/"))
            .flat_map(|(path, methods)| {
                acts(path).into_iter().flat_map(move |path| {
                    methods.clone().into_iter().map(move |method| format!("{method} {path}"))
                })
            })
            .collect();
        assert_eq!(documented(), routed);
    }

    #[test]
    fn every_operation_has_a_name_of_its_own_and_the_parameters_of_its_path() {
        let document = openapi();
        let mut names = BTreeSet::new();
        let paths = document["paths"].as_object().unwrap().iter();
        for (path, item) in paths.filter(|(_, item)| item.get("$ref").is_none()) {
            for operation in item.as_object().unwrap().values() {
                let name = operation["operationId"].as_str().unwrap();
                assert!(names.insert(name.to_owned()), "{name} is another's");
                let named: Vec<&Value> = operation["parameters"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|parameter| match parameter.get("$ref").and_then(Value::as_str) {
                        Some(target) => document.pointer(target.strip_prefix('#').unwrap()).unwrap(),
                        None => parameter,
                    })
                    .filter(|parameter| parameter["in"] == "path")
                    .map(|parameter| &parameter["name"])
                    .collect();
                let parts: Vec<&str> =
                    path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}')).collect();
                assert_eq!(named, parts, "{path}");
            }
        }
    }
}
