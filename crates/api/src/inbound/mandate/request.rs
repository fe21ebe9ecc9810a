//! A payment is asked for: the message that an agent signs.

use eip712::mandates::{Signed as _, payment_id};
use mandate::{By, Request, Terms};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Signed, by};
use crate::binding::Caller;
use crate::inbound::{Faults, shape};
use crate::outbound::mandate as outbound;
use crate::problem::Problem;
use crate::settings::Ledger;
use crate::wire::{PaymentRequest, RequestBody};

/// A request as it came.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Requested {
    /// The request.
    pub request: Request,
    /// The signature that came in the body, if one did.
    pub signed: Option<Signed>,
}

impl Requested {
    /// The same as one for another domain: a mandate in custody of the contract is signed for that.
    pub fn under(self, domain: &eip712::Domain) -> Self {
        let digest = || outbound::message(&self.request).digest(domain);
        let signed = self.signed.as_ref().map(|signed| Signed::new(digest(), signed.bytes.clone()));
        Self { signed, ..self }
    }

    /// Who asks: whoever signed the HTTP request, or the message.
    ///
    /// # Errors
    /// 401 when neither is signed.
    pub fn by(&self, caller: &Caller) -> Result<By, Problem> {
        by(caller.signer(), self.signed.as_ref())
    }
}

/// Reads a request and whose it is.
///
/// # Errors
/// 400 with every fault.
pub fn requested(body: &Value, ledger: &Ledger) -> Result<Requested, Problem> {
    let RequestBody { request, signature } = shape(body)?;
    let mut faults = Faults::default();
    let request = self::message(&mut faults, &request);
    let digest = outbound::message(&request).digest(&ledger.domain());
    let signed = signature.map(|text| Signed::new(digest, faults.signature(&text)));
    faults.finish(Some(Requested { request, signed }))
}

/// The request that a message is, with the name of its payment.
pub(super) fn message(faults: &mut Faults, wire: &PaymentRequest) -> Request {
    let mut request = Request {
        payment: Default::default(),
        mandate: faults.hash("request.mandate", &wire.mandate),
        policy_version: wire.policy_version,
        request_id: faults.hash("request.requestId", &wire.request_id),
        token: faults.address("request.token", &wire.token),
        max_amount: faults.any_amount("request.maxAmount", &wire.max_amount),
        recipient: faults.address("request.recipient", &wire.recipient),
        service: faults.hash("request.service", &wire.service),
        job_hash: faults.hash("request.jobHash", &wire.job_hash),
        valid_after: faults.seconds("request.validAfter", wire.valid_after),
        valid_before: faults.seconds("request.validBefore", wire.valid_before),
        deliver_by: faults.seconds("request.deliverBy", wire.deliver_by),
        capture_by: faults.seconds("request.captureBy", wire.capture_by),
        refund_by: faults.seconds("request.refundBy", wire.refund_by),
        terms: Terms {
            challenge_period: wire.terms.challenge_period,
            resolution_timeout: wire.terms.resolution_timeout,
            silence_bps: wire.terms.silence_bps,
            resolver: faults.address("request.terms.resolver", &wire.terms.resolver),
        },
    };
    request.payment = payment_id(&outbound::message(&request));
    request
}
