//! The facilitator Worker: `POST /verify`, `POST /settle`, `GET /supported`, `GET /discovery/resources`
//! and `GET /health` of x402 version 2; and `POST /signatures`, which asks a contract whether a signature is its own.
//!
//! It settles on EVM chains, or in a simulator for development. With chains, each authorization is one object
//! ([`settlement`], the only authority over what became of it) and each relayer key is one object for each chain
//! ([`relayer`], the only authority over its nonces). In the simulator one object plays the chain: no money moves, and
//! every answer says `extra.simulated`; in production it does not start (S11).
//!
//! ```text
//! settings   what is configured, or a sentence that says what is wrong
//! front      route, body, and who answers
//! answer     the protocol's words for what was decided
//! catalogue  the paid resources that were settled for: GET /discovery/resources
//! evm        judging by RPC, the objects of settlements and relayer keys
//! simulator  the object that plays the chain, and the faults it can play
//! ```
//!
//! What must hold:
//!
//! - F1 One authorization (network, asset, payer, nonce) settles at most once.
//! - F2 Whoever began a settlement and asks again with the same bytes hears how it stands, also after the authorization
//!   has expired.
//! - F3 Asking again with other bytes under the same nonce is refused.
//! - F4 Every answer that speaks the protocol carries the fields that official servers demand.
//! - F5 A settlement is told to whoever began it: to an asker with an `Idempotency-Key` as often as it asks, to one without
//!   once. Everyone else hears `duplicate_settlement` and the transaction.

mod answer;
mod ask;
mod catalogue;
mod development;
mod environment;
mod evm;
mod front;
mod limits;
mod problem;
mod reply;
mod request;
mod route;
mod settings;
mod simulator;
