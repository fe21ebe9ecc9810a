//! Messages between objects: a subject and a JSON body in, a JSON body out.

use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::JsValue;
use worker::Env;

use crate::{Failure, log, within};

/// How long an answer is waited for: longer than any object needs, whomever it asks in turn.
const ANSWER_WAIT_MS: u64 = 60_000;

/// Sends a message to the object `name` of a class, and reads its answer.
///
/// # Errors
/// When the object could not be reached, failed, answered something else, or did not answer in time: what it was told may
/// take effect yet.
pub async fn send<T: DeserializeOwned>(
    env: &Env,
    class: &str,
    name: &str,
    subject: &str,
    body: &impl Serialize,
) -> Result<T, Failure> {
    let (object, body) = (runtime::object(env, class, name)?, serde_json::to_string(body)?);
    let answer = within(ANSWER_WAIT_MS, object.send(subject, &body)).await;
    let answer = answer.ok_or(Failure::Late("an object"))??;
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
