//! What the contract keeps: a mandate is to be mirrored, a transaction that was sent is to be noted.

use alloy_primitives::B256;
use mandate::mirror::limits;
use serde_json::Value;

use crate::inbound::{Faults, shape};
use crate::problem::Problem;
use crate::wire::{Adopt, RecordBody};

/// Reads which mandate is to be mirrored, and the owner's private name for it, which is empty if there is none.
///
/// # Errors
/// 400 with every fault.
pub fn adopt(body: &Value) -> Result<(B256, String), Problem> {
    let Adopt { mandate, label } = shape(body)?;
    let mut faults = Faults::default();
    let (mandate, label) = (faults.hash("mandate", &mandate), label.unwrap_or_default());
    faults.bytes("label", &label, limits::LABEL_BYTES);
    faults.finish(Some((mandate, label)))
}

/// Reads which transaction was sent for which request: its id, or its payment's name.
///
/// # Errors
/// 400 with every fault.
pub fn record(body: &Value) -> Result<(B256, B256), Problem> {
    let RecordBody { request_id, transaction } = shape(body)?;
    let mut faults = Faults::default();
    let named = (faults.hash("requestId", &request_id), faults.hash("transaction", &transaction));
    faults.finish(Some(named))
}
