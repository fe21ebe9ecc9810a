//! What a run's owner says.

use alloy_primitives::Address;
use primitives::{ExecutorId, UnixMillis};
use run::{Command, Payment, WalletReport};
use serde_json::Value;

use crate::inbound::{Faults, shape};
use crate::problem::Problem;
use crate::wire::{ConfirmBody, PaymentBody, RebindBody, WalletBody};

/// Reads what a wallet says of itself; what has no time is of `now`.
///
/// # Errors
/// 400 with every fault.
pub fn wallet_state(body: &Value, now: UnixMillis) -> Result<WalletReport, Problem> {
    let WalletBody { connected, address, shielded_usdc, checked_at } = shape(body)?;
    let mut faults = Faults::default();
    if connected && address.is_none() {
        faults.add("address", "is needed of a wallet that is connected");
    }
    for (field, is_there) in [("address", address.is_some()), ("shieldedUsdc", shielded_usdc.is_some())] {
        if !connected && is_there {
            faults.add(field, "must be left out: the wallet is not connected");
        }
    }
    let report = WalletReport {
        address: address.map(|text| faults.wallet("address", &text)),
        shielded: shielded_usdc.map(|digits| faults.base_units("shieldedUsdc", &digits)),
        checked_at: checked_at.map_or(now, |text| faults.at("checkedAt", &text)),
    };
    faults.finish(Some(report))
}

/// Reads a yes or a no. `signer` is the account that has signed the request, if one has.
///
/// # Errors
/// 400 with every fault.
pub fn confirmation(body: &Value, signer: Option<Address>) -> Result<Command, Problem> {
    let body: ConfirmBody = shape(body)?;
    let mut faults = Faults::default();
    match body {
        ConfirmBody { digest: None, amount_cents: None, reject: Some(true) } => Ok(Command::Reject),
        ConfirmBody { digest: Some(digest), amount_cents: Some(amount), reject: None } => {
            let digest = faults.sha256("digest", &digest);
            let amount = faults.cents("amountCents", &amount);
            let signer = signer.map(|signer| signer.to_string());
            faults.finish(Some(Command::Confirm { digest, amount, signer }))
        }
        ConfirmBody { digest: _, amount_cents: _, reject: Some(_) } => {
            faults.add("reject", "must be true, and alone; leave it out for a yes");
            faults.finish(None)
        }
        ConfirmBody { digest, amount_cents, reject: None } => {
            for (field, is_there) in [("digest", digest.is_some()), ("amountCents", amount_cents.is_some())] {
                if !is_there {
                    faults.add(field, "is needed for a yes, as it was shown; send reject: true for a no");
                }
            }
            faults.finish(None)
        }
    }
}

/// Reads what the wallet has paid with.
///
/// # Errors
/// 400 with every fault.
pub fn payment(body: &Value) -> Result<Payment, Problem> {
    let PaymentBody { signature, last_valid_block_height } = shape(body)?;
    let mut faults = Faults::default();
    let signature = faults.transaction("signature", &signature);
    if last_valid_block_height.is_some_and(|height| height >= 1 << 53) {
        faults.add("lastValidBlockHeight", "must be below 2^53, as every number in JSON here");
    }
    faults.finish(Some(Payment { signature, last_valid_block_height }))
}

/// Reads which executor is to look at the shops.
///
/// # Errors
/// 400 with every fault.
pub fn rebind(body: &Value) -> Result<ExecutorId, Problem> {
    let RebindBody { executor_id } = shape(body)?;
    let mut faults = Faults::default();
    let executor = faults.take("executorId", executor_id.parse());
    faults.finish(executor)
}
