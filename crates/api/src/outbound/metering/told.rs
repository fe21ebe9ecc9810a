//! What tenants and meters tell of: the same in the audit log and to webhook endpoints.

use meter::{News, Reservation, ReservationState, Settlement, Subject};
use primitives::{AgentName, AuditId, ServiceName, TenantId, UnixMillis, WebhookId};
use serde::Serialize;
use serde_json::{Error, Value, json};

use super::settlement::{reservation, settlement};
use super::usage::event_name;
use crate::wire::metering::{AssetView, AuditEvent};

/// What has happened.
#[derive(Debug, Clone, PartialEq)]
pub struct Told {
    /// Its type, such as `usage.recorded`.
    pub kind: &'static str,
    /// Of which agent, if it is of one.
    pub agent: Option<AgentName>,
    /// Of which service, if it is of one.
    pub service: Option<ServiceName>,
    /// The rest, by its type.
    pub data: Value,
}

/// Where it was recorded: the name of an object, the number of the event in its journal, and the number of the line among
/// that event's. What is told of it is named by this, so that told twice it is told once.
#[derive(Debug, Clone, Copy)]
pub struct Origin<'a> {
    /// The object's name. Kinds of objects have names of different forms.
    pub object: &'a str,
    /// Counts from 1.
    pub seq: u64,
    /// Counts from 0.
    pub ordinal: u64,
}

impl Origin<'_> {
    /// The id of the line in the audit log.
    pub fn line(&self) -> AuditId {
        self.parts(AuditId::derive)
    }

    /// The id of the message to endpoints.
    pub fn message(&self) -> WebhookId {
        self.parts(WebhookId::derive)
    }

    fn parts<T>(&self, derive: impl FnOnce(&[&[u8]]) -> T) -> T {
        let (seq, ordinal) = (self.seq.to_be_bytes(), self.ordinal.to_be_bytes());
        derive(&[b"guildhall news v1\0", self.object.as_bytes(), b"\0", &seq, &ordinal])
    }
}

impl Told {
    /// The line in the audit log.
    pub fn line(self, tenant: &TenantId, origin: &Origin<'_>, at: UnixMillis) -> AuditEvent {
        AuditEvent {
            id: origin.line().to_string(),
            kind: self.kind.to_owned(),
            timestamp: at.to_rfc3339(),
            tenant: tenant.to_string(),
            agent: self.agent.map(|agent| agent.to_string()),
            service_id: self.service.map(|service| service.to_string()),
            data: self.data,
        }
    }

    /// What endpoints are sent (Standard Webhooks 1.0.0, section "Payload structure").
    ///
    /// # Errors
    /// It cannot be written as JSON.
    pub fn payload(&self, at: UnixMillis) -> Result<String, Error> {
        #[derive(Serialize)]
        struct Payload<'a> {
            #[serde(rename = "type")]
            kind: &'a str,
            timestamp: String,
            data: &'a Value,
        }
        serde_json::to_string(&Payload { kind: self.kind, timestamp: at.to_rfc3339(), data: &self.data })
    }
}

/// What a meter tells of.
///
/// # Errors
/// It cannot be written as JSON.
pub fn meter_news(subject: &Subject, news: &News, version: u64, asset: &AssetView) -> Result<Told, Error> {
    let bill = |kind: &'static str, bill: &Settlement| {
        serde_json::to_value(settlement(subject, bill, version, asset, None)).map(|data| (kind, data))
    };
    let (agent, service) = (subject.agent.as_str(), subject.service.as_str());
    let (kind, data) = match news {
        News::Recorded { events, quantity } => {
            let data = json!({
                "agent": agent, "serviceId": service, "events": events, "quantity": quantity, "version": version,
            });
            ("usage.recorded", data)
        }
        News::Reversed { key, of, quantity } => {
            let data = json!({
                "agent": agent, "serviceId": service, "event": event_name(key), "reverses": event_name(of),
                "quantity": quantity, "version": version,
            });
            ("usage.reversed", data)
        }
        News::WrittenOff(settlement) => bill("usage.reset", settlement)?,
        News::Drafted(settlement) => bill("settlement.drafted", settlement)?,
        News::Submitted(settlement) => bill("settlement.submitted", settlement)?,
        News::Settled(settlement) => bill("usage.settled", settlement)?,
        News::Failed(settlement) => bill("settlement.failed", settlement)?,
        News::Reservation(held) => {
            (reservation_kind(held), serde_json::to_value(reservation(subject, held))?)
        }
    };
    let (agent, service) = (Some(subject.agent.clone()), Some(subject.service.clone()));
    Ok(Told { kind, agent, service, data })
}

const fn reservation_kind(reservation: &Reservation) -> &'static str {
    match reservation.state {
        ReservationState::Asked => "reservation.asked",
        ReservationState::Held => "reservation.held",
        ReservationState::Refused { .. } => "reservation.refused",
        ReservationState::Committed { .. } => "reservation.committed",
        ReservationState::Released => "reservation.released",
        ReservationState::Expired => "reservation.expired",
    }
}
