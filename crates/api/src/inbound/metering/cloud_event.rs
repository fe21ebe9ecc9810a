//! Usage as CloudEvents 1.0: the JSON event format, and the binary mode of the HTTP protocol binding.

use serde_json::Value;

use super::usage::{Fields, Usage, fault};
use crate::inbound::{Faults, shape};
use crate::problem::Problem;
use crate::wire::metering::{CloudEvent, CloudEventData};

/// Reads an event of the JSON event format (section 3).
///
/// # Errors
/// 400 with every fault.
pub(super) fn structured(body: &Value) -> Result<Usage, Problem> {
    let event: CloudEvent = shape(body)?;
    if event.data_base64.is_some() {
        return Err(fault("data_base64", "is not taken; send data as JSON"));
    }
    // Without a media type, `data` is JSON (JSON event format, section 3.1).
    let media_type = event.datacontenttype.as_deref().unwrap_or("application/json");
    if !is_json(media_type) {
        return Err(fault("datacontenttype", "must be application/json: usage is JSON"));
    }
    read("", &event)
}

/// Reads an event of binary mode (HTTP protocol binding, section 3.1): attributes in headers, data as the body, whose media
/// type was found to be JSON.
///
/// # Errors
/// 400 with every fault.
pub(super) fn binary(header: &dyn Fn(&str) -> Option<String>, data: Value) -> Result<Usage, Problem> {
    let mut faults = Faults::default();
    let mut attribute = |name: &str| {
        let text = header(&format!("ce-{name}"))?;
        let decoded = decoded(&text);
        if decoded.is_none() {
            faults.add(&format!("ce-{name}"), "must be text, percent-encoded where it is not visible ASCII");
        }
        decoded
    };
    let (specversion, id, source, kind) =
        (attribute("specversion"), attribute("id"), attribute("source"), attribute("type"));
    let (subject, time) = (attribute("subject"), attribute("time"));
    for name in ["ce-id", "ce-source", "ce-type"] {
        if header(name).is_none() {
            faults.add(name, "is needed of a CloudEvent");
        }
    }
    faults.finish(Some(()))?;
    let event = CloudEvent {
        specversion: specversion.unwrap_or_default(),
        id: id.unwrap_or_default(),
        source: source.unwrap_or_default(),
        kind: kind.unwrap_or_default(),
        subject,
        time,
        datacontenttype: None,
        data: Some(data),
        data_base64: None,
    };
    read("ce-", &event)
}

/// Reads what an event says; `at` stands before the names of its attributes.
fn read(at: &str, event: &CloudEvent) -> Result<Usage, Problem> {
    let place = |name: &str| format!("{at}{name}");
    let data = event.data.as_ref().ok_or_else(|| fault("data", "is needed: serviceId and quantity"))?;
    let data: CloudEventData = shape(data).map_err(within_data)?;
    let mut faults = Faults::default();
    if event.specversion != "1.0" {
        faults.add(&place("specversion"), "must be 1.0");
    }
    if event.kind.is_empty() {
        faults.add(&place("type"), "is empty");
    }
    let (subject, agent) = (event.subject.as_deref(), data.agent.as_deref());
    if subject.zip(agent).is_some_and(|(subject, agent)| subject != agent) {
        faults.add("data.agent", "is another one than subject names; one of the two is enough");
    }
    let (agent_at, agent) = match (subject, agent) {
        (Some(subject), _) => (place("subject"), subject),
        (None, Some(agent)) => ("data.agent".to_owned(), agent),
        (None, None) => {
            faults.add(&place("subject"), "is needed: the agent that has used, or data.agent");
            (place("subject"), "-")
        }
    };
    let fields = Fields {
        agent: (&agent_at, agent),
        service: ("data.serviceId", &data.service_id),
        quantity: ("data.quantity", &data.quantity),
        id: (&place("id"), &event.id),
        source: (&place("source"), &event.source),
        time: (&place("time"), event.time.as_deref()),
    };
    fields.read(faults)
}

fn within_data(mut problem: Problem) -> Problem {
    for fault in &mut problem.errors {
        fault.field = if fault.field == "body" { "data".to_owned() } else { format!("data.{}", fault.field) };
    }
    problem
}

fn is_json(media_type: &str) -> bool {
    let essence = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    matches!(essence.as_str(), "application/json" | "text/json") || essence.ends_with("+json")
}

/// The value of a header without its percent-encoding (HTTP protocol binding, section 3.1.3.2).
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let mut digit = || rest.next().and_then(|digit| char::from(digit).to_digit(16));
            let (high, low) = (digit()?, digit()?);
            bytes.push(u8::try_from(high.checked_mul(16)?.checked_add(low)?).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}
