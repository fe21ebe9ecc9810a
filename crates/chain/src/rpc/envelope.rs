//! The JSON-RPC 2.0 envelope: questions out, answers in.

use primitives::Malformed;
use serde_json::{Value, json};

use super::{Fault, Question};
use crate::limits::ANSWER_BYTES;

/// A node's answer to one question.
pub type Answer = Result<Value, Fault>;

/// The body that asks these questions: one object for one question, else a batch. Their ids count from 0.
pub fn body(questions: &[&Question]) -> String {
    let mut requests: Vec<Value> = questions.iter().enumerate().map(request).collect();
    match requests.pop() {
        Some(only) if requests.is_empty() => only,
        last => {
            requests.extend(last);
            Value::Array(requests)
        }
    }
    .to_string()
}

fn request((id, question): (usize, &&Question)) -> Value {
    let Question { method, params } = question;
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

/// The answers to `count` questions that were asked together, in the order of the questions.
///
/// Nodes answer a batch in any order. One that does not take the batch at all (it is too long, or the caller asks
/// too often) answers with a single fault, which is then the answer to each question.
///
/// # Errors
/// When the text is longer than [`ANSWER_BYTES`], is not JSON, or does not answer each question exactly once with
/// either a result or a fault.
pub fn answers(text: &str, count: usize) -> Result<Vec<Answer>, Malformed> {
    if text.len() > ANSWER_BYTES {
        return Err(malformed("at most 1 MiB"));
    }
    let answer: Value = serde_json::from_str(text).map_err(|_| malformed("JSON"))?;
    if is_for_all(&answer, count) {
        let fault = outcome(answer)?;
        return Ok(vec![fault; count]);
    }
    let replies = if let Value::Array(replies) = answer { replies } else { vec![answer] };
    let mut slots: Vec<Option<Answer>> = vec![None; count];
    for reply in replies {
        let id = reply.get("id").and_then(Value::as_u64).and_then(|id| usize::try_from(id).ok());
        let slot = id.and_then(|id| slots.get_mut(id)).filter(|slot| slot.is_none());
        let slot = slot.ok_or(malformed("one reply for each id that was asked, and no other"))?;
        *slot = Some(outcome(reply)?);
    }
    slots.into_iter().collect::<Option<_>>().ok_or(malformed("a reply for every id that was asked"))
}

/// Whether a single reply speaks about the whole body: a fault without an id, or any fault instead of a batch.
fn is_for_all(reply: &Value, count: usize) -> bool {
    let is_fault = reply.get("error").is_some_and(|error| !error.is_null());
    is_fault && (count > 1 || reply.get("id").is_none_or(Value::is_null))
}

/// What one reply says. A member that is null counts as absent where the other one speaks, as older nodes write.
fn outcome(mut reply: Value) -> Result<Answer, Malformed> {
    let mut take = |name| reply.get_mut(name).map(Value::take);
    match (take("result"), take("error").filter(|error| !error.is_null())) {
        (Some(result), None) => Ok(Ok(result)),
        (None | Some(Value::Null), Some(error)) => Fault::parse(&error).map(Err),
        (Some(_), Some(_)) | (None, None) => Err(malformed("either a result or an error in each reply")),
    }
}

fn malformed(allowed: &'static str) -> Malformed {
    Malformed { what: "JSON-RPC answer", allowed }
}
