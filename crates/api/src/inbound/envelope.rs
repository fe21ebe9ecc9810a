//! The envelope of every message: the board's own, or an A2A 1.0 Message around it.

use primitives::{AgentIdentity, MessageId};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::{Faults, invalid, json};
use crate::limits;
use crate::problem::{FieldFault, Problem};
use crate::wire::Envelope;

/// Reads a body as JSON: the media type must say so, and the size is bounded.
///
/// # Errors
/// 415, 413 or 400.
pub fn body(content_type: Option<&str>, text: &str) -> Result<Value, Problem> {
    let media_type = content_type.unwrap_or("").split(';').next().unwrap_or("").trim().to_ascii_lowercase();
    if media_type != "application/json" && media_type != "application/a2a+json" {
        return Err(Problem::new(
            415,
            "unsupported_media_type",
            "Send the body as JSON with `Content-Type: application/json`.",
        ));
    }
    if text.len() > limits::BODY_BYTES_MAX {
        return Err(too_large());
    }
    let value = json::read(text).map_err(|error| {
        invalid(vec![FieldFault { field: "body".to_owned(), message: format!("is not JSON: {error}") }])
    })?;
    Ok(unwrap_a2a(value))
}

/// The refusal of a body that is too large to read.
pub fn too_large() -> Problem {
    let limit = limits::BODY_BYTES_MAX;
    Problem::new(413, "body_too_large", format!("The body is larger than the {limit} bytes that are read."))
}

/// The board's envelope inside an A2A Message with one JSON data part (A2A 1.0, section 4.1); anything else as it is.
fn unwrap_a2a(value: Value) -> Value {
    let Some(message) = value.as_object().filter(|object| object.contains_key("messageId")) else {
        return value;
    };
    let part = match message.get("parts").and_then(Value::as_array).map(Vec::as_slice) {
        Some([Value::Object(part)]) => part,
        _ => return value,
    };
    let is_json = part.get("mediaType").and_then(Value::as_str) == Some("application/json");
    let from_user = message.get("role").and_then(Value::as_str) == Some("ROLE_USER");
    match part.get("data") {
        Some(Value::Object(data)) if is_json && from_user => {
            let mut envelope: Map<String, Value> = data.clone();
            envelope
                .insert("message_id".to_owned(), message.get("messageId").cloned().unwrap_or(Value::Null));
            Value::Object(envelope)
        }
        _ => value,
    }
}

/// Reads an object as a wire type; a fault names its place.
pub(crate) fn shape<T: DeserializeOwned>(value: &Value) -> Result<T, Problem> {
    // A struct could be read from an array, too; the contract has objects only.
    is_object("body", Some(value))?;
    serde_path_to_error::deserialize(value).map_err(|error| {
        let path = error.path().to_string();
        let message = error.inner().to_string();
        // What is missing has no place of its own; its name is in the words.
        let missing = message.strip_prefix("missing field `").and_then(|rest| rest.strip_suffix('`'));
        let field = match (path.as_str(), missing) {
            (".", None) => "body".to_owned(),
            (".", Some(name)) => name.to_owned(),
            (path, None) => path.to_owned(),
            (path, Some(name)) => format!("{path}.{name}"),
        };
        invalid(vec![FieldFault { field, message }])
    })
}

fn is_object(field: &str, value: Option<&Value>) -> Result<(), Problem> {
    match value {
        Some(value) if !value.is_object() => {
            let message = "must be a JSON object".to_owned();
            Err(invalid(vec![FieldFault { field: field.to_owned(), message }]))
        }
        Some(_) | None => Ok(()),
    }
}

/// An envelope whose sender and message id are names.
pub(crate) struct Named<P> {
    pub(crate) sender: AgentIdentity,
    pub(crate) message_id: MessageId,
    pub(crate) payload: P,
}

/// Reads a message of the type `kind`.
///
/// # Errors
/// 400 with every fault in the envelope.
pub(crate) fn message<P: DeserializeOwned>(value: &Value, kind: &str) -> Result<Named<P>, Problem> {
    is_object("payload", value.get("payload"))?;
    let envelope: Envelope<P> = shape(value)?;
    let mut faults = Faults::default();
    if envelope.kind != kind {
        faults.add("type", format!("must be {kind} here"));
    }
    let sender = faults.take("sender", envelope.sender.parse());
    let message_id = faults.take("message_id", envelope.message_id.parse());
    let named = sender.zip(message_id).map(|(sender, message_id)| Named {
        sender,
        message_id,
        payload: envelope.payload,
    });
    faults.finish(named)
}
