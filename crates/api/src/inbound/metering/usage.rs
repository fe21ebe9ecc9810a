//! Events of usage, in each form in which they come.

use data_encoding::BASE32_NOPAD;
use meter::{EventId, EventKey, EventSource};
use primitives::{AgentName, Digest, ServiceName, UnixMillis};
use serde::Serialize;
use serde_json::Value;
use signin::Timestamp;
use tariff::{Quantity, Version};

use super::cloud_event;
use crate::binding::meter::Said;
use crate::inbound::{Faults, invalid, json, shape, too_large};
use crate::limits;
use crate::problem::{FieldFault, Problem};
use crate::wire::metering::{EventName, ItemError, ReverseBody, UsageBody};

/// Who says so, if nobody else does.
const SOURCE: &str = "api";

/// A request as it came.
pub struct Sent<'a> {
    /// The header `Content-Type`.
    pub content_type: Option<&'a str>,
    /// Any header, by its name in lower case.
    pub header: &'a dyn Fn(&str) -> Option<String>,
    /// The body.
    pub text: &'a str,
}

/// What events without an id of their own are called.
pub struct Naming {
    prefix: String,
}

impl Naming {
    /// By the header `Idempotency-Key`, so that the same again is the same event; without one by 16 fresh random bytes.
    ///
    /// # Errors
    /// 400 for a key that no id can be made of.
    pub fn new(key: Option<&str>, fresh: [u8; 16]) -> Result<Self, Problem> {
        let Some(key) = key else {
            return Ok(Self { prefix: BASE32_NOPAD.encode(&fresh).to_ascii_lowercase() });
        };
        let is_key = (1..=KEY_BYTES).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic());
        if is_key {
            return Ok(Self { prefix: format!("key:{key}") });
        }
        let detail = format!("Idempotency-Key must have 1 to {KEY_BYTES} characters of visible ASCII.");
        Err(Problem::new(400, "invalid_idempotency_key", detail))
    }

    fn name(&self, index: Option<usize>) -> String {
        match index {
            None => self.prefix.clone(),
            Some(index) => format!("{}:{index}", self.prefix),
        }
    }
}

/// With `key:` before and the number of an item behind it, a key is still an event's id.
const KEY_BYTES: usize = 118;

/// An event of usage, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Usage {
    /// Who has used.
    pub agent: AgentName,
    /// What.
    pub service: ServiceName,
    /// Its identity.
    pub key: EventKey,
    /// SHA-256 of the canonical JSON of what it says.
    pub fingerprint: Digest,
    /// When it happened, if it says so.
    pub at: Option<UnixMillis>,
    /// How much.
    pub quantity: Quantity,
}

impl Usage {
    /// The same for its meter: received at `now`, and charged by the one of `versions` that is in force when it happened.
    pub fn said(self, versions: &[Version], now: UnixMillis) -> Said {
        let at = self.at.unwrap_or(now);
        let price = tariff::at(versions, at).map(|version| version.number);
        Said { key: self.key, fingerprint: self.fingerprint, at, quantity: self.quantity, price }
    }
}

/// An item of a bulk that could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unread {
    /// What names the event, as far as it could be read.
    pub event: Option<EventName>,
    /// What was wrong.
    pub error: ItemError,
}

impl Unread {
    fn new(item: &Value, problem: &Problem) -> Self {
        let name = |field: &str| item.get(field).and_then(Value::as_str).map(str::to_owned);
        let event = name("id")
            .map(|id| EventName { source: name("source").unwrap_or_else(|| SOURCE.to_owned()), id });
        let faults: Vec<String> =
            problem.errors.iter().map(|fault| format!("`{}` {}", fault.field, fault.message)).collect();
        let error = ItemError {
            code: "invalid_event".to_owned(),
            detail: format!("The item is no event of usage: {}.", faults.join("; ")),
            field: problem.errors.first().map(|fault| fault.field.clone()),
        };
        Self { event, error }
    }
}

/// As what a body comes, by its media type.
enum Form {
    Plain,
    Binary,
    Structured,
    Batch,
}

