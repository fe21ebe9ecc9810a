//! Schemas, made from the wire types wherever there is one.

use schemars::generate::{SchemaGenerator, SchemaSettings};
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value, json};

use super::parts::schema;
use super::{mandate_schemas, metering, payment, run_schemas};
use crate::{problem, wire};

/// Where the generator puts what it refers to, and where this document has it.
const COMPONENTS: &str = "/components/schemas";

/// All schemas by name.
pub(super) fn schemas() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.definitions_path = COMPONENTS.into();
        settings.meta_schema = None;
    });
    let mandates = mandate_schemas::schemas(&settings);
    let runs = run_schemas::schemas(&settings);
    let metering = metering::schemas(&settings);
    let mut generator = settings.into_generator();
    let messages = [
        message::<wire::TaskDelegation>(&mut generator, "TaskDelegation"),
        message::<wire::TaskClaim>(&mut generator, "TaskClaim"),
        message::<wire::TaskDelivery>(&mut generator, "TaskDelivery"),
        message::<wire::TaskAct>(&mut generator, "TaskAcceptance"),
        message::<wire::TaskRevision>(&mut generator, "TaskRevision"),
        message::<wire::TaskAct>(&mut generator, "TaskCancellation"),
        message::<wire::TaskAct>(&mut generator, "TaskAbandonment"),
    ];
    mention::<wire::Reconnect>(&mut generator);
    mention::<wire::CreateAnswer>(&mut generator);
    mention::<wire::ClaimAnswer>(&mut generator);
    mention::<wire::DiscoverAnswer>(&mut generator);
    mention::<wire::StatusAnswer>(&mut generator);
    mention::<wire::LifecycleAnswer>(&mut generator);
    mention::<wire::ReconnectAnswer>(&mut generator);
    mention::<wire::TicketAnswer>(&mut generator);
    mention::<wire::JournalAnswer>(&mut generator);
    mention::<wire::HealthAnswer>(&mut generator);
    mention::<wire::SignInChallenge>(&mut generator);
    mention::<wire::SignIn>(&mut generator);
    mention::<wire::SessionAnswer>(&mut generator);
    mention::<problem::Problem>(&mut generator);

    let mut all = generator.take_definitions(true);
    all.extend(messages);
    all.extend(mandates);
    all.extend(runs);
    all.extend(metering);
    all.insert("A2aMessage".to_owned(), a2a_message());
    all.insert("AgentCard".to_owned(), agent_card());
    all.extend(payment::schemas().map(|(name, schema)| (name.to_owned(), schema)));
    all.values_mut().for_each(name_formats);
    Value::Object(all)
}

/// The generator keeps every type that it was asked to refer to.
pub(super) fn mention<T: JsonSchema>(generator: &mut SchemaGenerator) {
    let _reference: Schema = generator.subschema_for::<T>();
}

/// The envelope of one message type, under the name `<type>Message`. The Rust type leaves `type` open because one
/// parser serves all of them; a reader of the document is told the one word that fits.
fn message<P: JsonSchema>(generator: &mut SchemaGenerator, kind: &str) -> (String, Value) {
    let payload = generator.subschema_for::<P>().to_value();
    let mut envelope = <wire::Envelope<Value> as JsonSchema>::json_schema(generator).to_value();
    if let Some(properties) = envelope.get_mut("properties").and_then(Value::as_object_mut) {
        properties.insert("type".to_owned(), json!({ "type": "string", "const": kind }));
        properties.insert("payload".to_owned(), payload);
    }
    if let Some(envelope) = envelope.as_object_mut() {
        envelope
            .insert("description".to_owned(), json!(format!("The board's own envelope around a {kind}.")));
    }
    (format!("{kind}Message"), envelope)
}

fn a2a_message() -> Value {
    json!({
        "type": "object",
        "description": "An A2A 1.0 Message whose one part holds `sender`, `type` and `payload` of a board message; `messageId` is its `message_id`.",
        "required": ["messageId", "role", "parts"],
        "properties": {
            "messageId": { "type": "string", "minLength": 1, "maxLength": 256 },
            "role": { "type": "string", "const": "ROLE_USER" },
            "parts": {
                "type": "array",
                "minItems": 1,
                "maxItems": 1,
                "items": {
                    "type": "object",
                    "required": ["data", "mediaType"],
                    "properties": {
                        "data": {
                            "type": "object",
                            "additionalProperties": false,
                            "required": ["sender", "type", "payload"],
                            "properties": {
                                "sender": { "type": "string", "minLength": 1, "maxLength": 512 },
                                "type": { "type": "string" },
                                "payload": { "type": "object" },
                            },
                        },
                        "mediaType": { "type": "string", "const": "application/json" },
                    },
                },
            },
            "contextId": { "type": "string", "minLength": 1 },
            "taskId": { "type": "string", "minLength": 1 },
            "metadata": { "type": "object" },
            "extensions": { "type": "array", "items": { "type": "string" } },
            "referenceTaskIds": { "type": "array", "items": { "type": "string" } },
        },
    })
}

