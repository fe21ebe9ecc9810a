//! From a settled payment to an entry of the catalogue.

use primitives::UnixMillis;
use serde_json::{Map, Value};

use super::{NAME, RouteTemplate};
use crate::{
    DiscoveryResource, PaymentPayload, PaymentRequirements, ResourceInfo, ResourceKind, VERSION,
    json_schema::{Schema, SchemaFault},
    limits::{
        BAZAAR_BYTES, BAZAAR_DEPTH, DESCRIPTION_CHARACTERS, MEDIA_TYPE_CHARACTERS, TAGS, URL_BYTES,
        WORD_CHARACTERS,
    },
};

/// Why a resource is not listed. Its payment is as good as any.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ListingFault {
    /// The block has more bytes than a catalogue keeps for one resource.
    TooLarge(usize),
    /// The block is nested too deeply.
    TooDeep,
    /// A schema in the block points outside of it.
    ExternalReference,
    /// A field of the block, or of the payment's `resource`, is missing or has a value that it cannot have.
    Malformed {
        /// The field.
        field: &'static str,
    },
    /// The block's schema uses a keyword that is not understood here, or gives one a value that it cannot have.
    Schema {
        /// The keyword.
        keyword: String,
    },
    /// The block's `info` is not what its `schema` describes.
    Mismatch,
}

impl core::fmt::Display for ListingFault {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::TooLarge(bytes) => {
                write!(
                    formatter,
                    "The bazaar block has {bytes} bytes of JSON; at most {BAZAAR_BYTES} are listed."
                )
            }
            Self::TooDeep => {
                write!(formatter, "The bazaar block is nested deeper than {BAZAAR_DEPTH} levels.")
            }
            Self::ExternalReference => {
                formatter.write_str("The bazaar block refers to a schema outside of itself; write it out.")
            }
            Self::Malformed { field } => {
                write!(formatter, "The listing's `{field}` is missing or not valid.")
            }
            Self::Schema { keyword } => write!(
                formatter,
                "The bazaar block's schema uses `{keyword}` in a way that is not understood here; describe the \
                 request without it.",
            ),
            Self::Mismatch => {
                formatter.write_str("The bazaar block's `info` is not what its `schema` describes.")
            }
        }
    }
}

impl core::error::Error for ListingFault {}

impl From<SchemaFault> for ListingFault {
    fn from(fault: SchemaFault) -> Self {
        match fault {
            SchemaFault::Keyword(keyword) | SchemaFault::Malformed(keyword) => Self::Schema { keyword },
        }
    }
}

/// The catalogue's entry for what `payment` paid for, or `None` if it carries no `bazaar` block.
///
/// Called for a payment that settled at `settled_at`, with the requirements that it met. Everything else in the entry is
/// the client's copy of the server's words, which no one signed: it says what a resource is like, never what it costs.
///
/// # Errors
/// The first thing that keeps the resource out of the catalogue.
pub fn listing(
    payment: &PaymentPayload,
    requirements: &PaymentRequirements,
    settled_at: UnixMillis,
) -> Result<Option<DiscoveryResource>, ListingFault> {
    let Some(block) = payment.extensions.as_ref().and_then(|extensions| extensions.get(NAME)) else {
        return Ok(None);
    };
    inspect(block, BAZAAR_DEPTH)?;
    let bytes = block.to_string().len();
    if bytes > BAZAAR_BYTES {
        return Err(ListingFault::TooLarge(bytes));
    }
    let malformed = |field| ListingFault::Malformed { field };
    let info = block.get("info").ok_or(malformed("info"))?;
    let kind = kind(info.get("input").and_then(Value::as_object).ok_or(malformed("info.input"))?)?;
    if !Schema::parse(block.get("schema").ok_or(malformed("schema"))?)?.accepts(info) {
        return Err(ListingFault::Mismatch);
    }
    let template = match block.get("routeTemplate") {
        None | Some(Value::Null) => None,
        Some(text) => {
            let template = text.as_str().and_then(|text| text.parse::<RouteTemplate>().ok());
            Some(template.ok_or(malformed("routeTemplate"))?)
        }
    };
    let about = payment.resource.as_ref().ok_or(malformed("resource"))?;
    Ok(Some(DiscoveryResource {
        resource: address(&about.url, template.as_ref()).ok_or(malformed("resource.url"))?,
        kind,
        x402_version: VERSION,
        accepts: vec![requirements.clone()],
        last_updated: settled_at.to_rfc3339(),
        description: shown(about.description.as_deref(), DESCRIPTION_CHARACTERS),
        mime_type: ascii(about.mime_type.as_deref(), MEDIA_TYPE_CHARACTERS),
        service_name: ascii(about.service_name.as_deref(), WORD_CHARACTERS),
        tags: tags(about),
        extensions: Some(Map::from_iter([(NAME.to_owned(), block.clone())])),
    }))
}

