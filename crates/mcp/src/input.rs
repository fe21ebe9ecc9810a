//! What a tool needs from a person before it can go on: multi round-trip requests, with elicitation in URL mode.
//!
//! Nobody is called back and nothing is remembered: the answer to the call says which address a person is to open, and
//! the client repeats the call with what the person said to that. Accepting means that they agreed to open the
//! address; what they did there, the server knows from its own records (2026-07-28, `basic/patterns/mrtr` and
//! `client/elicitation`). No form is ever asked for: what a person decides about money is not for the client to see.

use serde_json::{Map, Value, json};

use crate::fault::Fault;
use crate::finish::ToolContent;
use crate::version::META_CAPABILITIES;

/// A tool that waits for a person.
#[derive(Debug)]
pub struct InputRequired {
    /// Why the person should open the address, in words for them.
    pub message: String,
    /// The address: without credentials in it, and of a page that finds out by itself who opened it.
    pub url: String,
    /// Comes back with the repeated call, as the client chose to send it: good for telling calls apart, and for no
    /// decision unless it is sealed.
    pub request_state: Option<String>,
    /// What a client reads that cannot show an address to a person.
    pub otherwise: ToolContent,
}

/// What a person said to an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ElicitAction {
    /// They agreed to open it.
    Accept,
    /// They refused.
    Decline,
    /// They turned away without a choice.
    Cancel,
}

/// What a repeated call brings beside its arguments.
#[derive(Debug, Default)]
pub(crate) struct Input {
    pub(crate) action: Option<ElicitAction>,
    pub(crate) request_state: Option<String>,
}

/// The one question of an answer, by which the client names its response.
const QUESTION: &str = "visit";

/// Reads what a modern client brings back. Other keys than ours are ignored, and ours may be missing: then the tool
/// asks again.
///
/// # Errors
/// `InvalidParams` for what has not the shape that the specification gives it.
pub(crate) fn read(params: &Map<String, Value>) -> Result<Input, Fault> {
    let action = match params.get("inputResponses") {
        None => None,
        Some(Value::Object(responses)) => responses.get(QUESTION).map(read_action).transpose()?,
        Some(_) => return Err(Fault::invalid_params("`inputResponses` must be an object.".to_owned())),
    };
    let request_state = match params.get("requestState") {
        None => None,
        Some(Value::String(state)) => Some(state.clone()),
        Some(_) => return Err(Fault::invalid_params("`requestState` must be a string.".to_owned())),
    };
    Ok(Input { action, request_state })
}

fn read_action(response: &Value) -> Result<ElicitAction, Fault> {
    match response.get("action").and_then(Value::as_str) {
        Some("accept") => Ok(ElicitAction::Accept),
        Some("decline") => Ok(ElicitAction::Decline),
        Some("cancel") => Ok(ElicitAction::Cancel),
        Some(_) | None => Err(Fault::invalid_params(format!(
            "`inputResponses.{QUESTION}.action` must be accept, decline or cancel."
        ))),
    }
}

/// Whether the client says that it can ask a person to open an address. An empty `elicitation` means forms alone.
pub(crate) fn opens_urls(params: &Map<String, Value>) -> bool {
    let capabilities = params.get("_meta").and_then(|meta| meta.get(META_CAPABILITIES));
    capabilities.and_then(|all| all.pointer("/elicitation/url")).is_some_and(Value::is_object)
}

/// The members of an `InputRequiredResult` that say what is asked.
pub(crate) fn written(input: &InputRequired) -> Map<String, Value> {
    let InputRequired { message, url, request_state, otherwise: _ } = input;
    let visit = json!({
        "method": "elicitation/create",
        "params": { "mode": "url", "message": message, "url": url },
    });
    let mut fields = Map::from_iter([("inputRequests".to_owned(), json!({ QUESTION: visit }))]);
    if let Some(state) = request_state {
        fields.insert("requestState".to_owned(), json!(state));
    }
    fields
}
