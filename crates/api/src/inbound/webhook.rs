//! Webhook endpoints: from bodies and queries to what endpoints and tenants are asked.

use std::collections::BTreeSet;

use data_encoding::BASE64URL_NOPAD;
use endpoint::{Came, Label, Outcome, Url, limits};
use primitives::{EndpointId, Millis, TenantId, UnixMillis};
use serde_json::Value;
use signin::Timestamp;
use tenant::EventType;
use webhook::{Allowed, Meaning, Target};

use super::Faults;
use crate::inbound::mandate::idempotency_key;
use crate::inbound::shape;
use crate::problem::Problem;
use crate::wire::webhook::{ChangeWebhook, CreateWebhook, RecoverWebhook, RotateWebhook};

/// The most attempts of one page, and those of one for which nothing is said.
const PAGE_MAX: u32 = 100;
const PAGE_DEFAULT: u32 = 50;

/// An endpoint that is to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields say what they are by name")]
pub struct NewWebhook {
    pub url: Url,
    pub types: BTreeSet<EventType>,
    pub description: Option<Label>,
}

/// What is to be changed of an endpoint: what is none stays.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields say what they are by name")]
pub struct WebhookChange {
    pub url: Option<Url>,
    pub types: Option<BTreeSet<EventType>>,
    pub description: Option<Option<Label>>,
}

/// Reads an endpoint that is to be made.
///
/// # Errors
/// 400 with every fault.
pub fn create(body: &Value, allowed: &[Allowed]) -> Result<NewWebhook, Problem> {
    let body: CreateWebhook = shape(body)?;
    let mut faults = Faults::default();
    let url = url(&mut faults, &body.url, allowed);
    let types = types(&mut faults, &body.event_types);
    let description = body.description.and_then(|text| faults.take("description", text.parse()));
    faults.finish(url.map(|url| NewWebhook { url, types, description }))
}

/// Reads a change.
///
/// # Errors
/// 400 with every fault.
pub fn change(body: &Value, allowed: &[Allowed]) -> Result<WebhookChange, Problem> {
    let body: ChangeWebhook = shape(body)?;
    let mut faults = Faults::default();
    let url = body.url.and_then(|text| url(&mut faults, &text, allowed));
    let types = body.event_types.map(|texts| types(&mut faults, &texts));
    let description = body
        .description
        .map(|description| description.and_then(|text| faults.take("description", text.parse())));
    faults.finish(Some(WebhookChange { url, types, description }))
}

fn url(faults: &mut Faults, text: &str, allowed: &[Allowed]) -> Option<Url> {
    match Target::read(text, allowed) {
        Ok(target) => faults.take("url", target.as_str().parse()),
        Err(refused) => {
            faults.add("url", refused.to_string());
            None
        }
    }
}

fn types(faults: &mut Faults, texts: &[String]) -> BTreeSet<EventType> {
    if texts.is_empty() || texts.len() > tenant::limits::TYPES {
        let most = tenant::limits::TYPES;
        faults.add("eventTypes", format!("must have 1 to {most} types; `*` stands for all"));
    }
    let read = |(index, text): (usize, &String)| {
        let field = format!("eventTypes[{index}]");
        let parsed: EventType = faults.take(&field, text.parse())?;
        if crate::outbound::webhook::is_sent(&parsed) {
            return Some(parsed);
        }
        faults.add(&field, "takes in no type of event; GET /v1/webhooks/event-types lists them");
        None
    };
    texts.iter().enumerate().filter_map(read).collect()
}

/// Reads how long the former secret signs as well; null is an empty body.
///
/// # Errors
/// 400 with every fault.
pub fn rotation(body: &Value) -> Result<Millis, Problem> {
    let RotateWebhook { overlap_seconds } =
        if body.is_null() { RotateWebhook::default() } else { shape(body)? };
    let mut faults = Faults::default();
    let most = limits::OVERLAP.0 / 1_000;
    let seconds = overlap_seconds.map_or(most, u64::from);
    if seconds > most {
        faults.add("overlapSeconds", format!("must be a whole number from 0 to {most}"));
    }
    faults.finish(Some(Millis::from_seconds(seconds)))
}

