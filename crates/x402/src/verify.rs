//! The judgement of a payment, as far as it needs no chain.

use eip712::{SIGNATURE_BYTES, TransferWithAuthorization, U256, recover};
use primitives::{PaymentId, UnixMillis};

use crate::{
    Authorized, EXACT, InvalidReason, MARGIN_SECONDS, PaymentPayload, PaymentRequirements, SKEW_SECONDS,
    VERSION,
    terms::{Terms, address, exact, hexadecimal, transfer},
};

/// Whether `payment` meets `requirements` at the moment `now`: the checks of the reference facilitator for `exact`
/// with EIP-3009 that need no chain, in its order and with its codes.
///
/// Two things are stricter than the reference. The client's copy of the requirements (`accepted`) is never believed
/// and must not contradict ours. And an authorization may not outlive `maxTimeoutSeconds` by more than
/// [`SKEW_SECONDS`], so that nobody holds a payment that can be drawn years later.
///
/// # Errors
/// The first thing that is wrong.
pub fn verify(
    requirements: &PaymentRequirements,
    payment: &PaymentPayload,
    now: UnixMillis,
) -> Result<Authorized, InvalidReason> {
    if payment.x402_version != VERSION {
        return Err(InvalidReason::Version(payment.x402_version));
    }
    if payment.accepted.scheme != EXACT {
        return Err(InvalidReason::Scheme);
    }
    let terms = Terms::parse(requirements)?;
    if payment.accepted.network != requirements.network {
        return Err(InvalidReason::Network);
    }
    check_echo(requirements, &terms, &payment.accepted)?;

    let exact = exact(payment)?;
    let signed = transfer(&exact.authorization)?;
    check_signature(&exact.signature, &signed, &terms)?;
    if signed.to != terms.pay_to {
        return Err(InvalidReason::Recipient);
    }
    let (valid_after, valid_before) = check_window(&signed, requirements.max_timeout_seconds, now)?;
    if signed.value != U256::from(terms.amount.0) {
        return Err(InvalidReason::Value);
    }
    Ok(Authorized {
        payer: signed.from,
        nonce: signed.nonce.0,
        asset: terms.asset,
        network: requirements.network.clone(),
        value: terms.amount,
        valid_after,
        valid_before,
    })
}

/// The name of the authorization that a payment carries, before anything about it is believed.
///
/// For looking up what is already known of it; whoever acts on it calls [`verify()`] first.
///
/// # Errors
/// When the requirements or the signed values are malformed.
pub fn identify(
    requirements: &PaymentRequirements,
    payment: &PaymentPayload,
) -> Result<PaymentId, InvalidReason> {
    let terms = Terms::parse(requirements)?;
    let claimed = transfer(&exact(payment)?.authorization)?;
    Ok(PaymentId::derive(&requirements.network, &terms.asset.0.0, &claimed.from.0.0, &claimed.nonce.0))
}

/// The client's copy of the requirements may leave out keys of `extra` and add its own, but not say otherwise.
fn check_echo(
    requirements: &PaymentRequirements,
    terms: &Terms,
    accepted: &PaymentRequirements,
) -> Result<(), InvalidReason> {
    let differs = |field| Err(InvalidReason::Contradiction { field });
    if address(&accepted.asset) != Some(terms.asset) {
        return differs("asset");
    }
    if address(&accepted.pay_to) != Some(terms.pay_to) {
        return differs("payTo");
    }
    if accepted.amount != requirements.amount {
        return differs("amount");
    }
    if accepted.max_timeout_seconds != requirements.max_timeout_seconds {
        return differs("maxTimeoutSeconds");
    }
    let (Some(ours), Some(theirs)) = (&requirements.extra, &accepted.extra) else { return Ok(()) };
    if ours.iter().any(|(key, value)| theirs.get(key).is_some_and(|theirs| theirs != value)) {
        return differs("extra");
    }
    Ok(())
}

fn check_signature(
    text: &str,
    signed: &TransferWithAuthorization,
    terms: &Terms,
) -> Result<(), InvalidReason> {
    let signature = hexadecimal(text).ok_or(InvalidReason::Payload { field: "payload.signature" })?;
    if signature.len() > SIGNATURE_BYTES {
        return Err(InvalidReason::ContractSignature);
    }
    let signer = recover(signed.digest(&terms.domain), &signature).map_err(InvalidReason::Signature)?;
    if signer == signed.from { Ok(()) } else { Err(InvalidReason::OtherSigner) }
}

/// The window `(validAfter, validBefore)` in Unix seconds.
fn check_window(
    signed: &TransferWithAuthorization,
    max_timeout_seconds: u64,
    now: UnixMillis,
) -> Result<(u64, u64), InvalidReason> {
    let now = now.seconds();
    if signed.valid_before < U256::from(now.saturating_add(MARGIN_SECONDS)) {
        return Err(InvalidReason::Expired);
    }
    let latest = now.saturating_add(max_timeout_seconds).saturating_add(SKEW_SECONDS);
    let valid_before = u64::try_from(signed.valid_before).ok().filter(|end| *end <= latest);
    let valid_before = valid_before.ok_or(InvalidReason::TooLong)?;
    let valid_after = u64::try_from(signed.valid_after).ok().filter(|start| *start <= now);
    let valid_after = valid_after.ok_or(InvalidReason::NotYet)?;
    Ok((valid_after, valid_before))
}
