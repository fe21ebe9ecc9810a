//! JSON-RPC 2.0 with a node: the body that carries questions, the answers, and what an Ethereum node can be asked.
//!
//! ```text
//!  let call = rpc::receipt(hash);
//!  let text = (send rpc::body(&[&call.question]) by HTTP POST);
//!  for result in rpc::answers(&text, 1)? { … call.read(&result?)? … }
//! ```

mod call;
mod envelope;
mod fault;

pub(crate) use call::asked_for;
pub use call::{
    Block, Call, Head, Question, balance, block, call, chain_id, code, estimate_gas, logs, max_priority_fee,
    receipt, send_raw_transaction, transaction_count,
};
pub use envelope::{Answer, answers, body};
pub use fault::{Fault, FaultKind};
