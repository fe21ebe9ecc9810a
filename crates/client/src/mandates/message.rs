//! What is signed, out of the words in which the board shows it.

use core::str::FromStr;

use api::wire::{self, Payment};
use eip712::{
    Address, B256,
    mandates::{PaymentRequest, Terms, U48, payment_id},
};
use primitives::{BaseUnits, MessageId};

use crate::Error;

/// The message as it is signed (EIP-712).
///
/// # Errors
/// When a part of it has no such form; says which.
pub(super) fn signable(request: &wire::PaymentRequest) -> Result<PaymentRequest, String> {
    let wire::RequestTerms { challenge_period, resolution_timeout, silence_bps, resolver } = &request.terms;
    Ok(PaymentRequest {
        mandate: hash(&request.mandate)?,
        policyVersion: request.policy_version,
        requestId: hash(&request.request_id)?,
        token: address(&request.token)?,
        maxAmount: parsed::<BaseUnits>(&request.max_amount, "amount")?.0,
        recipient: address(&request.recipient)?,
        service: hash(&request.service)?,
        jobHash: hash(&request.job_hash)?,
        validAfter: seconds(request.valid_after)?,
        validBefore: seconds(request.valid_before)?,
        deliverBy: seconds(request.deliver_by)?,
        captureBy: seconds(request.capture_by)?,
        refundBy: seconds(request.refund_by)?,
        terms: Terms {
            challengePeriod: *challenge_period,
            resolutionTimeout: *resolution_timeout,
            silenceBps: *silence_bps,
            resolver: address(resolver)?,
        },
    })
}

/// Whether a payment as it is shown is `payment`: its message has that name. What the message says is then what was
/// asked for under that name; the rest is the board's word.
///
/// # Errors
/// Why it is another one.
pub(super) fn is_of(shown: &Payment, payment: B256) -> Result<PaymentRequest, String> {
    let message = signable(&shown.request)?;
    let named = payment_id(&message);
    if named != payment || hash(&shown.payment)? != payment {
        return Err(format!("it shows the payment {named}, and {payment} was meant"));
    }
    let shown = (hash(&shown.mandate)?, hash(&shown.request_id)?, address(&shown.recipient)?);
    if shown != (message.mandate, message.requestId, message.recipient) {
        return Err(format!("what it shows of the payment {payment} is not what the payment's message says"));
    }
    Ok(message)
}

/// A hash as the name of a message.
pub(super) fn id_of(hash: B256) -> Result<MessageId, Error> {
    hash.to_string().parse().map_err(|why| Error::Address(format!("{hash} {why}")))
}

pub(super) fn hashes(one: &str, other: &str) -> Result<(B256, B256), String> {
    Ok((hash(one)?, hash(other)?))
}

pub(super) fn hash(text: &str) -> Result<B256, String> {
    parsed(text, "hash")
}

pub(super) fn address(text: &str) -> Result<Address, String> {
    parsed(text, "address")
}

pub(super) fn seconds(moment: u64) -> Result<U48, String> {
    U48::try_from(moment).map_err(|_| format!("{moment} is no moment in Unix seconds"))
}

fn parsed<T: FromStr>(text: &str, what: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("{text:?} is no {what}"))
}
