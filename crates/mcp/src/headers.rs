//! What a modern request says about itself, in its `_meta` and again in its headers, so that a gateway can route it
//! without reading the body. The two must agree: otherwise the gateway judged another request than the one served.

use std::borrow::Cow;

use data_encoding::BASE64;
use serde_json::{Map, Value};

use crate::dispatch::Request;
use crate::fault::{Code, Fault, quoted};
use crate::version::{META_CAPABILITIES, META_VERSION, MODERN_VERSION, supported};

/// Checks what every modern request owes, in the order of the specification: `_meta` whole, version named twice and
/// alike, version served, method and name named twice and alike (M4).
///
/// # Errors
/// The first thing that is missing or contradicts itself.
pub(crate) fn check(request: &Request<'_>, method: &str, params: &Map<String, Value>) -> Result<(), Fault> {
    let header = request.protocol_version.map(str::trim);
    let meta = params.get("_meta").and_then(Value::as_object);
    let Some(version) = meta.and_then(|meta| meta.get(META_VERSION)).and_then(Value::as_str) else {
        // A client of a revision that this server does not know cannot know our `_meta` either.
        return Err(match header {
            Some(header) if supported().all(|version| version != header) => {
                Fault::unsupported_version(header)
            }
            Some(_) | None => meta_missing(META_VERSION, "a string"),
        });
    };
    if !meta.and_then(|meta| meta.get(META_CAPABILITIES)).is_some_and(Value::is_object) {
        return Err(meta_missing(META_CAPABILITIES, "an object"));
    }
    agree("MCP-Protocol-Version", header.map(Cow::Borrowed), version, META_VERSION)?;
    if version != MODERN_VERSION {
        return Err(Fault::unsupported_version(version));
    }
    agree("Mcp-Method", request.mcp_method.map(|value| Cow::Borrowed(value.trim())), method, "method")?;
    let Some(parameter) = named_by(method) else { return Ok(()) };
    // Without the parameter there is nothing to agree with; the method itself says that it is missing.
    let Some(name) = params.get(parameter).and_then(Value::as_str) else { return Ok(()) };
    let header = request.mcp_name.map(decode).transpose()?;
    agree("Mcp-Name", header, name, parameter)
}

/// The parameter that the `Mcp-Name` header repeats.
fn named_by(method: &str) -> Option<&'static str> {
    match method {
        "tools/call" | "prompts/get" => Some("name"),
        "resources/read" => Some("uri"),
        _ => None,
    }
}

fn agree(header: &str, value: Option<Cow<'_, str>>, expected: &str, field: &str) -> Result<(), Fault> {
    let Some(value) = value else {
        return Err(mismatch(format!("The header {header} is missing. It repeats `{field}` of the body.")));
    };
    if value == expected {
        return Ok(());
    }
    Err(mismatch(format!(
        "The header {header} says {}, but `{field}` in the body says {}.",
        quoted(&value),
        quoted(expected)
    )))
}

/// Reads a header value that may be wrapped as `=?base64?…?=`, the form for what a header cannot carry.
fn decode(value: &str) -> Result<Cow<'_, str>, Fault> {
    let value = value.trim();
    let Some(encoded) = value.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?=")) else {
        return Ok(Cow::Borrowed(value));
    };
    BASE64
        .decode(encoded.as_bytes())
        .ok()
        .and_then(|bytes| String::from_utf8(bytes).ok())
        .map(Cow::Owned)
        .ok_or_else(|| {
            mismatch(
                "The header Mcp-Name holds no padded base64 of UTF-8 between =?base64? and ?=.".to_owned(),
            )
        })
}

fn meta_missing(key: &str, kind: &str) -> Fault {
    Fault::new(
        Code::MetaMissing,
        format!("`params._meta[\"{key}\"]` must be {kind} in every request of revision {MODERN_VERSION}."),
    )
}

fn mismatch(message: String) -> Fault {
    Fault::new(Code::HeaderMismatch, message)
}
