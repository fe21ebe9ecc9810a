//! x402 version 2: paying for an HTTP request by signature.
//!
//! A server that wants money answers 402 with a [`PaymentRequired`]; the client picks one of its
//! [`PaymentRequirements`], signs, and asks again with a [`PaymentPayload`]; a facilitator answers `/verify` and
//! `/settle` with a [`VerifyResponse`] and a [`SettleResponse`]. The three header values are standard padded base64
//! of JSON ([`encode`], [`decode_payment`]).
//!
//! The judgement of a payment is pure: the scheme `exact` on EVM networks with EIP-3009. [`verify()`] is all of it for
//! whoever has no chain to ask. A facilitator with a chain takes the same steps one by one: [`check()`], then
//! [`Checked::signed_by`] with what it learned of the payer's account, then [`Signed::authorize`], then the
//! [`ChainReason`]s. [`verify_for_chain`] is for a server in front of such a facilitator: a signature that only a
//! contract account can vouch for is neither believed nor refused.
//!
//! Around a payment: the extensions [`payment_identifier`] and [`bazaar`], [`check_echo`] for what a client sends back of
//! them, and a facilitator's catalogue ([`DiscoveryResources`], [`DiscoveryQuery`]).
//!
//! Parsing is tolerant, as the specification asks: unknown fields are passed over, `null` stands for an absent
//! optional field. What is written is strict: amounts are decimal strings, and every field that an official peer
//! demands is there.

pub mod bazaar;
pub mod payment_identifier;

mod authorized;
mod chain_reason;
mod check;
mod discovery;
mod discovery_query;
mod echo;
mod erc6492;
mod header;
mod json_schema;
mod limits;
mod percent;
mod reason;
mod sign;
mod terms;
mod verify;
mod wire;

pub use authorized::{Authorized, Proof};
pub use chain_reason::ChainReason;
pub use check::{Checked, PayerAccount, Signed, check};
pub use discovery::{DiscoveryResource, DiscoveryResources, Pagination, ResourceKind};
pub use discovery_query::{DiscoveryQuery, QueryFault};
pub use echo::check_echo;
pub use header::{HeaderFault, decode, decode_payment, encode};
pub use limits::{HEADER_BYTES, MARGIN_SECONDS, SKEW_SECONDS};
pub use reason::InvalidReason;
pub use sign::sign_exact;
pub use verify::{identify, verify, verify_for_chain};
pub use wire::{
    Authorization, Exact, FacilitatorRequest, PaymentPayload, PaymentRequired, PaymentRequirements,
    ResourceInfo, SettleResponse, SupportedKind, SupportedResponse, VerifyResponse,
};

/// The protocol version that this crate speaks.
pub const VERSION: u64 = 2;

/// The scheme in which the payer signs exactly the amount asked for.
pub const EXACT: &str = "exact";
