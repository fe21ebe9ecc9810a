//! JSON-RPC 2.0 messages as MCP narrows them: ids are text or integers, parameters are objects, batches are gone.

use serde::Serialize;
use serde_json::{Map, Number, Value};

use crate::fault::{Code, Fault};

/// A request's id, repeated in its answer exactly as it came (M1).
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub(crate) enum Id {
    /// An integer.
    Integer(Number),
    /// Any text.
    Text(String),
}

/// What a body turned out to be.
#[derive(Debug)]
pub(crate) enum Message {
    /// Something that must be answered.
    Request {
        /// Its name in the answer.
        id: Id,
        /// What is asked, such as `tools/call`.
        method: String,
        /// Empty when the sender gave none.
        params: Map<String, Value>,
    },
    /// Something said without expecting an answer.
    Notification,
    /// An answer to a question that this server never asks.
    Response,
}

/// A body that is no message. The id is known only when the body at least looked like a request.
#[derive(Debug)]
pub(crate) struct Unreadable {
    pub(crate) id: Option<Id>,
    pub(crate) fault: Fault,
}

/// Reads one message from a body.
///
/// # Errors
/// [`Unreadable`] with `ParseError` for text that is not JSON (or is nested deeper than the parser allows), and with
/// `InvalidRequest` for JSON that is not a JSON-RPC 2.0 message of MCP.
pub(crate) fn parse(body: &str) -> Result<Message, Unreadable> {
    let value: Value = serde_json::from_str(body).map_err(|fault| {
        unreadable(
            None,
            Fault::new(Code::ParseError, format!("The body is not JSON that can be read: {fault}.")),
        )
    })?;
    let mut fields = match value {
        Value::Object(fields) => fields,
        Value::Array(_) => {
            return Err(invalid(
                None,
                "Batches ended with revision 2025-06-18; send one message per request.",
            ));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            return Err(invalid(None, "A JSON-RPC message is a JSON object."));
        }
    };
    let id = match fields.remove("id") {
        None => None,
        Some(value) => Some(read_id(value)?),
    };
    if fields.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return Err(invalid(id, "`jsonrpc` must be \"2.0\"."));
    }
    let method = match fields.remove("method") {
        Some(Value::String(method)) => method,
        Some(_) => return Err(invalid(id, "`method` must be a string.")),
        None if id.is_some() && (fields.contains_key("result") || fields.contains_key("error")) => {
            return Ok(Message::Response);
        }
        None => return Err(invalid(id, "`method` is missing.")),
    };
    let params = match fields.remove("params") {
        None => Map::new(),
        Some(Value::Object(params)) => params,
        Some(_) => return Err(invalid(id, "`params` must be an object.")),
    };
    Ok(match id {
        Some(id) => Message::Request { id, method, params },
        None => Message::Notification,
    })
}

fn read_id(value: Value) -> Result<Id, Unreadable> {
    match value {
        Value::String(text) => Ok(Id::Text(text)),
        Value::Number(number) if number.is_i64() || number.is_u64() => Ok(Id::Integer(number)),
        Value::Number(_) | Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => {
            Err(invalid(None, "`id` must be a string or an integer."))
        }
    }
}

fn invalid(id: Option<Id>, detail: &str) -> Unreadable {
    unreadable(id, Fault::new(Code::InvalidRequest, detail.to_owned()))
}

fn unreadable(id: Option<Id>, fault: Fault) -> Unreadable {
    Unreadable { id, fault }
}
