//! Usage: what agents have used of a service.

use api::wire::metering::{
    BulkAnswer, EventBody, EventsOfMeter, MeterView, ReversalAnswer, ReverseBody, UsageAnswer, UsageBody,
};
use primitives::{AgentName, ServiceName};
use reqwest::Method;
use serde_json::json;
use tariff::Quantity;

use super::{Metering, Page};
use crate::{Error, entropy};

const RECORDING: &str = "recording the usage";
const READING: &str = "reading the usage";

/// How an export is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportFormat {
    /// Lines of comma-separated values (RFC 4180).
    Csv,
    /// JSON.
    Json,
}

/// That `agent` has used `quantity` of `service` now, under an id that nobody has used before: sent again, it counts once.
///
/// # Errors
/// [`Error::NoRandomness`].
pub fn used(agent: &AgentName, service: &ServiceName, quantity: Quantity) -> Result<UsageBody, Error> {
    Ok(UsageBody {
        agent: agent.to_string(),
        service_id: service.to_string(),
        quantity: quantity.to_string(),
        id: Some(entropy::fresh_message_id()?.as_str().to_owned()),
        source: None,
        time: None,
    })
}

impl Metering {
    /// Records usage. Without an id it gets a fresh one here, under which all attempts of this call count once.
    ///
    /// # Errors
    /// [`Error::Refused`]: `event_conflict` when the id stands for something else, `reservation_required` for an agent that
    /// prepays, a service that takes no usage; and what every call can meet.
    pub async fn record(&self, usage: &UsageBody) -> Result<UsageAnswer, Error> {
        self.say(RECORDING, Method::POST, "v1/usage", &named(usage.clone())?).await
    }

    /// Records many events at once, at most 1,000. Each counts or is refused by itself, as the answer says.
    ///
    /// # Errors
    /// [`Error::Refused`] when all of it is refused, and what every call can meet.
    pub async fn record_many(&self, usage: &[UsageBody]) -> Result<BulkAnswer, Error> {
        let items: Vec<_> = usage.iter().cloned().map(named).collect::<Result<_, _>>()?;
        self.say(RECORDING, Method::POST, "v1/usage/bulk", &json!({ "items": items })).await
    }

    /// Takes an event back, whole. The same again is the same.
    ///
    /// # Errors
    /// [`Error::Refused`]: `event_not_found`, `event_already_reversed`; and what every call can meet.
    pub async fn reverse(
        &self,
        agent: &AgentName,
        service: &ServiceName,
        event: EventBody,
    ) -> Result<ReversalAnswer, Error> {
        let (agent, service_id) = (agent.to_string(), service.to_string());
        let body = ReverseBody { agent, service_id, reverses: event, id: None, source: None };
        self.say("taking the event back", Method::POST, "v1/usage/reverse", &body).await
    }

    /// What is counted of an agent and a service, up to the last event that was answered.
    ///
    /// # Errors
    /// [`Error::Refused`] with `404` when nothing ever was, and what every call can meet.
    pub async fn usage(&self, agent: &AgentName, service: &ServiceName) -> Result<MeterView, Error> {
        self.get(READING, &format!("v1/usage/{agent}/{service}"), |_| {}).await
    }

    /// A page of the events of an agent and a service, newest receipt first.
    ///
    /// # Errors
    /// As [`Metering::usage`].
    pub async fn events_of(
        &self,
        agent: &AgentName,
        service: &ServiceName,
        page: &Page,
    ) -> Result<EventsOfMeter, Error> {
        self.get(READING, &format!("v1/usage/{agent}/{service}/events"), |url| page.write_to(url)).await
    }

    /// All that is counted, as text.
    ///
    /// # Errors
    /// What every call can meet.
    pub async fn export(&self, format: ExportFormat) -> Result<String, Error> {
        let path = match format {
            ExportFormat::Csv => "v1/usage/export.csv",
            ExportFormat::Json => "v1/usage/export.json",
        };
        let call = self.keyed(self.transport.get(READING, path)?)?;
        Ok(self.transport.patiently(&call).await?.text)
    }
}

fn named(usage: UsageBody) -> Result<UsageBody, Error> {
    let id = match usage.id {
        Some(id) => id,
        None => entropy::fresh_message_id()?.as_str().to_owned(),
    };
    Ok(UsageBody { id: Some(id), ..usage })
}
