//! Messages between objects: a subject and a JSON body in, a JSON body out.

use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::JsValue;
use worker::Env;

use crate::{Failure, log};

/// Sends a message to the object `name` of a class, and reads its answer.
///
/// # Errors
/// When the object could not be reached, failed, or answered something else.
pub async fn send<T: DeserializeOwned>(
    env: &Env,
    class: &str,
    name: &str,
    subject: &str,
    body: &impl Serialize,
) -> Result<T, Failure> {
    let answer = runtime::object(env, class, name)?.send(subject, &serde_json::to_string(body)?).await?;
    Ok(serde_json::from_str(&answer)?)
}

/// Answers one message. What failed is for the log; the sender learns that it did.
pub fn answer<T: Serialize>(outcome: Result<T, Failure>, kind: &str, name: &str) -> Result<String, JsValue> {
    outcome.and_then(|value| Ok(serde_json::to_string(&value)?)).map_err(|failure| {
        log::failure(kind, name, "failed", &failure);
        JsValue::from_str("the object failed")
    })
}

/// The failure of a message that nobody here understands.
pub fn unknown_subject(subject: &str) -> Failure {
    Failure::Runtime(format!("no such message: {subject}"))
}

/// The answer to HTTP requests, which only tunnels are opened with.
pub fn only_messages() -> worker::Result<worker::Response> {
    worker::Response::error("this object takes messages", 404)
}