impl Sent<'_> {
    fn form(&self) -> Result<Form, Problem> {
        let media_type = self.content_type.unwrap_or_default().split(';').next().unwrap_or_default();
        match media_type.trim().to_ascii_lowercase().as_str() {
            "application/json" if (self.header)("ce-specversion").is_some() => Ok(Form::Binary),
            "application/json" => Ok(Form::Plain),
            "application/cloudevents+json" => Ok(Form::Structured),
            "application/cloudevents-batch+json" => Ok(Form::Batch),
            _ => Err(unsupported(
                "Send usage as application/json, application/cloudevents+json, or to /v1/usage/bulk as \
                 application/cloudevents-batch+json.",
            )),
        }
    }

    fn json(&self) -> Result<Value, Problem> {
        if self.text.len() > limits::BODY_BYTES_MAX {
            return Err(too_large());
        }
        json::read(self.text).map_err(|error| fault("body", format!("is not JSON: {error}")))
    }
}

fn unsupported(detail: &str) -> Problem {
    Problem::new(415, "unsupported_media_type", detail)
}

/// The refusal of a body for one fault.
pub(super) fn fault(field: &str, message: impl Into<String>) -> Problem {
    invalid(vec![FieldFault { field: field.to_owned(), message: message.into() }])
}

/// Reads one event: plain, or as a CloudEvent in structured or binary mode.
///
/// # Errors
/// 415 for another media type, 413, or 400 with every fault.
pub fn usage(sent: &Sent<'_>, naming: &Naming) -> Result<Usage, Problem> {
    match sent.form()? {
        Form::Plain => plain(&sent.json()?, &naming.name(None)),
        Form::Structured => cloud_event::structured(&sent.json()?),
        Form::Binary => cloud_event::binary(sent.header, sent.json()?),
        Form::Batch => Err(unsupported("Send a batch of CloudEvents to /v1/usage/bulk.")),
    }
}

/// Reads a bulk of at most `most` events: `{"items": […]}`, or a batch of CloudEvents. An item that cannot be read says so
/// in its place, and the others are read all the same.
///
/// # Errors
/// 415 for another media type, 413, 400 for a body that is no bulk, 422 for one that has too many items.
pub fn bulk(sent: &Sent<'_>, naming: &Naming, most: usize) -> Result<Vec<Result<Usage, Unread>>, Problem> {
    let form = sent.form()?;
    let items = match (&form, sent.json()?) {
        (Form::Batch, Value::Array(items)) => items,
        (Form::Batch, _) => return Err(fault("body", "must be a JSON array of CloudEvents")),
        (Form::Plain, body) => items(body)?,
        (Form::Structured | Form::Binary, _) => {
            return Err(unsupported("Send one CloudEvent to /v1/usage, and here a batch of them."));
        }
    };
    if items.is_empty() {
        return Err(fault("items", "is empty; send 1 event or more"));
    }
    if items.len() > most {
        let detail =
            format!("The bulk has {} events; {most} are taken at once. Send it in parts.", items.len());
        return Err(Problem::new(422, "bulk_too_large", detail));
    }
    let read = |(index, item): (usize, &Value)| {
        let read = match form {
            Form::Batch => cloud_event::structured(item),
            Form::Plain | Form::Structured | Form::Binary => plain(item, &naming.name(Some(index))),
        };
        read.map_err(|problem| Unread::new(item, &problem))
    };
    Ok(items.iter().enumerate().map(read).collect())
}

/// The items of a body that has nothing else.
fn items(body: Value) -> Result<Vec<Value>, Problem> {
    let Value::Object(mut fields) = body else { return Err(fault("body", "must be a JSON object")) };
    let items = fields.remove("items");
    if let Some(name) = fields.keys().next() {
        return Err(fault(name, "is not known here; items is"));
    }
    match items {
        Some(Value::Array(items)) => Ok(items),
        Some(_) => Err(fault("items", "must be an array of events")),
        None => Err(fault("items", "is needed: an array of events")),
    }
}

fn plain(body: &Value, unnamed: &str) -> Result<Usage, Problem> {
    let UsageBody { agent, service_id, quantity, id, source, time } = shape(body)?;
    let fields = Fields {
        agent: ("agent", &agent),
        service: ("serviceId", &service_id),
        quantity: ("quantity", &quantity),
        id: ("id", id.as_deref().unwrap_or(unnamed)),
        source: ("source", source.as_deref().unwrap_or(SOURCE)),
        time: ("time", time.as_deref()),
    };
    fields.read(Faults::default())
}

/// What an event says, each with the place where it says so.
pub(super) struct Fields<'a> {
    pub(super) agent: (&'a str, &'a str),
    pub(super) service: (&'a str, &'a str),
    pub(super) quantity: (&'a str, &'a str),
    pub(super) id: (&'a str, &'a str),
    pub(super) source: (&'a str, &'a str),
    pub(super) time: (&'a str, Option<&'a str>),
}

