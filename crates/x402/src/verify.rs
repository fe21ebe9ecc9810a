//! The judgement of a payment where there is no chain to ask.

use primitives::{PaymentId, UnixMillis};

use crate::{
    Authorized, InvalidReason, PaymentPayload, PaymentRequirements, check,
    terms::{Terms, exact, transfer},
};

/// Whether `payment` meets `requirements` at the moment `now`: the checks of the reference facilitator for `exact`
/// with EIP-3009 that need no chain, in its order and with its codes. The signature must be the payer's own
/// ([`crate::Proof::Recovered`]): contract accounts are refused.
///
/// Two things are stricter than the reference. The client's copy of the requirements (`accepted`) is never believed
/// and must not contradict ours. And an authorization may not outlive `maxTimeoutSeconds` by more than
/// [`crate::SKEW_SECONDS`], so that nobody holds a payment that can be drawn years later.
///
/// # Errors
/// The first thing that is wrong.
pub fn verify(
    requirements: &PaymentRequirements,
    payment: &PaymentPayload,
    now: UnixMillis,
) -> Result<Authorized, InvalidReason> {
    let checked = check(requirements, payment)?;
    if checked.is_signed_by_contract() {
        return Err(InvalidReason::ContractSignature);
    }
    checked.recovered()?.authorize(now)
}

/// As [`verify()`], for a caller whose facilitator asks the chain: a signature that is not the payer's key's own may
/// still be a contract account's, of whatever length and form its contract takes (ERC-1271, ERC-6492), and comes out as
/// [`crate::Proof::Open`].
///
/// An open payment is not believed by whoever calls this. Its facilitator is asked before anything is kept or given
/// for it, and that facilitator is one that settles on a chain, never a simulator.
///
/// # Errors
/// The first thing that is wrong apart from the signature.
pub fn verify_for_chain(
    requirements: &PaymentRequirements,
    payment: &PaymentPayload,
    now: UnixMillis,
) -> Result<Authorized, InvalidReason> {
    let checked = check(requirements, payment)?;
    checked.recovered().unwrap_or_else(|_| checked.open()).authorize(now)
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
    let asset = Terms::parse(requirements)?.asset();
    let claimed = transfer(&exact(payment)?.authorization)?;
    Ok(PaymentId::derive(&requirements.network, &asset.0.0, &claimed.from.0.0, &claimed.nonce.0))
}
