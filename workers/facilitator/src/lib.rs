//! The facilitator Worker: `POST /verify`, `POST /settle`, `GET /supported` and `GET /health` of x402 version 2.
//!
//! It settles in a simulator: one object plays the chain and takes each authorization once, durably. No money moves,
//! every answer says `extra.simulated`, and in production every route refuses (S11). `GET` and `PUT /simulator` read
//! and set how the simulator behaves, so that tests can see what a broken facilitator does to others.
//!
//! The judgement lives in plain functions without clock, storage or network:
//!
//! ```text
//! route    which of the routes a request means
//! request  the body in types, and its identity
//! judge    may this authorization be settled: known already, new, or refused
//! rule     what the simulator's mode makes of it: outcome, record, delivery
//! answer   the protocol's words for the outcome
//! ```
//!
//! `front` and `simulator` are the shell around them. What must hold:
//!
//! - F1 One authorization (network, asset, payer, nonce) settles at most once.
//! - F2 Asking again with the same bytes gives the recorded answer, also after the authorization has expired.
//! - F3 Asking again with other bytes under the same nonce is refused.
//! - F4 Every answer that speaks the protocol carries the fields that official servers demand.

mod answer;
mod environment;
mod front;
mod judge;
mod limits;
mod mode;
mod problem;
mod reply;
mod request;
mod route;
mod rule;
mod simulator;
mod storage;
