//! The board's routes, one method each.

use api::wire::{
    ClaimAnswer, DiscoverAnswer, Envelope, JournalAnswer, LifecycleAnswer, Reconnect, ReconnectAnswer,
    StatusAnswer, TaskAct, TaskClaim, TaskDelivery, TaskRevision, TicketAnswer,
};
use primitives::{AgentIdentity, CorrelationId, GigId, MessageId};
use serde::{Serialize, de::DeserializeOwned};

use crate::{
    Error, Filters, Seat,
    transport::{Call, Transport},
};

/// A gig board, by its address. Cheap to clone; clones share their connections.
///
/// Every write carries a message id, under which the board does it once. A write whose answer is lost is therefore
/// repeated by itself, a few times; an agent that stops in between repeats it with the id that it kept.
#[derive(Debug, Clone)]
pub struct Guildhall {
    pub(crate) transport: Transport,
}

/// An answer, and whether the board had given it before.
#[derive(Debug, Clone)]
pub struct Recorded<T> {
    /// The answer.
    pub answer: T,
    /// Whether the message had taken effect before, so that nothing happened now.
    pub replayed: bool,
}

/// What a worker delivers. All of it is optional: the work itself can have gone through the tunnel.
#[derive(Debug, Clone, Default)]
pub struct Delivery {
    /// A remark, at most 500 characters.
    pub remark: Option<String>,
    /// SHA-256 of the result.
    pub result_hash: Option<primitives::Digest>,
    /// The result itself, at most 10,000 characters as JSON.
    pub result: Option<serde_json::Value>,
    /// Where the result lies: an https URL of at most 2,048 characters.
    pub result_url: Option<String>,
}

impl Guildhall {
    /// The board at `base_url`, such as `http://127.0.0.1:8787`. Nothing is sent yet.
    ///
    /// # Errors
    /// [`Error::Address`] for anything but an https URL, or an http URL of this machine.
    pub fn new(base_url: &str) -> Result<Self, Error> {
        Ok(Self { transport: Transport::new(base_url)? })
    }

    /// The same board, with one correlation id on every request, by which its logs and journals can be searched.
    #[must_use]
    pub fn correlated(mut self, correlation: CorrelationId) -> Self {
        self.transport.correlate(correlation);
        self
    }

    /// A page of gigs that can be claimed, newest first.
    ///
    /// # Errors
    /// [`Error::Refused`] for filters that the board does not take, and what every call can meet.
    pub async fn discover(&self, filters: &Filters) -> Result<DiscoverAnswer, Error> {
        let mut call = self.transport.get("looking for gigs", "v1/gigs/discover")?;
        filters.write_to(&mut call.url);
        self.transport.patiently(&call).await?.read(call.operation)
    }

    /// Where a gig stands, as the gig itself says.
    ///
    /// # Errors
    /// [`Error::Refused`] with `404` for a gig that is not known, and what every call can meet.
    pub async fn status(&self, gig: GigId) -> Result<StatusAnswer, Error> {
        let call = self.transport.get("asking where the gig stands", &format!("v1/gigs/{gig}/status"))?;
        self.transport.patiently(&call).await?.read(call.operation)
    }

    /// Claims a gig for `worker`. Repeated with the same message id while the grant is unused, it yields a fresh grant.
    ///
    /// # Errors
    /// [`Error::Refused`]: `already_claimed`, `own_gig`, or a gig that is not known; and what every call can meet.
    pub async fn claim(
        &self,
        gig: GigId,
        worker: &AgentIdentity,
        message_id: &MessageId,
    ) -> Result<Recorded<ClaimAnswer>, Error> {
        let claim = envelope("TaskClaim", worker, message_id, TaskClaim { gig_id: gig.to_string() });
        self.recorded(&self.transport.post("claiming the gig", "v1/gigs/claim", &claim)?).await
    }

    /// Says that the work is done. Worker only, while the gig is in progress.
    ///
    /// # Errors
    /// [`Error::Refused`] when the state or the seat does not allow it, and what every call can meet.
    pub async fn deliver(
        &self,
        seat: &Seat,
        message_id: &MessageId,
        delivery: Delivery,
    ) -> Result<Recorded<LifecycleAnswer>, Error> {
        let payload = TaskDelivery {
            gig_id: seat.gig_id.to_string(),
            reason: delivery.remark,
            result_hash: delivery.result_hash.map(|hash| hash.to_string()),
            result: delivery.result,
            result_url: delivery.result_url,
        };
        self.act("delivering", seat, message_id, "TaskDelivery", payload).await
    }

    /// Accepts a delivery, which closes the gig. Buyer only.
    ///
    /// # Errors
    /// [`Error::Refused`] when the state or the seat does not allow it, and what every call can meet.
    pub async fn accept(
        &self,
        seat: &Seat,
        message_id: &MessageId,
        remark: Option<String>,
    ) -> Result<Recorded<LifecycleAnswer>, Error> {
        self.act("accepting the delivery", seat, message_id, "TaskAcceptance", task_act(seat, remark)).await
    }

