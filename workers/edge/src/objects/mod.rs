//! The objects: each binds one core, or one small index, to the shell.

mod directory;
mod gig;
mod payment;
mod tunnel;

use serde::Serialize;
use serde::de::DeserializeOwned;
use worker::{Request, Response};

use crate::failure::Failure;

/// Reads a message to an object.
async fn message<T: DeserializeOwned>(mut request: Request) -> Result<T, Failure> {
    Ok(serde_json::from_str(&request.text().await?)?)
}

/// Answers one object's message to another.
fn answer<T: Serialize>(outcome: Result<T, Failure>, kind: &str, name: &str) -> worker::Result<Response> {
    match outcome.and_then(|value| Ok(serde_json::to_string(&value)?)) {
        Ok(text) => Response::ok(text),
        Err(failure) => {
            crate::log::failure(kind, name, "failed", &failure);
            Response::error("failed", 500)
        }
    }
}