/// Bounds the nesting, and refuses references that lead outside of the block wherever they stand: whoever reads the
/// catalogue may follow them.
fn inspect(value: &Value, depth: usize) -> Result<(), ListingFault> {
    let Some(below) = depth.checked_sub(1) else { return Err(ListingFault::TooDeep) };
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Ok(()),
        Value::Array(list) => list.iter().try_for_each(|value| inspect(value, below)),
        Value::Object(object) => object.iter().try_for_each(|(key, value)| {
            let is_reference = ["$ref", "$dynamicRef", "$id"].contains(&key.as_str());
            if is_reference && !value.as_str().is_some_and(|target| target.starts_with('#')) {
                return Err(ListingFault::ExternalReference);
            }
            inspect(value, below)
        }),
    }
}

/// What the extension itself demands of `info.input`, whatever the block's schema says.
fn kind(input: &Map<String, Value>) -> Result<ResourceKind, ListingFault> {
    let text = |field| input.get(field).and_then(Value::as_str);
    let demand = |holds, field| if holds { Ok(()) } else { Err(ListingFault::Malformed { field }) };
    match text("type") {
        Some("http") => {
            let has_body = matches!(text("method"), Some("POST" | "PUT" | "PATCH"));
            let is_known = has_body || matches!(text("method"), Some("GET" | "HEAD" | "DELETE"));
            demand(is_known, "info.input.method")?;
            let form = text("bodyType");
            let is_form = matches!(form, Some("json" | "form-data" | "text"));
            demand(has_body == is_form && input.contains_key("bodyType") == has_body, "info.input.bodyType")?;
            demand(input.contains_key("body") == has_body, "info.input.body")?;
            Ok(ResourceKind::Http)
        }
        Some("mcp") => {
            demand(text("toolName").is_some_and(|name| !name.is_empty()), "info.input.toolName")?;
            demand(input.get("inputSchema").is_some_and(Value::is_object), "info.input.inputSchema")?;
            let is_known = matches!(text("transport"), Some("streamable-http" | "sse"));
            demand(is_known || !input.contains_key("transport"), "info.input.transport")?;
            Ok(ResourceKind::Mcp)
        }
        Some(_) | None => Err(ListingFault::Malformed { field: "info.input.type" }),
    }
}

/// The resource's origin with the template, or with the path of its URL; never its query, which is one call's.
fn address(url: &str, template: Option<&RouteTemplate>) -> Option<String> {
    let (scheme, rest) = url.split_once("://").filter(|_| url.len() <= URL_BYTES)?;
    let scheme = scheme.to_ascii_lowercase();
    let (target, _) = rest.split_once(['?', '#']).unwrap_or((rest, ""));
    let (host, path) = target.split_at(target.find('/').unwrap_or(target.len()));
    let in_host = |byte: u8| byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte);
    let in_path = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~%!$&'()*+,;=:@/".contains(&byte);
    let is_web = scheme == "https" || scheme == "http";
    let is_plain = !host.is_empty() && host.bytes().all(in_host) && path.bytes().all(in_path);
    let path = template.map_or(path, RouteTemplate::as_str);
    (is_web && is_plain).then(|| format!("{scheme}://{}{path}", host.to_ascii_lowercase()))
}

/// Text for people, or nothing if it is not fit to be shown.
fn shown(text: Option<&str>, characters: usize) -> Option<String> {
    let fits = |text: &&str| !text.chars().any(char::is_control) && text.chars().count() <= characters;
    text.filter(|text| !text.is_empty()).filter(fits).map(str::to_owned)
}

/// The same of printable ASCII.
fn ascii(text: Option<&str>, characters: usize) -> Option<String> {
    shown(text.filter(|text| text.is_ascii()), characters)
}

fn tags(about: &ResourceInfo) -> Option<Vec<String>> {
    let tags = about.tags.iter().flatten().filter_map(|tag| ascii(Some(tag), WORD_CHARACTERS));
    Some(tags.take(TAGS).collect::<Vec<_>>()).filter(|tags| !tags.is_empty())
}
