//! A party's seat at one gig: the gig and the grant that proves the holder's part in it.

use api::wire::{ClaimAnswer, CreateAnswer, ReconnectAnswer, TunnelGrant};
use primitives::GigId;
use serde::{Deserialize, Serialize};

use crate::Error;

/// A gig and the grant that its buyer or its worker holds.
///
/// The grant's token is a secret: it opens one tunnel socket and signs the holder's lifecycle messages. A seat can be
/// written down (it has a serde form) so that an agent survives its own restart; keep it where only the agent reads.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seat {
    /// The gig.
    pub gig_id: GigId,
    /// The grant, as the board issued it.
    pub tunnel_grant: TunnelGrant,
}

impl core::fmt::Debug for Seat {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter
            .debug_struct("Seat")
            .field("gig_id", &self.gig_id)
            .field("role", &self.tunnel_grant.role)
            .field("agent_identity", &self.tunnel_grant.agent_identity)
            .finish_non_exhaustive()
    }
}

impl Seat {
    /// The buyer's seat; `None` when the answer is a replay whose first grant is already in use. The agent then holds
    /// that first grant, and [`crate::Guildhall::reconnect`] rotates it.
    ///
    /// # Errors
    /// [`Error::OutsideContract`] when the gig id is none.
    pub fn of_buyer(answer: &CreateAnswer) -> Result<Option<Self>, Error> {
        let gig_id = gig_id("posting the gig", &answer.gig.gig_id)?;
        Ok(answer.tunnel_grant.clone().map(|tunnel_grant| Self { gig_id, tunnel_grant }))
    }

    /// The worker's seat.
    ///
    /// # Errors
    /// [`Error::OutsideContract`] when the gig id is none.
    pub fn of_worker(answer: &ClaimAnswer) -> Result<Self, Error> {
        let gig_id = gig_id("claiming the gig", &answer.gig_id)?;
        Ok(Self { gig_id, tunnel_grant: answer.tunnel_grant.clone() })
    }

    /// The same party's seat under the grant that replaced the old one.
    ///
    /// # Errors
    /// [`Error::OutsideContract`] when the gig id is none.
    pub fn of_reconnect(answer: &ReconnectAnswer) -> Result<Self, Error> {
        let gig_id = gig_id("rotating the grant", &answer.gig_id)?;
        Ok(Self { gig_id, tunnel_grant: answer.tunnel_grant.clone() })
    }
}

fn gig_id(operation: &'static str, text: &str) -> Result<GigId, Error> {
    text.parse()
        .map_err(|why| Error::OutsideContract { operation, why: format!("the gig id {text:?} {why}") })
}
