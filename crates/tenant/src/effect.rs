//! What a tenant owes once an event is on disk.

use primitives::{AgentName, EndpointId, MeterId, ServiceName, UnixMillis};
use serde::{Deserialize, Serialize};

use crate::key::KeyId;
use crate::{Account, Event, Fact, Mode, State};

/// A row on file, written with its event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields say what they are by name")]
pub enum Row {
    /// In place of what is there of the agent.
    Account { agent: AgentName, account: Account },
    /// A meter that was used.
    Meter { meter: MeterId, agent: AgentName, service: ServiceName },
    /// All meters and accounts are to be forgotten.
    Clear,
}

/// What is told to whoever follows the tenant's events, by its type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields say what they are by name")]
pub enum News {
    /// `tenant.opened`
    Opened,
    /// `key.created`
    KeyCreated { key: KeyId },
    /// `key.rotated`
    KeyRotated { key: KeyId, by: KeyId },
    /// `key.reissued`
    KeyReissued { key: KeyId },
    /// `key.revoked`
    KeyRevoked { key: KeyId },
    /// `service.registered`
    ServiceRegistered { service: ServiceName },
    /// `service.priced`
    ServicePriced { service: ServiceName, version: u32, from: UnixMillis },
    /// `service.described`
    ServiceDescribed { service: ServiceName },
    /// `service.enabled`
    ServiceEnabled { service: ServiceName },
    /// `service.disabled`
    ServiceDisabled { service: ServiceName },
    /// `service.deleted`
    ServiceDeleted { service: ServiceName },
    /// `endpoint.added`
    EndpointAdded { endpoint: EndpointId },
    /// `endpoint.changed`
    EndpointChanged { endpoint: EndpointId },
    /// `endpoint.removed`
    EndpointRemoved { endpoint: EndpointId },
    /// `agent.changed`
    AccountChanged { agent: AgentName, mode: Mode },
    /// `config.changed`
    Configured { revision: u64 },
    /// `tenant.paused`
    Paused,
    /// `tenant.unpaused`
    Unpaused,
    /// `tenant.suspended`
    Suspended,
    /// `tenant.resumed`
    Resumed,
    /// `admin.reset`
    Reset,
}

/// What the shell owes, once, after the event is on disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields say what they are by name")]
pub enum Effect {
    /// Keep a row, in the transaction of the event.
    Keep(Row),
    /// Keep a line of the audit log, likewise. Whoever follows it ([`crate::Book::followers`]) is told of it from there.
    Tell(News),
    /// Tell an endpoint's object that it is not wanted any more.
    Drop { endpoint: EndpointId },
}

impl News {
    /// Its type.
    pub const fn event_type(&self) -> &'static str {
        match self {
            Self::Opened => "tenant.opened",
            Self::KeyCreated { .. } => "key.created",
            Self::KeyRotated { .. } => "key.rotated",
            Self::KeyReissued { .. } => "key.reissued",
            Self::KeyRevoked { .. } => "key.revoked",
            Self::ServiceRegistered { .. } => "service.registered",
            Self::ServicePriced { .. } => "service.priced",
            Self::ServiceDescribed { .. } => "service.described",
            Self::ServiceEnabled { .. } => "service.enabled",
            Self::ServiceDisabled { .. } => "service.disabled",
            Self::ServiceDeleted { .. } => "service.deleted",
            Self::EndpointAdded { .. } => "endpoint.added",
            Self::EndpointChanged { .. } => "endpoint.changed",
            Self::EndpointRemoved { .. } => "endpoint.removed",
            Self::AccountChanged { .. } => "agent.changed",
            Self::Configured { .. } => "config.changed",
            Self::Paused => "tenant.paused",
            Self::Unpaused => "tenant.unpaused",
            Self::Suspended => "tenant.suspended",
            Self::Resumed => "tenant.resumed",
            Self::Reset => "admin.reset",
        }
    }
}

