//! Answers on their way out: the headers that each of them carries.

use api::problem::Problem;
use api::route::Readers;
use primitives::CorrelationId;
use serde::Serialize;
use shell::Failure;

use crate::rejection::Rejection;

/// What a page in a browser may read of an answer.
const EXPOSED: &str = "PAYMENT-REQUIRED, PAYMENT-RESPONSE, X-PAYMENT-RESPONSE, X-Correlation-ID, Idempotency-Replayed, Retry-After, ETag, X-Next-Cursor";
/// What a page in a browser may send.
const ALLOWED: &str = "Content-Type, Accept, Authorization, X-Agent-Identity, X-Correlation-ID, X-Request-Id, traceparent, Idempotency-Key, If-Match, Signature, Signature-Input, Content-Digest, X-Guildhall-Agent, X-Guildhall-Timestamp, X-Guildhall-Signature, X-Hestr-Agent, X-Hestr-Timestamp, X-Hestr-Signature, PAYMENT-SIGNATURE, X-PAYMENT, SIGN-IN-WITH-X, Access-Control-Expose-Headers, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID";

/// An answer before it has its common headers.
pub struct Outgoing {
    /// The HTTP status.
    pub status: u16,
    /// The media type.
    pub content_type: &'static str,
    /// The body.
    pub body: String,
    /// Headers of its own.
    pub headers: Vec<(&'static str, String)>,
    /// The problem's code, for the log.
    pub code: Option<String>,
}

impl Outgoing {
    /// JSON.
    pub fn json<T: Serialize>(status: u16, value: &T) -> Result<Self, Rejection> {
        Ok(Self::text(status, "application/json", serde_json::to_string(value)?))
    }

    /// Text of some media type.
    pub const fn text(status: u16, content_type: &'static str, body: String) -> Self {
        Self { status, content_type, body, headers: Vec::new(), code: None }
    }

    /// The same with one more header.
    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    /// A problem document.
    pub fn problem(
        mut problem: Problem,
        headers: Vec<(&'static str, String)>,
        correlation_id: &CorrelationId,
    ) -> Self {
        correlation_id.as_str().clone_into(&mut problem.request_id);
        let body = serde_json::to_string(&problem).unwrap_or_default();
        let mut outgoing = Self::text(problem.status, "application/problem+json", body);
        outgoing.headers = headers;
        outgoing.headers.push(("cache-control", "no-store".to_owned()));
        outgoing.code = Some(problem.code);
        outgoing
    }

    /// Ours, not the caller's: it may try again.
    pub fn failure(failure: &Failure, correlation_id: &CorrelationId) -> Self {
        let problem = match failure {
            Failure::Configuration(text) => {
                let detail =
                    format!("This deployment is not set up for this: {text}. Its operator must mend it.");
                Problem::new(503, "not_configured", detail)
            }
            Failure::Runtime(_) | Failure::Late(_) | Failure::Corrupt(_) => Problem::new(
                503,
                "unavailable",
                "Something on our side failed. Nothing is half done; send the same request again in a moment.",
            ),
        };
        Self::problem(problem, vec![("retry-after", "1".to_owned())], correlation_id)
    }

    /// The answer with the headers that every answer to these readers has.
    pub fn finish(
        self,
        readers: Readers,
        correlation_id: &CorrelationId,
    ) -> worker::Result<web_sys::Response> {
        let content_type = self.content_type.to_owned();
        let common = common(content_type, readers, correlation_id);
        runtime::respond(self.status, common.into_iter().chain(self.headers), &self.body)
    }
}

/// An object's stream with the headers that every answer to these readers has.
pub fn stream(
    response: &web_sys::Response,
    readers: Readers,
    correlation_id: &CorrelationId,
) -> worker::Result<web_sys::Response> {
    let content_type = response.headers().get("content-type")?.unwrap_or_default();
    let common = common(content_type, readers, correlation_id);
    runtime::pass_on(response, common.into_iter().chain([("cache-control", "no-store".to_owned())]))
}

fn common(
    content_type: String,
    readers: Readers,
    correlation_id: &CorrelationId,
) -> [(&'static str, String); 4] {
    let [first, second] = match readers {
        Readers::Anyone => [
            ("access-control-allow-origin", "*".to_owned()),
            ("access-control-expose-headers", EXPOSED.to_owned()),
        ],
        Readers::SameOrigin => [
            ("cross-origin-resource-policy", "same-origin".to_owned()),
            ("cache-control", "no-store".to_owned()),
        ],
    };
    [("content-type", content_type), ("x-correlation-id", correlation_id.to_string()), first, second]
}

/// The answer to a browser that asks what a page of another origin may send.
pub fn preflight(readers: Readers, correlation_id: &CorrelationId) -> worker::Result<web_sys::Response> {
    let nothing = Outgoing::text(204, "text/plain", String::new());
    match readers {
        Readers::Anyone => nothing
            .with("access-control-allow-methods", "GET, HEAD, POST, OPTIONS")
            .with("access-control-allow-headers", ALLOWED)
            .with("access-control-max-age", "86400"),
        Readers::SameOrigin => nothing,
    }
    .finish(readers, correlation_id)
}
