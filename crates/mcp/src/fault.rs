//! The errors of the protocol, and the HTTP status each one travels with.

use serde_json::{Value, json};

use crate::version::{self, Era};

/// Error codes of JSON-RPC 2.0 and of MCP. Codes of our own would belong outside -32768..-32000; there are none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Code {
    /// The body is not JSON.
    ParseError,
    /// The body is JSON, but no request.
    InvalidRequest,
    /// A method that this server does not have, or whose capability it does not declare.
    MethodNotFound,
    /// Parameters that do not fit the method: an unknown tool, a cursor that was never given out.
    InvalidParams,
    /// A modern request whose `_meta` lacks what every request must say. Shares a code with [`Code::InvalidParams`]
    /// and differs in the status.
    MetaMissing,
    /// A resource that does not exist.
    ResourceNotFound,
    /// Headers that contradict the body, or are missing.
    HeaderMismatch,
    /// A revision that this server does not speak.
    UnsupportedVersion,
    /// Ours: an answer that could not be written.
    Internal,
}

impl Code {
    /// The number on the wire. A resource that is not there has changed its code between the eras.
    pub(crate) fn number(self, era: Era) -> i32 {
        match (self, era) {
            (Self::ParseError, _) => -32700,
            (Self::InvalidRequest, _) => -32600,
            (Self::MethodNotFound, _) => -32601,
            (Self::InvalidParams | Self::MetaMissing, _) | (Self::ResourceNotFound, Era::Modern) => -32602,
            (Self::ResourceNotFound, Era::Legacy) => -32002,
            (Self::HeaderMismatch, _) => -32020,
            (Self::UnsupportedVersion, _) => -32022,
            (Self::Internal, _) => -32603,
        }
    }

    /// The HTTP status. What a method answers about its own parameters rides on 200, in both eras; an unknown method
    /// is 404 only where the specification says so.
    pub(crate) fn status(self, era: Era) -> u16 {
        match self {
            Self::ParseError
            | Self::InvalidRequest
            | Self::MetaMissing
            | Self::HeaderMismatch
            | Self::UnsupportedVersion => 400,
            Self::MethodNotFound => match era {
                Era::Modern => 404,
                Era::Legacy => 200,
            },
            Self::InvalidParams | Self::ResourceNotFound => 200,
            Self::Internal => 500,
        }
    }
}

/// One refusal of the protocol, in words for whoever wrote the client.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) code: Code,
    pub(crate) message: String,
    pub(crate) data: Option<Value>,
}

impl Fault {
    pub(crate) fn new(code: Code, message: String) -> Self {
        Self { code, message, data: None }
    }

    pub(crate) fn unknown_method(method: &str) -> Self {
        Self::new(Code::MethodNotFound, format!("There is no method {} here.", quoted(method)))
    }

    pub(crate) fn invalid_params(message: String) -> Self {
        Self::new(Code::InvalidParams, message)
    }

    pub(crate) fn resource_not_found(uri: &str) -> Self {
        Self {
            code: Code::ResourceNotFound,
            message: "There is no such resource; resources/list names all of them.".to_owned(),
            data: Some(json!({ "uri": uri })),
        }
    }

    /// Names the revisions that would have been accepted. The refused one is left out: a legacy revision is spoken
    /// here, but only without the `_meta` of the modern one.
    pub(crate) fn unsupported_version(requested: &str) -> Self {
        let supported: Vec<&str> = version::supported().filter(|version| *version != requested).collect();
        Self {
            code: Code::UnsupportedVersion,
            message: format!(
                "Protocol version {} is not served in this form. Use {} with `_meta`, or open with initialize.",
                quoted(requested),
                version::MODERN_VERSION
            ),
            data: Some(json!({ "supported": supported, "requested": requested })),
        }
    }
}

/// The most characters of a stranger's word that an error repeats: enough to recognise it.
const QUOTED_CHARS_MAX: usize = 64;

/// A word of the sender's, shortened and made harmless for one line of text.
pub(crate) fn quoted(word: &str) -> String {
    let shown: String = word.chars().take(QUOTED_CHARS_MAX).flat_map(char::escape_debug).collect();
    let more = if word.chars().nth(QUOTED_CHARS_MAX).is_some() { "…" } else { "" };
    format!("\"{shown}{more}\"")
}
