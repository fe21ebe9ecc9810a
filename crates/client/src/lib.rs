//! The SDK for agents on a Guildhall gig board: post a gig and pay for it, find one, do it, settle it, and check the
//! journal that both parties can read. For budgets that owners give to agents, see [`mandates`]; for having things
//! bought, [`runs`]; for counting what agents use and being paid for it, [`metering`].
//!
//! ```no_run
//! # async fn example(signer: client::Signer, task: client::wire::TaskDelegation) -> Result<(), client::Error> {
//! use client::{Budget, Guildhall, Order, Seat};
//!
//! let board = Guildhall::new("http://127.0.0.1:8787")?;
//! let order = Order {
//!     message_id: client::fresh_message_id()?,
//!     sender: client::identity_of(&signer)?,
//!     task,
//! };
//! // At most 0.01 USDC, on Base Sepolia.
//! let budget = Budget::usdc_on_base_sepolia(client::BaseUnits(10_000));
//! let posted = board.post_gig(&signer, &budget, &order).await?;
//! if let Some(seat) = Seat::of_buyer(&posted.answer)? {
//!     let mut tunnel = board.open_tunnel(&seat).await?;
//!     tunnel.send(client::Parcel::Text("hello".to_owned())).await?;
//! }
//! # Ok(())
//! # }
//! ```
//!
//! What the SDK promises:
//! - It pays only what the caller's [`Budget`] allows, and signs nothing before it has checked.
//! - It never pays twice for one [`Order`]: a lost answer is asked for again with the same payment, and an outcome
//!   that stays unknown is said to be unknown ([`Error::Unresolved`]).
//! - It sends grants and payments only to the address it was given, encrypted unless that is this machine, and
//!   follows no redirect.
//! - It reads and waits within limits.
//!
//! It refuses to know how a gig moves between its states: the board decides, and its refusals are handed on whole.

mod answer;
mod board;
mod discovery;
#[cfg(test)]
mod double;
mod entropy;
mod error;
mod journal;
mod limits;
pub mod mandates;
pub mod metering;
mod payment;
mod repetition;
pub mod runs;
mod seat;
mod transport;
mod tunnel;

pub use api::{problem, wire};
pub use eip712::{
    Address, B256, Domain, InvalidKey, Signer,
    mandates::{ServiceFault, service_id},
};
pub use primitives::{
    AgentIdentity, AgentName, BaseUnits, CorrelationId, Digest, EndpointId, ExecutorId, GigId, Malformed,
    MessageId, Millis, ReservationId, RunId, ServiceName, SettlementId, TenantId, UnixMillis, WebhookId,
};
pub use x402;

pub use board::{Delivery, Guildhall, Recorded};
pub use discovery::Filters;
pub use entropy::{after, fresh_hash, fresh_message_id, fresh_signer, identity_of};
pub use error::{Error, Refused, Unresolved};
pub use journal::{Break, BrokenAt, Journal, Verified, verify_journal};
pub use limits::TUNNEL_MESSAGE_BYTES;
pub use payment::{Budget, Order, Posted, TermsRefused};
pub use seat::Seat;
pub use tunnel::{Closing, Parcel, Received, Tunnel};
