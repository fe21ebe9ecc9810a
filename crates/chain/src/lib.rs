//! Chains in words: what a node is asked, what it answers, the bytes that go on an EVM chain, and whether a transfer that
//! somebody claims was made.
//!
//! - [`rpc`] writes JSON-RPC questions and reads answers; each [`rpc::Call`] knows the type of its own answer.
//! - [`Transaction`] becomes [`Signed`] bytes (EIP-1559).
//! - [`token`] is the calldata of an EIP-3009 token and what it returns.
//! - [`Receipt`], [`Log`] and [`Filter`] tell what happened.
//! - [`transfer`] and [`solana`] judge a claimed transfer of tokens; both say a [`Verdict`].
//! - [`Account`] and [`Wrapped6492`] tell who can have signed; [`account`] asks a contract (ERC-1271).
//!
//! ```text
//!  token::transfer_by_key ──────────────► Transaction ── sign ──► Signed ── rpc::send_raw_transaction ──► node
//!  Receipt::transfers ◄── rpc::receipt ◄──────────────────────────────────────────────────────────────── node
//! ```
//!
//! What holds, always:
//!
//! - **C1** Nothing that a node, a contract or a payer says makes this crate panic, and each of it is bounded.
//! - **C2** An answer is taken only for its own question: by id, and by the hash, number or filter that was asked for.
//! - **C3** The words of a revert, which a contract chooses, never pass for the words of a node.
//! - **C4** One transaction and one signer give one sequence of bytes, the one that every other implementation gives.
//! - **C5** A transfer counts only if a log of that very token names payer, receiver and value exactly, and stands.
//! - **C6** A transfer is [`Verdict::Verified`] only by a final, successful transaction in which the token, both parties,
//!   the amount and the time are those expected.
//! - **C7** What a node does not say, says wrongly or cannot yet say for good is [`Verdict::Unknown`], never a failure.
//! - **C8** A transaction has never landed only if a node that has seen every block in which it could land knows nothing
//!   of it.
//!
//! What this crate refuses to know: URLs, HTTP, time limits, which nodes agree, and which nonce is next. A node that
//! lies in a well-formed way is believed here; whoever asks chooses whom to ask.

mod abi;
pub mod account;
mod json;
pub mod limits;
mod log;
mod receipt;
pub mod rpc;
pub mod solana;
pub mod token;
mod transaction;
pub mod transfer;
mod verdict;
mod wrapped;

pub use account::Account;
pub use log::{Filter, Log};
pub use receipt::Receipt;
pub use transaction::{Signed, Transaction};
pub use verdict::{Reason, Verdict, Why, Window};
pub use wrapped::Wrapped6492;
