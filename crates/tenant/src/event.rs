//! What has happened to a tenant: the journal's format.

use std::collections::BTreeSet;

use primitives::{AgentName, Digest, EndpointId, MeterId, ServiceName, UnixMillis};
use serde::{Deserialize, Serialize};
use tariff::Pricing;

use crate::key::KeyId;
use crate::{Account, Change, EventType, Label, Metadata, NewKey, NewService, PayTo};

/// One event of the journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// When it was recorded.
    pub at: UnixMillis,
    /// What happened.
    pub fact: Fact,
}

/// What can have happened. Variants are only added, and fields only with a default: old journals must replay.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields are those of the command that each answers")]
pub enum Fact {
    /// There is a tenant.
    Opened { name: Label, pay_to: Option<PayTo>, key: NewKey },
    /// There is another key.
    KeyCreated { key: NewKey, by: KeyId },
    /// A key has a successor.
    KeyRotated { id: KeyId, key: NewKey, until: UnixMillis, by: KeyId },
    /// A key that nobody has used has another secret.
    KeyReissued { id: KeyId, secret: Digest },
    /// A key opens nothing any more.
    KeyRevoked { id: KeyId },
    /// There is a service, for the first time or again.
    ServiceRegistered { service: Box<NewService>, from: UnixMillis },
    /// It has another price.
    ServicePriced { service: ServiceName, pricing: Pricing, from: UnixMillis },
    /// Something else is said of it.
    ServiceDescribed { service: ServiceName, description: Option<Metadata>, owner: Option<Label> },
    /// It takes usage.
    ServiceEnabled { service: ServiceName },
    /// It takes none for now.
    ServiceDisabled { service: ServiceName },
    /// It takes none, and is not listed.
    ServiceDeleted { service: ServiceName },
    /// An endpoint follows the tenant.
    EndpointAdded { id: EndpointId, types: BTreeSet<EventType> },
    /// It follows other events.
    EndpointChanged { id: EndpointId, types: BTreeSet<EventType> },
    /// It follows nothing any more.
    EndpointRemoved { id: EndpointId },
    /// This is agreed with an agent.
    AccountChanged { agent: AgentName, account: Account },
    /// A meter is used.
    MeterRegistered { meter: MeterId, agent: AgentName, service: ServiceName },
    /// The tenant, or what is set, is otherwise.
    Configured { change: Box<Change> },
    /// Nothing is changed for now.
    Paused { reason: Option<Label> },
    /// All goes on.
    Unpaused,
    /// Nothing is changed until the operator says so.
    Suspended { reason: Option<Label> },
    /// The operator has said so.
    Resumed,
    /// All begins anew, with one key.
    Reset { by: KeyId },
}

/// An event that does not follow from the state: the stored journal contradicts itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Corrupt {
    /// When the event was recorded.
    pub at: UnixMillis,
}

impl core::fmt::Display for Corrupt {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(formatter, "an event of a tenant recorded at {} does not follow", self.at.to_rfc3339())
    }
}

impl core::error::Error for Corrupt {}
