//! The objects: each binds one core, or one small index, to the shell.
//!
//! An object is spoken to by messages: a subject and a JSON body in, a JSON body out. The entry script in JavaScript
//! passes them on as method calls between objects.

mod directory;
mod gig;
mod payment;
mod tunnel;

use serde::Serialize;
use wasm_bindgen::JsValue;

use crate::failure::Failure;

/// Answers one message. What failed is for the log; the sender learns that it did.
fn answer<T: Serialize>(outcome: Result<T, Failure>, kind: &str, name: &str) -> Result<String, JsValue> {
    outcome.and_then(|value| Ok(serde_json::to_string(&value)?)).map_err(|failure| {
        crate::log::failure(kind, name, "failed", &failure);
        JsValue::from_str("the object failed")
    })
}

/// The failure of a message that nobody here understands.
fn unknown_subject(subject: &str) -> Failure {
    Failure::Runtime(format!("no such message: {subject}"))
}

/// The answer to HTTP requests, which only tunnels are opened with.
fn only_messages() -> worker::Result<worker::Response> {
    worker::Response::error("this object takes messages", 404)
}
