//! Answers, before the runtime has them: the object makes them, the front sends them.

use primitives::CorrelationId;
use serde::{Deserialize, Serialize};

use crate::problem::Problem;

/// The header that ties a request to everything that it caused.
pub(crate) const CORRELATION: &str = "x-correlation-id";

/// An answer.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Reply {
    status: u16,
    media_type: String,
    body: String,
    #[serde(default)]
    allow: Option<String>,
}

impl Reply {
    /// The answer as the runtime wants it.
    pub(crate) fn respond(self, correlation: &CorrelationId) -> worker::Result<web_sys::Response> {
        let headers = [
            ("content-type", self.media_type),
            ("cache-control", "no-store".to_owned()),
            (CORRELATION, correlation.to_string()),
        ];
        let allow = self.allow.map(|methods| ("allow", methods));
        runtime::respond(self.status, headers.into_iter().chain(allow), &self.body)
    }
}

/// A JSON answer.
pub(crate) fn json<T: Serialize>(status: u16, body: &T) -> worker::Result<Reply> {
    Ok(text(status, "application/json", serde_json::to_string(body)?))
}

/// A problem document.
pub(crate) fn problem(correlation: &CorrelationId, problem: &Problem) -> Reply {
    let document = problem.document(correlation);
    let mut reply = text(problem.status(), "application/problem+json", document);
    if let Problem::MethodNotAllowed(allowed) = problem {
        reply.allow = Some((*allowed).to_owned());
    }
    reply
}

/// Any text.
pub(crate) fn text(status: u16, media_type: &str, body: String) -> Reply {
    Reply { status, media_type: media_type.to_owned(), body, allow: None }
}
