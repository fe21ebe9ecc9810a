//! The offer to post a gig.

use std::sync::OnceLock;

use primitives::BaseUnits;
use serde_json::{Map, Value, json};
use x402::bazaar::{self, BodyMethod, BodyType, Declaration, Input, Output};
use x402::payment_identifier;

use super::{Offer, Till};

/// The body of a posting as JSON Schema, without the words for people: a challenge travels in a header.
const BODY_SCHEMA: &str = include_str!("../../documents/posting.schema.json");

/// Posting one gig to the board for `price`.
pub fn posting(till: Till, price: BaseUnits) -> Offer {
    Offer {
        till,
        price,
        method: "POST",
        path: "/v1/gigs/create".into(),
        deed: "Posting a gig",
        description: "Post one gig to the board".to_owned(),
        mime_type: "application/json",
        extensions: extensions().clone(),
    }
}

/// A challenge is the same for everyone; it is put together once.
fn extensions() -> &'static Map<String, Value> {
    static EXTENSIONS: OnceLock<Map<String, Value>> = OnceLock::new();
    EXTENSIONS.get_or_init(|| {
        Map::from_iter([
            (payment_identifier::NAME.to_owned(), payment_identifier::declare()),
            (bazaar::NAME.to_owned(), catalogue_entry().to_value()),
        ])
    })
}

/// What catalogues of paid resources show of the posting.
fn catalogue_entry() -> Declaration {
    let input = Input::Body {
        method: BodyMethod::Post,
        body_type: BodyType::Json,
        example: object(json!({
            "message_id": "3f0e5a1c-0c58-4bb2-9a1e-5d0d3b1c7e11",
            "sender": "buyer-agent",
            "type": "TaskDelegation",
            "payload": {
                "title": "Count the words",
                "description": "Count the words of the text that you are sent over the tunnel",
                "task_type": "computation",
                "task_params": { "language": "en" },
                "bounty_sats": 250,
                "ttl_minutes": 60,
            },
        })),
        schema: serde_json::from_str(BODY_SCHEMA).unwrap_or_default(),
    };
    let output = Output {
        example: object(json!({
            "message": "Gig created successfully",
            "gig": { "gig_id": "7d1f0c52-6f0e-8f3a-9d52-1c2b3a4d5e6f", "lifecycle_state": "DISCOVERABLE" },
            "tunnel_grant": { "token": "gld_grant_…", "role": "buyer", "agent_identity": "buyer-agent" },
        })),
        schema: object(json!({
            "properties": {
                "message": { "type": "string" },
                "gig": { "type": "object" },
                "tunnel_grant": { "type": ["object", "null"] },
            },
            "required": ["message", "gig", "tunnel_grant"],
        })),
    };
    Declaration { input, output: Some(output), route: None }
}

fn object(value: Value) -> Map<String, Value> {
    if let Value::Object(fields) = value { fields } else { Map::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As in the OpenAPI document, with every reference written out and the words for people left out.
    fn compact(value: &Value, document: &Value) -> Value {
        match value {
            Value::Object(fields) => {
                if let Some(reference) = fields.get("$ref").and_then(Value::as_str) {
                    return compact(document.pointer(reference.trim_start_matches('#')).unwrap(), document);
                }
                if let Some(words) = fields.get("oneOf").and_then(constants) {
                    return json!({ "type": "string", "enum": words });
                }
                let kept = fields.iter().filter(|(key, value)| *key != "description" || value.is_object());
                kept.map(|(key, value)| (key.clone(), compact(value, document))).collect()
            }
            Value::Array(items) => items.iter().map(|item| compact(item, document)).collect(),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.clone(),
        }
    }

    /// The words of a choice between constant texts.
    fn constants(choice: &Value) -> Option<Vec<&Value>> {
        choice.as_array()?.iter().map(|one| one.get("const")).collect()
    }

    #[test]
    fn the_advertised_schema_is_the_one_of_the_published_document() {
        let document: Value = serde_json::from_str(crate::document::OPENAPI_JSON).unwrap();
        let schema = compact(&document["components"]["schemas"]["TaskDelegationMessage"], &document);
        let committed: Value = serde_json::from_str(BODY_SCHEMA).unwrap();
        assert_eq!(committed, schema, "write this into documents/posting.schema.json:\n{schema}");
    }
}