/// What is owed once `event` has led away from `before`.
pub fn effects(before: &State, event: &Event) -> Vec<Effect> {
    let (rows, gone) = match &event.fact {
        Fact::AccountChanged { agent, account } => {
            (Some(Row::Account { agent: agent.clone(), account: account.clone() }), Vec::new())
        }
        Fact::MeterRegistered { meter, agent, service } => {
            let (meter, agent, service) = (meter.clone(), agent.clone(), service.clone());
            (Some(Row::Meter { meter, agent, service }), Vec::new())
        }
        Fact::EndpointRemoved { id } => (None, vec![id.clone()]),
        Fact::Reset { .. } => {
            let all = before.book().map(|book| book.endpoints.keys().cloned().collect());
            (Some(Row::Clear), all.unwrap_or_default())
        }
        Fact::Opened { .. }
        | Fact::KeyCreated { .. }
        | Fact::KeyRotated { .. }
        | Fact::KeyReissued { .. }
        | Fact::KeyRevoked { .. }
        | Fact::ServiceRegistered { .. }
        | Fact::ServicePriced { .. }
        | Fact::ServiceDescribed { .. }
        | Fact::ServiceEnabled { .. }
        | Fact::ServiceDisabled { .. }
        | Fact::ServiceDeleted { .. }
        | Fact::EndpointAdded { .. }
        | Fact::EndpointChanged { .. }
        | Fact::Configured { .. }
        | Fact::Paused { .. }
        | Fact::Unpaused
        | Fact::Suspended { .. }
        | Fact::Resumed => (None, Vec::new()),
    };
    let told = news(before, &event.fact).map(Effect::Tell);
    let dropped = gone.iter().map(|endpoint| Effect::Drop { endpoint: endpoint.clone() });
    rows.map(Effect::Keep).into_iter().chain(told).chain(dropped).collect()
}

fn news(before: &State, fact: &Fact) -> Option<News> {
    Some(match fact {
        Fact::Opened { .. } => News::Opened,
        Fact::KeyCreated { key, .. } => News::KeyCreated { key: key.id.clone() },
        Fact::KeyRotated { id, key, .. } => News::KeyRotated { key: id.clone(), by: key.id.clone() },
        Fact::KeyReissued { id, .. } => News::KeyReissued { key: id.clone() },
        Fact::KeyRevoked { id } => News::KeyRevoked { key: id.clone() },
        Fact::ServiceRegistered { service, .. } => News::ServiceRegistered { service: service.name.clone() },
        Fact::ServicePriced { service, from, .. } => {
            let newest = before.book().and_then(|book| book.services.get(service)).map_or(0, |it| it.newest);
            News::ServicePriced { service: service.clone(), version: newest.saturating_add(1), from: *from }
        }
        Fact::ServiceDescribed { service, .. } => News::ServiceDescribed { service: service.clone() },
        Fact::ServiceEnabled { service } => News::ServiceEnabled { service: service.clone() },
        Fact::ServiceDisabled { service } => News::ServiceDisabled { service: service.clone() },
        Fact::ServiceDeleted { service } => News::ServiceDeleted { service: service.clone() },
        Fact::EndpointAdded { id, .. } => News::EndpointAdded { endpoint: id.clone() },
        Fact::EndpointChanged { id, .. } => News::EndpointChanged { endpoint: id.clone() },
        Fact::EndpointRemoved { id } => News::EndpointRemoved { endpoint: id.clone() },
        Fact::AccountChanged { agent, account } => {
            News::AccountChanged { agent: agent.clone(), mode: account.mode }
        }
        // What follows of it is told by the meter.
        Fact::MeterRegistered { .. } => return None,
        Fact::Configured { .. } => {
            News::Configured { revision: before.book().map_or(0, |book| book.revision).saturating_add(1) }
        }
        Fact::Paused { .. } => News::Paused,
        Fact::Unpaused => News::Unpaused,
        Fact::Suspended { .. } => News::Suspended,
        Fact::Resumed => News::Resumed,
        Fact::Reset { .. } => News::Reset,
    })
}

/// The next moment at which time alone changes the tenant: none does, since expiry is judged at each use.
pub const fn deadline(_state: &State) -> Option<UnixMillis> {
    None
}
