//! What agents are answered.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{GigRecord, LifecycleState, Role};

/// Stands for a secret wherever one must not be written.
pub(super) const REDACTED: &str = "(secret)";

/// What opens a tunnel, once, and signs the holder's lifecycle messages. Keep it secret; it is shown only here.
#[derive(Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TunnelGrant {
    /// The bearer token.
    pub token: String,
    /// Whose seat it opens.
    pub role: Role,
    /// Whom it is bound to; send it as `X-Agent-Identity`.
    pub agent_identity: String,
    /// When it ends with its gig.
    pub expires_at: String,
}

// S4: a grant that slips into a log or a failed assertion shows everything but its secret.
impl core::fmt::Debug for TunnelGrant {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { token: _, role, agent_identity, expires_at } = self;
        formatter
            .debug_struct("TunnelGrant")
            .field("token", &REDACTED)
            .field("role", role)
            .field("agent_identity", agent_identity)
            .field("expires_at", expires_at)
            .finish()
    }
}

/// The answer to a paid create.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CreateAnswer {
    /// What happened, for people.
    pub message: String,
    /// The gig.
    pub gig: GigRecord,
    /// The buyer's grant; `null` when this is a replay and the first grant is already in use.
    pub tunnel_grant: Option<TunnelGrant>,
}

/// The answer to a claim.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClaimAnswer {
    /// What happened, for people.
    pub message: String,
    /// The gig.
    pub gig_id: String,
    /// Where to open the WebSocket.
    pub tunnel_url: String,
    /// The worker's grant.
    pub tunnel_grant: TunnelGrant,
}

/// A page of the board, newest first.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DiscoverAnswer {
    /// How many gigs this page holds.
    pub count: usize,
    /// The gigs.
    pub gigs: Vec<GigRecord>,
    /// Pass it as `cursor` for the next page; `null` at the end.
    pub next_cursor: Option<String>,
}

/// Where a gig stands, as the gig itself says.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StatusAnswer {
    /// What this is, for people.
    pub message: String,
    /// The gig.
    pub gig_id: String,
    /// Where it stands.
    pub lifecycle_state: LifecycleState,
    /// Grows by one with every transition.
    pub lifecycle_version: u32,
    /// Always false here; kept from contract 1.0.
    pub duplicate: bool,
    /// When the gig's time is up.
    pub expires_at: String,
    /// When an unused claim lapses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claim_expires_at: Option<String>,
    /// When an unanswered delivery counts as accepted, if that is before `expires_at`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub review_until: Option<String>,
    /// How many revisions the buyer has asked for.
    pub revisions: u32,
    /// Why it is over, if it is: `accepted`, `accepted_by_timeout`, `cancelled`, `abandoned`, `not_claimed`,
    /// `not_delivered`, `not_reviewed` or `never_funded`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_reason: Option<String>,
}

/// The answer to a lifecycle message.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LifecycleAnswer {
    /// What happened, for people.
    pub message: String,
    /// The gig.
    pub gig_id: String,
    /// Where it stood after the message took effect.
    pub lifecycle_state: LifecycleState,
    /// Its version then.
    pub lifecycle_version: u32,
    /// Whether this message had taken effect before; nothing happened now.
    pub duplicate: bool,
    /// Always true here; a refusal is a problem document.
    pub accepted: bool,
}

/// The answer to a reconnect.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReconnectAnswer {
    /// What happened, for people.
    pub message: String,
    /// Where the gig stands.
    pub lifecycle: StatusAnswer,
    /// The gig.
    pub gig_id: String,
    /// Where it stands.
    pub lifecycle_state: LifecycleState,
    /// Its version.
    pub lifecycle_version: u32,
    /// Whether this message had rotated the grant before; it has been rotated once more.
    pub duplicate: bool,
    /// The grant that replaces the old one.
    pub tunnel_grant: TunnelGrant,
}

/// A browser's one-time pass to the tunnel.
#[derive(Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TicketAnswer {
    /// Offer it as the second WebSocket subprotocol.
    pub ticket: String,
    /// Offer this as the first; the server selects it.
    pub protocol: String,
    /// When the ticket lapses.
    pub expires_at: String,
}

// S4, as for the grant.
impl core::fmt::Debug for TicketAnswer {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { ticket: _, protocol, expires_at } = self;
        formatter
            .debug_struct("TicketAnswer")
            .field("ticket", &REDACTED)
            .field("protocol", protocol)
            .field("expires_at", expires_at)
            .finish()
    }
}

/// A gig's journal, for its two parties.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct JournalAnswer {
    /// The gig.
    pub gig_id: String,
    /// Every event, oldest first.
    pub entries: Vec<JournalEntry>,
    /// The last entry's hash.
    pub head: String,
}

/// One event. `hash` is SHA-256 over the previous entry's hash (32 bytes, zero before the first) followed by the
/// JSON of `{at, correlation_id, event, seq}` without spaces and with keys sorted.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct JournalEntry {
    /// Counts from 1.
    pub seq: u64,
    /// When it was recorded.
    pub at: String,
    /// What caused it.
    pub correlation_id: String,
    /// What happened.
    pub event: Value,
    /// The chain up to here, lower-case hexadecimal.
    pub hash: String,
}

/// The answer of `GET /health`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HealthAnswer {
    /// The product.
    pub service: String,
    /// The contract's version.
    pub version: String,
    /// `ready` or `not_ready`.
    pub status: String,
    /// Each part by name: `d1`, `lifecycle_coordinator`, `facilitator`, `observability`.
    pub checks: std::collections::BTreeMap<String, String>,
    /// When this was looked at.
    pub timestamp: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_secret_is_written_by_debug() {
        // S4
        let (token, ticket) = ("gld_grant_shown_once".to_owned(), "gld_ticket_shown_once".to_owned());
        let expires_at = "2026-11-30T15:00:00.000Z".to_owned();
        let agent_identity = "buyer".to_owned();
        let grant = TunnelGrant { token, role: Role::Buyer, agent_identity, expires_at: expires_at.clone() };
        let ticket = TicketAnswer { ticket, protocol: "guildhall.tunnel.v1".to_owned(), expires_at };
        for text in
            [format!("{grant:?}"), format!("{grant:#?}"), format!("{ticket:?}"), format!("{ticket:#?}")]
        {
            assert!(!text.contains("shown_once"), "{text}");
            assert!(text.contains("(secret)") && text.contains("2026-11-30"), "{text}");
        }
    }
}
