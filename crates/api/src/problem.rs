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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Problem {
    /// `https://guildhall.dev/problems/<code>`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The status in words.
    pub title: String,
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
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<FieldFault>,
    /// Always true; kept from contract 1.0.
    pub error: bool,
    /// `detail` again; kept from contract 1.0.
    pub message: String,
}

impl Problem {
    /// A problem without field faults. The request id is filled in when the answer is sent.
    pub fn new(status: u16, code: &str, detail: impl Into<String>) -> Self {
        let detail = detail.into();
        Self {
            kind: format!("https://guildhall.dev/problems/{code}"),
            title: title(status).to_owned(),
            status,
            code: code.to_owned(),
            request_id: String::new(),
            retryable: matches!(status, 429 | 503),
            errors: Vec::new(),
            error: true,
            message: detail.clone(),
            detail,
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
