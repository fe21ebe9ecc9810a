//! x402 version 2: paying for an HTTP request by signature.
//!
//! A server that wants money answers 402 with a [`PaymentRequired`]; the client picks one of its
//! [`PaymentRequirements`], signs, and asks again with a [`PaymentPayload`]; a facilitator answers `/verify` and
//! `/settle` with a [`VerifyResponse`] and a [`SettleResponse`]. The three header values are standard padded base64
//! of JSON ([`encode`], [`decode_payment`]).
//!
//! [`verify()`] is the whole judgement of a payment that needs no chain, as one pure function: the scheme `exact` on EVM
//! networks with EIP-3009. What it does not know, because only the chain does: whether the nonce is used, whether
//! the payer has the money, and whether the payer's account is a contract.
//!
//! Parsing is tolerant, as the specification asks: unknown fields are passed over, `null` stands for an absent
//! optional field. What is written is strict: amounts are decimal strings, and every field that an official peer
//! demands is there.

mod authorized;
mod header;
mod limits;
mod reason;
mod sign;
mod terms;
mod verify;
mod wire;

pub use authorized::Authorized;
pub use header::{HeaderFault, decode, decode_payment, encode};
pub use limits::{HEADER_BYTES, MARGIN_SECONDS, SKEW_SECONDS};
pub use reason::InvalidReason;
pub use sign::sign_exact;
pub use verify::{identify, verify};
pub use wire::{
    Authorization, Exact, FacilitatorRequest, PaymentPayload, PaymentRequired, PaymentRequirements,
    ResourceInfo, SettleResponse, SupportedKind, SupportedResponse, VerifyResponse,
};

/// The protocol version that this crate speaks.
pub const VERSION: u64 = 2;

/// The scheme in which the payer signs exactly the amount asked for.
pub const EXACT: &str = "exact";
