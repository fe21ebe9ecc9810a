//! The whole request that is proposed to an agent which named only what matters to it.

use eip712::B256;
use eip712::mandates::payment_id;
use mandate::{Policy, Request};
use primitives::UnixMillis;

use super::{Kept, message};
use crate::inbound::mandate::Want;

/// A request is good for a day, in seconds, if the mandate is: long enough for an owner to be asked.
const VALID: u32 = 86_400;

/// From the request's end to the delivery's, in seconds: what is authorized at the last moment can still be delivered.
const DELIVERY: u32 = 3_600;

/// From the end of the last challenge to that of captures, in seconds.
const CAPTURE: u32 = 86_400;

/// From the end of captures to that of refunds, in seconds.
const REFUND: u32 = 7 * 86_400;

/// The whole request of what is wanted, by the mandate as it is now. Each window begins where the one before it ends.
/// `fresh` are 32 random bytes, the id of a request that has none.
pub fn completed(want: Want, kept: &impl Kept, now: UnixMillis, fresh: B256) -> Request {
    let (recipient, service, amount, request_id, job_hash, deliver_by, valid_before) = match want {
        Want::Whole(request) => return *request,
        Want::Parts { recipient, service, amount, request_id, job_hash, deliver_by, valid_before } => {
            (recipient, service, amount, request_id, job_hash, deliver_by, valid_before)
        }
    };
    let mandate = kept.mandate();
    let Policy { valid_before: end, terms, .. } = mandate.policy;
    let valid_after = kept.moment(now);
    let valid_before = valid_before.unwrap_or(valid_after.plus(VALID).min(end));
    let deliver_by = deliver_by.unwrap_or(valid_before.plus(DELIVERY));
    let capture_by = deliver_by.plus(terms.challenge_period).plus(CAPTURE);
    let mut request = Request {
        payment: B256::ZERO,
        mandate: mandate.id,
        policy_version: mandate.policy_version,
        request_id: request_id.unwrap_or(fresh),
        token: mandate.token,
        max_amount: amount,
        recipient,
        service,
        job_hash,
        valid_after,
        valid_before,
        deliver_by,
        capture_by,
        refund_by: capture_by.plus(REFUND),
        terms,
    };
    request.payment = payment_id(&message(&request));
    request
}
