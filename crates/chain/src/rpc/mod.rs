//! JSON-RPC 2.0 with an Ethereum node: questions, the body that carries them, and the answers.
//!
//! ```text
//!  let call = rpc::receipt(hash);
//!  let text = (send rpc::body(&[&call.question]) by HTTP POST);
//!  for result in rpc::answers(&text, 1)? { … call.read(&result?)? … }
//! ```

mod call;
mod envelope;
mod fault;

pub use call::{
    Block, Call, Head, Question, block, call, chain_id, code, estimate_gas, logs, max_priority_fee, receipt,
    send_raw_transaction, transaction_count,
};
pub use envelope::{answers, body};
pub use fault::{Fault, FaultKind};