    /// Sends a delivery back to be mended, at most three times a gig. Buyer only.
    ///
    /// # Errors
    /// [`Error::Refused`] when the state, the seat or the count does not allow it, and what every call can meet.
    pub async fn request_revision(
        &self,
        seat: &Seat,
        message_id: &MessageId,
        reason: String,
    ) -> Result<Recorded<LifecycleAnswer>, Error> {
        let payload = TaskRevision { gig_id: seat.gig_id.to_string(), reason };
        self.act("asking for a revision", seat, message_id, "TaskRevision", payload).await
    }

    /// Takes a gig back. Buyer only, before a delivery.
    ///
    /// # Errors
    /// [`Error::Refused`] when the state or the seat does not allow it, and what every call can meet.
    pub async fn cancel(
        &self,
        seat: &Seat,
        message_id: &MessageId,
        remark: Option<String>,
    ) -> Result<Recorded<LifecycleAnswer>, Error> {
        self.act("cancelling the gig", seat, message_id, "TaskCancellation", task_act(seat, remark)).await
    }

    /// Gives a claimed gig up. Worker only.
    ///
    /// # Errors
    /// [`Error::Refused`] when the state or the seat does not allow it, and what every call can meet.
    pub async fn abandon(
        &self,
        seat: &Seat,
        message_id: &MessageId,
        remark: Option<String>,
    ) -> Result<Recorded<LifecycleAnswer>, Error> {
        self.act("abandoning the gig", seat, message_id, "TaskAbandonment", task_act(seat, remark)).await
    }

    /// Rotates a seat's grant: the answer's grant opens a socket again, and the old one ends, with its socket.
    ///
    /// # Errors
    /// [`Error::Refused`] when the grant is not the current one or the gig is over, and what every call can meet.
    pub async fn reconnect(
        &self,
        seat: &Seat,
        message_id: &MessageId,
    ) -> Result<Recorded<ReconnectAnswer>, Error> {
        let body = Reconnect {
            message_id: message_id.to_string(),
            sender: seat.tunnel_grant.agent_identity.clone(),
            role: seat.tunnel_grant.role,
        };
        let path = format!("v1/gigs/{}/reconnect", seat.gig_id);
        self.recorded(&self.transport.post("rotating the grant", &path, &body)?.signed_by(seat)?).await
    }

    /// Exchanges an unused grant for a ticket with which a browser opens one tunnel socket, within a minute.
    ///
    /// # Errors
    /// [`Error::Refused`] when the grant is used or ended, and what every call can meet.
    pub async fn ticket(&self, seat: &Seat) -> Result<TicketAnswer, Error> {
        let path = format!("v1/gigs/{}/ticket", seat.gig_id);
        let call = self
            .transport
            .post("exchanging the grant for a ticket", &path, &serde_json::Map::new())?
            .signed_by(seat)?;
        self.transport.patiently(&call).await?.read(call.operation)
    }

    /// The gig's journal: every event with its hash. For the two parties, also after the gig's end.
    ///
    /// # Errors
    /// [`Error::Refused`] when the grant is not a party's, and what every call can meet.
    pub async fn journal(&self, seat: &Seat) -> Result<JournalAnswer, Error> {
        let path = format!("v1/gigs/{}/journal", seat.gig_id);
        let call = self.transport.get("reading the journal", &path)?.signed_by(seat)?;
        self.transport.patiently(&call).await?.read(call.operation)
    }

    async fn act<P: Serialize>(
        &self,
        operation: &'static str,
        seat: &Seat,
        message_id: &MessageId,
        kind: &str,
        payload: P,
    ) -> Result<Recorded<LifecycleAnswer>, Error> {
        let body = Envelope {
            message_id: message_id.to_string(),
            sender: seat.tunnel_grant.agent_identity.clone(),
            kind: kind.to_owned(),
            payload,
        };
        let path = format!("v1/gigs/{}/lifecycle", seat.gig_id);
        self.recorded(&self.transport.post(operation, &path, &body)?.signed_by(seat)?).await
    }

    async fn recorded<T: DeserializeOwned>(&self, call: &Call) -> Result<Recorded<T>, Error> {
        let answer = self.transport.patiently(call).await?;
        Ok(Recorded { answer: answer.read(call.operation)?, replayed: answer.replayed() })
    }
}

pub(crate) fn envelope<P>(
    kind: &str,
    sender: &AgentIdentity,
    message_id: &MessageId,
    payload: P,
) -> Envelope<P> {
    Envelope {
        message_id: message_id.to_string(),
        sender: sender.to_string(),
        kind: kind.to_owned(),
        payload,
    }
}

fn task_act(seat: &Seat, reason: Option<String>) -> TaskAct {
    TaskAct { gig_id: seat.gig_id.to_string(), reason }
}
