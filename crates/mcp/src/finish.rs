//! From the caller's work to the answer.

use serde::Serialize;
use serde_json::value::RawValue;

use crate::answer::{Answer, ResultMeta};
use crate::dispatch::{ResourceRead, ToolCall};
use crate::fault::Fault;
use crate::input::{self, InputRequired};

/// How a tool ended.
#[derive(Debug)]
pub enum ToolOutcome {
    /// It did what was asked.
    Succeeded(ToolContent),
    /// It could not, for a reason that the model can act on: arguments that do not fit, a gig that is gone.
    Failed(ToolContent),
    /// It goes on when a person has opened an address.
    InputRequired(InputRequired),
}

/// What a tool has to say.
#[derive(Debug)]
pub struct ToolContent {
    /// The text that a model reads. Where there is a structured form, it is that form as JSON text.
    pub text: String,
    /// The same for programs: a JSON object, already written.
    pub structured: Option<Box<RawValue>>,
}

impl ToolContent {
    /// Words alone.
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), structured: None }
    }
}

/// A resource that is listed and yet is not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotFound;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CallResult<'a> {
    content: [TextContent<'a>; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    structured_content: Option<&'a RawValue>,
    is_error: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    result_type: Option<&'static str>,
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<ResultMeta>,
}

#[derive(Serialize)]
struct TextContent<'a> {
    r#type: &'static str,
    text: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ReadResult<'a> {
    contents: [ResourceContents<'a>; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    ttl_ms: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cache_scope: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result_type: Option<&'static str>,
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<ResultMeta>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ResourceContents<'a> {
    uri: &'a str,
    mime_type: &'a str,
    text: &'a str,
}

/// Writes the answer to a tool call. A tool's own failure is a result, not an error of the protocol: only so does the
/// model get to read it.
///
/// A client that cannot show an address to a person reads that the tool waits in an ordinary result (M6). It is no
/// error, because errors are what a model corrects, and a call with other arguments would be another call.
pub fn finish_call(call: &ToolCall, outcome: &ToolOutcome) -> Answer {
    let (content, is_error) = match outcome {
        ToolOutcome::Succeeded(content) => (content, false),
        ToolOutcome::Failed(content) => (content, true),
        ToolOutcome::InputRequired(input) if call.opens_urls => {
            return call.to.input_required(input::written(input));
        }
        ToolOutcome::InputRequired(input) => (&input.otherwise, false),
    };
    let (result_type, meta) = call.to.modern_marks().unzip();
    call.to.result(&CallResult {
        content: [TextContent { r#type: "text", text: &content.text }],
        structured_content: content.structured.as_deref(),
        is_error,
        result_type,
        meta,
    })
}

/// Writes the answer to a read: the whole document as text.
pub fn finish_read(read: &ResourceRead, outcome: Result<&str, NotFound>) -> Answer {
    let text = match outcome {
        Ok(text) => text,
        Err(NotFound) => return read.to.fault(&Fault::resource_not_found(read.uri)),
    };
    let (result_type, meta) = read.to.modern_marks().unzip();
    read.to.result(&ReadResult {
        contents: [ResourceContents { uri: read.uri, mime_type: read.mime_type, text }],
        ttl_ms: result_type.map(|_| read.to.keep_ms),
        cache_scope: result_type.map(|_| "public"),
        result_type,
        meta,
    })
}
