//! What is wrong with a request before any mandate is asked.

use crate::problem::Problem;

/// A question names no mandate, in its path or in its body.
pub fn mandate_missing() -> Problem {
    let detail = "Name the mandate: as `mandate` beside recipient, service and amount, or within `request`.";
    Problem::new(400, "mandate_missing", detail)
}

/// Nothing here is waiting for a transaction.
pub fn nothing_to_record() -> Problem {
    let detail = "The ledger authorizes by itself and sends no transactions, so there is none to record. Ask for the \
                  payment with POST /v1/agent/payments.";
    Problem::new(409, "nothing_to_record", detail)
}

/// This deployment mirrors no contract.
pub fn no_contract() -> Problem {
    let detail = "This deployment keeps mandates in its ledger and reads no contract; GET /v1/status says which custodies \
                  it serves. Create a mandate with POST /v1/mandates.";
    Problem::new(409, "custody_unavailable", detail)
}

/// No block that was read holds the mandate that is to be mirrored.
pub fn not_on_chain() -> Problem {
    let detail = "No block that was read holds this mandate. Create it with the contract first; if you have, ask again once \
                  its block is read.";
    Problem::new(404, "unknown_mandate", detail).retryable()
}

/// Several agents gave their requests this id.
pub fn ambiguous() -> Problem {
    let detail = "Several payments have this request id. Ask by the payment's own name, or for one mandate at \
                  /v1/mandates/{mandate}/requests/{requestId}.";
    Problem::new(409, "ambiguous_request_id", detail)
}

/// The key of an operation stands for another one.
pub fn key_reused() -> Problem {
    let detail = "This Idempotency-Key was used with another request. Repeat that request as it was, or use a fresh key.";
    Problem::new(422, "idempotency_key_reused", detail)
}
