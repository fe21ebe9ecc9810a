//! Answers, as status and body.

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::fault::{Code, Fault};
use crate::message::Id;
use crate::server::Implementation;
use crate::version::{Era, META_SERVER};

/// What goes back to the client: an HTTP status, and a body of `application/json` unless there is nothing to say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// The body, or nothing after a notification.
    pub body: Option<String>,
}

#[derive(Serialize)]
struct Success<'a, R> {
    jsonrpc: &'static str,
    id: &'a Id,
    result: &'a R,
}

#[derive(Serialize)]
struct Failure<'a> {
    jsonrpc: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a Id>,
    error: ErrorObject<'a>,
}

#[derive(Serialize)]
struct ErrorObject<'a> {
    code: i32,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<&'a Value>,
}

/// Whom an answer goes to and who gives it.
#[derive(Debug, Clone)]
pub(crate) struct Addressee {
    pub(crate) id: Id,
    pub(crate) era: Era,
    pub(crate) server: Implementation,
    pub(crate) keep_ms: u32,
}

/// The `_meta` of a modern result.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct ResultMeta {
    #[serde(rename = "io.modelcontextprotocol/serverInfo")]
    server: Implementation,
}

impl Addressee {
    /// A result of any shape.
    pub(crate) fn result<R: Serialize>(&self, result: &R) -> Answer {
        write(200, &Success { jsonrpc: "2.0", id: &self.id, result })
    }

    /// A result that says nothing about how long it is true.
    pub(crate) fn fields(&self, fields: Map<String, Value>) -> Answer {
        match self.era {
            Era::Modern => self.marked("complete", fields),
            Era::Legacy => self.result(&fields),
        }
    }

    /// A modern result that waits for what `fields` asks for. It is true for this call alone, so it is never kept.
    pub(crate) fn input_required(&self, fields: Map<String, Value>) -> Answer {
        self.marked("input_required", fields)
    }

    fn marked(&self, result_type: &str, mut fields: Map<String, Value>) -> Answer {
        fields.insert("resultType".to_owned(), json!(result_type));
        fields.insert("_meta".to_owned(), json!({ META_SERVER: self.server }));
        self.result(&fields)
    }

    /// A result that a modern client may keep. It is `public`: nothing that this server lists depends on who asks.
    pub(crate) fn kept_fields(&self, mut fields: Map<String, Value>) -> Answer {
        if self.era == Era::Modern {
            fields.insert("ttlMs".to_owned(), json!(self.keep_ms));
            fields.insert("cacheScope".to_owned(), json!("public"));
        }
        self.fields(fields)
    }

    /// What a modern result says beside its content: its kind, and who gives it (M3).
    pub(crate) fn modern_marks(&self) -> Option<(&'static str, ResultMeta)> {
        match self.era {
            Era::Modern => Some(("complete", ResultMeta { server: self.server })),
            Era::Legacy => None,
        }
    }

    pub(crate) fn fault(&self, fault: &Fault) -> Answer {
        refuse(Some(&self.id), self.era, fault)
    }
}

/// Accepted, with nothing to say: the answer to a notification.
pub(crate) fn accepted() -> Answer {
    Answer { status: 202, body: None }
}

/// An error. Without an id when the body was no request (M1): the schema knows no `null` there.
pub(crate) fn refuse(id: Option<&Id>, era: Era, fault: &Fault) -> Answer {
    let error =
        ErrorObject { code: fault.code.number(era), message: &fault.message, data: fault.data.as_ref() };
    write(fault.code.status(era), &Failure { jsonrpc: "2.0", id, error })
}

fn write<T: Serialize>(status: u16, message: &T) -> Answer {
    match serde_json::to_string(message) {
        Ok(body) => Answer { status, body: Some(body) },
        // Only a map with keys that are no strings gets here, and no type of this crate has one.
        Err(_) => Answer {
            status: Code::Internal.status(Era::Modern),
            body: Some(
                r#"{"jsonrpc":"2.0","error":{"code":-32603,"message":"The answer could not be written."}}"#
                    .to_owned(),
            ),
        },
    }
}