/// As much of the A2A card as a reader of this document needs; A2A 1.0, section 4.4, has the rest.
fn agent_card() -> Value {
    let text = json!({ "type": "string" });
    let texts = json!({ "type": "array", "minItems": 1, "items": text });
    json!({
        "type": "object",
        "description": "An A2A 1.0 agent card, with the members that contract 1.0 published before it.",
        "required": ["name", "description", "supportedInterfaces", "version", "capabilities", "defaultInputModes", "defaultOutputModes", "skills"],
        "properties": {
            "name": text,
            "description": text,
            "supportedInterfaces": {
                "type": "array",
                "minItems": 1,
                "items": {
                    "type": "object",
                    "required": ["url", "protocolBinding", "protocolVersion"],
                    "properties": {
                        "url": { "type": "string", "format": "uri" },
                        "protocolBinding": text,
                        "protocolVersion": text,
                    },
                },
            },
            "version": text,
            "documentationUrl": { "type": "string", "format": "uri" },
            "capabilities": { "type": "object" },
            "defaultInputModes": texts,
            "defaultOutputModes": texts,
            "skills": {
                "type": "array",
                "minItems": 1,
                "items": {
                    "type": "object",
                    "required": ["id", "name", "description", "tags"],
                    "properties": { "id": text, "name": text, "description": text, "tags": texts },
                },
            },
            "active_tasks": { "type": "integer", "minimum": 0, "description": "Gigs that wait for a worker." },
        },
    })
}

/// Says which texts are ids, moments and addresses: the Rust types of the wire are plain text.
fn name_formats(schema: &mut Value) {
    let Some(fields) = schema.as_object_mut() else { return };
    // Widths of Rust integers mean nothing to a reader; the bounds beside them do.
    let format = fields.get("format").and_then(Value::as_str).unwrap_or_default().to_owned();
    if format.starts_with("uint") {
        fields.remove("format");
    }
    if format == "uint32" {
        fields.entry("maximum").or_insert_with(|| json!(u32::MAX));
    }
    // Lines of a source are none of a text.
    if let Some(Value::String(description)) = fields.get_mut("description") {
        *description = description.replace("\n\n", "\u{0}").replace('\n', " ").replace('\u{0}', "\n\n");
    }
    if let Some(properties) = fields.get_mut("properties").and_then(Value::as_object_mut) {
        for (name, property) in properties.iter_mut() {
            if let (Some(format), Some(property)) = (format_of(name), text(property)) {
                property.entry("format").or_insert_with(|| json!(format));
            }
        }
    }
    fields.values_mut().for_each(name_formats_within);
}

fn name_formats_within(value: &mut Value) {
    match value {
        Value::Object(_) => name_formats(value),
        Value::Array(items) => items.iter_mut().for_each(name_formats_within),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn format_of(property: &str) -> Option<&'static str> {
    match property {
        "gig_id" => Some("uuid"),
        "at" | "created_at" | "updated_at" | "expires_at" | "claim_expires_at" | "review_until"
        | "timestamp" | "issuedAt" | "expiresAt" | "signedInAt" => Some("date-time"),
        "tunnel_url" | "result_url" | "uri" => Some("uri"),
        _ => None,
    }
}

/// The schema, if it is one of a text, perhaps of an absent one.
fn text(property: &mut Value) -> Option<&mut Map<String, Value>> {
    let is_text = match property.get("type") {
        Some(Value::String(kind)) => kind == "string",
        Some(Value::Array(kinds)) => kinds.iter().any(|kind| kind == "string"),
        Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_)) | None => false,
    };
    if is_text { property.as_object_mut() } else { None }
}

/// One of several message types, or the A2A form of any of them.
pub(super) fn one_of_messages(kinds: &[&str]) -> Value {
    let own = kinds.iter().map(|kind| schema(&format!("{kind}Message")));
    json!({ "oneOf": own.chain([schema("A2aMessage")]).collect::<Vec<_>>() })
}
