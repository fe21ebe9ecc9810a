//! One JSON line per event. Ids, states, codes, statuses and durations only: never a secret, a payment credential or a
//! task's content (S4).

use primitives::CorrelationId;
use serde::Serialize;
use worker::console_log;

use crate::failure::Failure;

#[derive(Default, Serialize)]
struct Line<'a> {
    event: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    correlation_id: Option<&'a CorrelationId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    object: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    method: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    route: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    duration_ms: Option<u64>,
}

fn write(line: &Line<'_>) {
    if let Ok(text) = serde_json::to_string(line) {
        console_log!("{text}");
    }
}

fn object(kind: &str, name: &str) -> Option<String> {
    Some(format!("{kind}:{name}"))
}

/// An object moved. `version` is its journal's length.
pub fn transition(
    kind: &str,
    name: &str,
    correlation_id: &CorrelationId,
    from: &str,
    to: &str,
    version: u64,
) {
    write(&Line {
        event: "transition",
        correlation_id: Some(correlation_id),
        object: object(kind, name),
        from: Some(from),
        to: Some(to),
        version: Some(version),
        ..Line::default()
    });
}

/// An object said no.
pub fn refused(kind: &str, name: &str, correlation_id: &CorrelationId, from: &str, code: &str) {
    write(&Line {
        event: "refused",
        correlation_id: Some(correlation_id),
        object: object(kind, name),
        from: Some(from),
        reason: Some(code),
        ..Line::default()
    });
}

/// Something worth knowing about an object.
pub fn note(kind: &str, name: &str, event: &str) {
    write(&Line { event, object: object(kind, name), ..Line::default() });
}

/// Something failed on our side.
pub fn failure(kind: &str, name: &str, event: &str, failure: &Failure) {
    write(&Line {
        event,
        object: object(kind, name),
        reason: Some(failure.code()),
        error: Some(failure.to_string()),
        ..Line::default()
    });
}

/// A request was answered. Reads that went well and challenges to pay are no events: nothing happened, and a line for
/// each would cost more than the answer.
pub fn request(
    correlation_id: &CorrelationId,
    method: &str,
    route: &str,
    status: u16,
    code: Option<&str>,
    duration_ms: u64,
) {
    let is_read = matches!(method, "GET" | "HEAD") && (200..400).contains(&status);
    if is_read || code == Some("payment_required") {
        return;
    }
    write(&Line {
        event: "request",
        correlation_id: Some(correlation_id),
        method: Some(method),
        route: Some(route),
        status: Some(status),
        reason: code,
        duration_ms: Some(duration_ms),
        ..Line::default()
    });
}
