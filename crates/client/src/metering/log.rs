//! The log of what happened to a tenant.

use api::wire::metering::{AuditAnswer, AuditSummary};
use primitives::{AgentName, ServiceName};

use super::{Metering, Page, put};
use crate::Error;

const READING: &str = "reading the tenant's log";

/// Which lines are listed.
#[derive(Debug, Clone, Default)]
pub struct EventFilter {
    /// Only of this type, such as `usage.settled`.
    pub kind: Option<String>,
    /// Only about this agent.
    pub agent: Option<AgentName>,
    /// Only about this service.
    pub service: Option<ServiceName>,
}

impl Metering {
    /// A page of the log, newest first. It follows what happens, and says when what it shows was written.
    ///
    /// # Errors
    /// What every call can meet.
    pub async fn events(&self, filter: &EventFilter, page: &Page) -> Result<AuditAnswer, Error> {
        let query = |url: &mut _| {
            put(url, "type", filter.kind.as_ref());
            put(url, "agent", filter.agent.as_ref());
            put(url, "serviceId", filter.service.as_ref());
            page.write_to(url);
        };
        self.get(READING, "v1/events", query).await
    }

    /// How many lines there are, by their types.
    ///
    /// # Errors
    /// What every call can meet.
    pub async fn event_summary(&self) -> Result<AuditSummary, Error> {
        self.get(READING, "v1/events/summary", |_| {}).await
    }
}
