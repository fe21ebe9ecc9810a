//! Words that every part of the product shares: time, money, digests, secrets, names, and the frame of a message.
//!
//! Each type is parsed once, at the edge, and is valid from then on. What does not belong here: anything that
//! only one core needs, anything that knows a protocol, and anything that reads a clock or a random source.

mod digest;
mod id;
mod message;
mod money;
mod refusal;
mod secret;
mod text;
mod time;

pub use digest::{Digest, canonical_json};
pub use id::{
    AgentIdentity, AgentName, AuditId, CorrelationId, EndpointId, ExecutorId, GigId, MessageId, MeterId,
    PaymentId, ReservationId, RunId, ServiceName, SettlementId, TenantId, WebhookId,
};
pub use message::{Call, JournalRow, Operation, Reply};
pub use money::BaseUnits;
pub use secret::{Secret, SecretKind};
pub use time::{Millis, UnixMillis};

/// A value that does not have the form its type demands. `Display` says what was wrong and what is allowed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Malformed {
    /// The type's name in the field's words, such as `gig id`.
    pub what: &'static str,
    /// What a correct value looks like.
    pub allowed: &'static str,
}

impl core::fmt::Display for Malformed {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(formatter, "is not a valid {}: {}", self.what, self.allowed)
    }
}

impl core::error::Error for Malformed {}
