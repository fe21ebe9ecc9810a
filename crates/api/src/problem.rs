//! Problem documents (RFC 9457): every refusal says what was wrong, where, and what to do.

use serde::{Deserialize, Serialize};

/// One fault in a body, with its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FieldFault {
    /// The place, such as `payload.title`; `body` for the whole.
    pub field: String,
    /// What is wrong with it and what is allowed.
    pub message: String,
}

/// A refusal as it travels, `application/problem+json`.
// What follows from these members (type, title, and contract 1.0's two) is filled in on the way out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(from = "Document", into = "Document")]
pub struct Problem {
    /// The HTTP status.
    pub status: u16,
    /// What was wrong and what to do.
    pub detail: String,
    /// Stable, for programs.
    pub code: String,
    /// The correlation id of the answer.
    pub request_id: String,
    /// Whether the same request can succeed later.
    pub retryable: bool,
    /// Faults in the body, each with its place.
    pub errors: Vec<FieldFault>,
}

impl Problem {
    /// A problem without field faults. The request id is filled in when the answer is sent.
    pub fn new(status: u16, code: &str, detail: impl Into<String>) -> Self {
        Self {
            status,
            detail: detail.into(),
            code: code.to_owned(),
            request_id: String::new(),
            retryable: matches!(status, 429 | 503),
            errors: Vec::new(),
        }
    }

    /// The same, with the faults of a body.
    pub fn with_faults(mut self, errors: Vec<FieldFault>) -> Self {
        self.errors = errors;
        self
    }

    /// The same, marked as worth repeating.
    pub fn retryable(mut self) -> Self {
        self.retryable = true;
        self
    }
}

/// All members of the document.
#[derive(Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Problem"))]
#[serde(rename_all = "camelCase")]
struct Document {
    /// `https://guildhall.dev/problems/<code>`.
    #[serde(rename = "type")]
    kind: String,
    /// The status in words.
    title: String,
    /// The HTTP status.
    status: u16,
    /// What was wrong and what to do.
    detail: String,
    /// Stable, for programs.
    code: String,
    /// The correlation id of the answer.
    request_id: String,
    /// Whether the same request can succeed later.
    retryable: bool,
    /// Faults in the body, each with its place.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    errors: Vec<FieldFault>,
    /// Always true; kept from contract 1.0.
    error: bool,
    /// `detail` again; kept from contract 1.0.
    message: String,
}

impl From<Problem> for Document {
    fn from(problem: Problem) -> Self {
        let Problem { status, detail, code, request_id, retryable, errors } = problem;
        let kind = format!("https://guildhall.dev/problems/{code}");
        let (title, message) = (title(status).to_owned(), detail.clone());
        Self { kind, title, status, detail, code, request_id, retryable, errors, error: true, message }
    }
}

impl From<Document> for Problem {
    fn from(document: Document) -> Self {
        let Document { status, detail, code, request_id, retryable, errors, .. } = document;
        Self { status, detail, code, request_id, retryable, errors }
    }
}

const fn title(status: u16) -> &'static str {
    match status {
        400 => "Bad request",
        401 => "Unauthenticated",
        402 => "Payment required",
        403 => "Forbidden",
        404 => "Not found",
        405 => "Method not allowed",
        409 => "Conflict",
        413 => "Too large",
        415 => "Unsupported media type",
        422 => "Refused",
        426 => "Upgrade required",
        429 => "Too many requests",
        503 => "Unavailable",
        _ => "Internal error",
    }
}
