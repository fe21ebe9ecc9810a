//! The message that an agent signs (EIP-712), of a request and as JSON.

use eip712::mandates::{PaymentRequest, Terms, U48};
use mandate::{Request, UnixSeconds};

use crate::wire;

/// The struct whose hash is the name of the request's payment.
pub fn message(request: &Request) -> PaymentRequest {
    let mandate::Terms { challenge_period, resolution_timeout, silence_bps, resolver } = request.terms;
    PaymentRequest {
        mandate: request.mandate,
        policyVersion: request.policy_version,
        requestId: request.request_id,
        token: request.token,
        maxAmount: request.max_amount.0,
        recipient: request.recipient,
        service: request.service,
        jobHash: request.job_hash,
        validAfter: seconds(request.valid_after),
        validBefore: seconds(request.valid_before),
        deliverBy: seconds(request.deliver_by),
        captureBy: seconds(request.capture_by),
        refundBy: seconds(request.refund_by),
        terms: Terms {
            challengePeriod: challenge_period,
            resolutionTimeout: resolution_timeout,
            silenceBps: silence_bps,
            resolver,
        },
    }
}

/// A moment as it is signed, which no moment of a request is after.
pub(super) fn seconds(moment: UnixSeconds) -> U48 {
    U48::saturating_from(moment.0)
}

/// The message as a wallet shows it.
pub fn request(message: &PaymentRequest) -> wire::PaymentRequest {
    wire::PaymentRequest {
        mandate: message.mandate.to_string(),
        policy_version: message.policyVersion,
        request_id: message.requestId.to_string(),
        token: message.token.to_string(),
        max_amount: message.maxAmount.to_string(),
        recipient: message.recipient.to_string(),
        service: message.service.to_string(),
        job_hash: message.jobHash.to_string(),
        valid_after: message.validAfter.to(),
        valid_before: message.validBefore.to(),
        deliver_by: message.deliverBy.to(),
        capture_by: message.captureBy.to(),
        refund_by: message.refundBy.to(),
        terms: wire::RequestTerms {
            challenge_period: message.terms.challengePeriod,
            resolution_timeout: message.terms.resolutionTimeout,
            silence_bps: message.terms.silenceBps,
            resolver: message.terms.resolver.to_string(),
        },
    }
}
