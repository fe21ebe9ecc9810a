//! What the MCP tools of mandates take, and what they say to a model.
//!
//! A payment above the owner's threshold waits. A client that can show its person an address is asked to do that, once;
//! the repeated call waits for the owner a bounded while. Every other client reads in the result that the payment
//! waits, and where the owner approves it. The agent's signature of the request is all that a tool is given: whether
//! the owner approved, the mandate knows from the owner alone.

mod answer;
mod arguments;

pub use answer::{looked, requested};
pub use arguments::{Budget, Evaluate, Look, RequestPayment, budget, evaluate, look, request_payment};
