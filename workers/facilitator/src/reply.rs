//! Answers as the runtime wants them.

use primitives::CorrelationId;
use serde::Serialize;
use worker::{Headers, Response, Result};

use crate::problem::Problem;

/// The header that ties a request to everything that it caused.
pub(crate) const CORRELATION: &str = "x-correlation-id";

/// A JSON answer.
pub(crate) fn json<T: Serialize>(correlation: &CorrelationId, status: u16, body: &T) -> Result<Response> {
    text(correlation, status, "application/json", serde_json::to_string(body)?)
}

/// A problem document.
pub(crate) fn problem(correlation: &CorrelationId, problem: &Problem) -> Result<Response> {
    let document = problem.document(correlation);
    let response = text(correlation, problem.status(), "application/problem+json", document)?;
    if let Problem::MethodNotAllowed(allowed) = problem {
        response.headers().set("allow", allowed)?;
    }
    Ok(response)
}

/// Any text.
pub(crate) fn text(
    correlation: &CorrelationId,
    status: u16,
    media_type: &str,
    body: String,
) -> Result<Response> {
    let headers = Headers::new();
    headers.set("content-type", media_type)?;
    headers.set("cache-control", "no-store")?;
    headers.set(CORRELATION, correlation.as_str())?;
    Ok(Response::ok(body)?.with_status(status).with_headers(headers))
}