/// Reads since when messages are to be recovered.
///
/// # Errors
/// 400 with every fault.
pub fn recovery(body: &Value) -> Result<UnixMillis, Problem> {
    let RecoverWebhook { since } = shape(body)?;
    let mut faults = Faults::default();
    let since = faults.take("since", since.parse::<Timestamp>()).map(|since| since.at());
    faults.finish(since)
}

/// A body that says nothing: none, or an empty object.
///
/// # Errors
/// 400 with every field that is there.
pub fn nothing(body: &Value) -> Result<(), Problem> {
    let mut faults = Faults::default();
    match body {
        Value::Null => {}
        Value::Object(fields) => {
            fields.keys().for_each(|field| faults.add(field, "is not known here; the body says nothing"));
        }
        Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            faults.add("body", "must be a JSON object without fields, or be left out");
        }
    }
    faults.finish(Some(()))
}

/// How many attempts, and before which.
///
/// # Errors
/// 400 with every fault.
pub fn attempts<'a>(pairs: impl Iterator<Item = (&'a str, String)>) -> Result<(Option<u64>, u32), Problem> {
    let mut faults = Faults::default();
    let (mut before, mut limit, mut seen) = (None, None, BTreeSet::new());
    for (name, text) in pairs {
        if !seen.insert(name.to_owned()) {
            faults.add(name, "is given more than once; one value is taken");
        }
        match name {
            "limit" => limit = faults.number(name, &text, 1, PAGE_MAX),
            "cursor" => {
                before = decoded(&text);
                if before.is_none() {
                    faults.add(name, "must be the nextCursor of an earlier page of this list, unchanged");
                }
            }
            _ => faults.add(name, "is not known here; limit and cursor are"),
        }
    }
    faults.finish(Some((before, limit.unwrap_or(PAGE_DEFAULT))))
}

/// A query that asks for nothing.
///
/// # Errors
/// 400 with every parameter that is there.
pub fn unasked<'a>(pairs: impl Iterator<Item = (&'a str, String)>) -> Result<(), Problem> {
    let mut faults = Faults::default();
    pairs.for_each(|(name, _)| faults.add(name, "is not known here; this route has no parameters"));
    faults.finish(Some(()))
}

/// A place among attempts, opaque on the wire.
pub fn encoded(before: u64) -> String {
    BASE64URL_NOPAD.encode(before.to_string().as_bytes())
}

fn decoded(text: &str) -> Option<u64> {
    let text = String::from_utf8(BASE64URL_NOPAD.decode(text.as_bytes()).ok()?).ok()?;
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}

/// The id of an endpoint that is to be made under an `Idempotency-Key`: the same again is the same endpoint. Without the
/// header, `chance` makes it one of its own.
///
/// # Errors
/// 400 for a header that is no key.
pub fn endpoint_id(tenant: &TenantId, key: Option<&str>, chance: &[u8; 32]) -> Result<EndpointId, Problem> {
    let (purpose, own) = match key {
        Some(_) => ("key", idempotency_key(key)?.as_bytes()),
        None => ("chance", chance.as_slice()),
    };
    let purpose = format!("guildhall endpoint v1\0{purpose}\0{tenant}\0");
    Ok(EndpointId::derive(&[purpose.as_bytes(), own]))
}

/// What a receiver's answer to an attempt comes to, with the pause that follows a failure.
pub fn answered(status: u16, retry_after: Option<&str>, attempt: u32, chance: u16, took: Millis) -> Came {
    let outcome = match Meaning::of(status, retry_after) {
        Meaning::Taken => Outcome::Taken,
        Meaning::Gone => Outcome::Gone,
        Meaning::Again { after } => Outcome::Again { pause: webhook::pause(attempt, chance, after) },
    };
    Came { outcome, status: Some(status), error: None, took }
}

/// What an attempt without an answer comes to, in a word.
pub fn unanswered(word: &str, attempt: u32, chance: u16, took: Millis) -> Came {
    let outcome = Outcome::Again { pause: webhook::pause(attempt, chance, None) };
    Came { outcome, status: None, error: word.parse().ok(), took }
}
