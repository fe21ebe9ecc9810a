//! Requests, as they are sent.

use api::inbound::metering::{Naming, Sent, Unread, Usage, bulk, usage};
use api::problem::Problem;
use serde_json::Value;

pub(crate) const JSON: &str = "application/json";
pub(crate) const STRUCTURED: &str = "application/cloudevents+json; charset=utf-8";
pub(crate) const BATCH: &str = "application/cloudevents-batch+json";

pub(crate) type Headers<'a> = &'a [(&'a str, &'a str)];

fn naming(key: Option<&str>) -> Naming {
    Naming::new(key, [7; 16]).unwrap()
}

fn with<T>(
    content_type: &str,
    headers: Headers<'_>,
    body: &str,
    read: impl FnOnce(&Sent<'_>) -> Result<T, Problem>,
) -> Result<T, Problem> {
    let header =
        |name: &str| headers.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
    read(&Sent { content_type: Some(content_type), header: &header, text: body })
}

pub(crate) fn send(content_type: &str, headers: Headers<'_>, body: &str) -> Result<Usage, Problem> {
    with(content_type, headers, body, |sent| usage(sent, &naming(None)))
}

pub(crate) fn send_keyed(key: &str, body: &str) -> Result<Usage, Problem> {
    with(JSON, &[], body, |sent| usage(sent, &naming(Some(key))))
}

pub(crate) fn send_many(content_type: &str, body: &str) -> Result<Vec<Result<Usage, Unread>>, Problem> {
    with(content_type, &[], body, |sent| bulk(sent, &naming(None), 1_000))
}

/// The places of a problem's faults.
pub(crate) fn places(problem: &Problem) -> Vec<&str> {
    problem.errors.iter().map(|fault| fault.field.as_str()).collect()
}

/// An object with one field changed, or without it.
pub(crate) fn but(whole: &Value, field: &str, value: Option<Value>) -> Value {
    let mut changed = whole.clone();
    let fields = changed.as_object_mut().unwrap();
    match value {
        Some(value) => fields.insert(field.to_owned(), value),
        None => fields.remove(field),
    };
    changed
}
