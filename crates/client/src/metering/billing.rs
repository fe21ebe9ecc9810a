//! Bills: what is open, and what is drawn up over it.

use api::wire::metering::{BillView, PairBody, SettlementView, SettlementsAnswer, TotalView};
use primitives::{AgentName, MessageId, ServiceName, SettlementId};
use reqwest::Method;

use super::{Metering, Page, put};
use crate::{Error, Recorded};

const READING: &str = "reading the bill";

/// Which bills are listed.
#[derive(Debug, Clone, Default)]
pub struct SettlementFilter {
    /// Only this agent's.
    pub agent: Option<AgentName>,
    /// Only of this service.
    pub service: Option<ServiceName>,
}

impl Metering {
    /// What is open of an agent and a service, line by line, and what it comes to. It includes every event that was
    /// answered.
    ///
    /// # Errors
    /// [`Error::Refused`] with `404` when nothing was ever used, and what every call can meet.
    pub async fn bill(&self, agent: &AgentName, service: &ServiceName) -> Result<BillView, Error> {
        self.get(READING, &format!("v1/billing/{agent}/{service}"), |_| {}).await
    }

    /// What is open of an agent over all services, or of all agents.
    ///
    /// # Errors
    /// What every call can meet.
    pub async fn total(&self, agent: Option<&AgentName>) -> Result<TotalView, Error> {
        self.get(READING, "v1/billing/total", |url| put(url, "agent", agent)).await
    }

    /// Draws a bill up over all that is open of an agent and a service, once under `id`.
    ///
    /// # Errors
    /// [`Error::Refused`]: `settlement_open` while the last bill is not paid, `nothing_to_settle`, `404` when nothing
    /// was ever used; [`Error::Unresolved`] when it is not known whether it was drawn up: ask again under the same id; and
    /// what every call can meet.
    pub async fn settle(
        &self,
        agent: &AgentName,
        service: &ServiceName,
        id: &MessageId,
    ) -> Result<Recorded<SettlementView>, Error> {
        let body = PairBody { agent: agent.to_string(), service_id: service.to_string() };
        self.once("drawing up the bill", "v1/settle", &body, id).await
    }

    /// A page of the bills, newest first.
    ///
    /// # Errors
    /// What every call can meet.
    pub async fn settlements(
        &self,
        filter: &SettlementFilter,
        page: &Page,
    ) -> Result<SettlementsAnswer, Error> {
        let query = |url: &mut _| {
            put(url, "agent", filter.agent.as_ref());
            put(url, "serviceId", filter.service.as_ref());
            page.write_to(url);
        };
        self.get("reading the bills", "v1/settlements", query).await
    }

    /// Takes a bill back that nobody has begun to pay: what it billed is open again.
    ///
    /// # Errors
    /// [`Error::Refused`]: `settlement_not_drafted`; and what every call can meet.
    pub async fn void(&self, settlement: &SettlementId) -> Result<SettlementView, Error> {
        self.act("taking the bill back", Method::POST, &format!("v1/settlements/{settlement}/void")).await
    }
}