impl Fields<'_> {
    pub(super) fn read(self, mut faults: Faults) -> Result<Usage, Problem> {
        let agent = faults.take(self.agent.0, self.agent.1.parse::<AgentName>());
        let service = faults.take(self.service.0, self.service.1.parse::<ServiceName>());
        let quantity = faults.take(self.quantity.0, self.quantity.1.parse::<Quantity>());
        let key = event_key(&mut faults, self.source, self.id);
        let at = moment(&mut faults, self.time);
        let read = agent.zip(service).zip(quantity).zip(key);
        let (((agent, service), quantity), key) = faults.finish(read)?;
        let fingerprint = fingerprint(&agent, &service, quantity, self.time.1);
        Ok(Usage { agent, service, key, fingerprint, at, quantity })
    }
}

pub(super) fn moment(faults: &mut Faults, time: (&str, Option<&str>)) -> Option<UnixMillis> {
    let text = time.1?;
    faults.take(time.0, text.parse::<Timestamp>()).map(|moment| moment.at())
}

pub(super) fn event_key(faults: &mut Faults, source: (&str, &str), id: (&str, &str)) -> Option<EventKey> {
    let source = faults.take(source.0, source.1.parse::<EventSource>());
    let id = faults.take(id.0, id.1.parse::<EventId>());
    source.zip(id).map(|(source, id)| EventKey { source, id })
}

/// SHA-256 of the canonical JSON of what an event says, with its time as it was given: the same again has the same.
pub(super) fn fingerprint(
    agent: &AgentName,
    service: &ServiceName,
    quantity: Quantity,
    time: Option<&str>,
) -> Digest {
    // In the order of their names, so that the text is canonical as it is written.
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Says<'a> {
        agent: &'a str,
        quantity: Quantity,
        service_id: &'a str,
        time: Option<&'a str>,
    }
    digest(&Says { agent: agent.as_str(), quantity, service_id: service.as_str(), time })
}

/// Of texts and nothing else, which always have a JSON form.
fn digest(says: &impl Serialize) -> Digest {
    Digest::of(&[serde_json::to_string(says).unwrap_or_default().as_bytes()])
}

/// An event that is to be taken back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reversing {
    /// Who had used.
    pub agent: AgentName,
    /// What.
    pub service: ServiceName,
    /// The event that is taken back.
    pub of: EventKey,
    /// The identity of the event that takes it back.
    pub key: EventKey,
    /// SHA-256 of the canonical JSON of what that says.
    pub fingerprint: Digest,
}

/// Reads which event is to be taken back. Without an id of its own, the reversal's follows from the event: an event is taken
/// back once, so the same again is the same reversal.
///
/// # Errors
/// 400 with every fault.
pub fn reversal(body: &Value) -> Result<Reversing, Problem> {
    let ReverseBody { agent, service_id, reverses, id, source } = shape(body)?;
    let mut faults = Faults::default();
    let agent = faults.take("agent", agent.parse::<AgentName>());
    let service = faults.take("serviceId", service_id.parse::<ServiceName>());
    let original = reverses.source.as_deref().unwrap_or(SOURCE);
    let of = event_key(&mut faults, ("reverses.source", original), ("reverses.id", &reverses.id));
    let derived =
        Digest::of(&[b"guildhall reversal v1\0", original.as_bytes(), b"\0", reverses.id.as_bytes()]);
    let id = id.unwrap_or_else(|| format!("reversal:{derived}"));
    let key = event_key(&mut faults, ("source", source.as_deref().unwrap_or(SOURCE)), ("id", &id));
    let ((agent, service), (of, key)) = faults.finish(agent.zip(service).zip(of.zip(key)))?;
    if of == key {
        return Err(fault("id", "is the event's own that it takes back; a reversal has another"));
    }

    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Says<'a> {
        agent: &'a str,
        reverses: Named<'a>,
        service_id: &'a str,
    }
    #[derive(Serialize)]
    struct Named<'a> {
        id: &'a str,
        source: &'a str,
    }
    let reverses = Named { id: of.id.as_str(), source: of.source.as_str() };
    let fingerprint = digest(&Says { agent: agent.as_str(), reverses, service_id: service.as_str() });
    Ok(Reversing { agent, service, of, key, fingerprint })
}
