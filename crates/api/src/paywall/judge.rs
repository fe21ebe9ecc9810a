//! Whether a payment meets an offer, as far as can be told without a chain.

use payment::Credential;
use payment::identifier::Binding;
use primitives::{CorrelationId, Digest, UnixMillis};
use serde_json::{Value, json};
use x402::{FacilitatorRequest, InvalidReason, PaymentPayload, payment_identifier};

use super::{Offer, Unsold};
use crate::binding::{Order, Pay, Proof};
use crate::problem::{FieldFault, Problem};

/// Whose signatures a deployment can have judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signatures {
    /// Those of ordinary accounts only: nobody asks a chain.
    OfKeys,
    /// Those of contract accounts as well: the facilitator asks the chain whether the account vouches for them.
    OfAnyAccount,
}

/// A payment that only the chain can still refuse.
#[derive(Debug, Clone)]
pub struct Purchase {
    /// The payment, with what the facilitator is sent.
    pub binding: Binding,
    /// The payer's address.
    pub payer: [u8; 20],
    /// What shows that the payer signed.
    pub proof: Proof,
    /// SHA-256 of what is bought.
    pub resource: Digest,
    /// The payer's own name for this purchase, if it gave one.
    pub name: Option<Name>,
}

/// A payer's own name for a purchase (extension `payment-identifier`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Name {
    /// SHA-256 of the name: where it is kept.
    pub digest: Digest,
    /// SHA-256 of everything that must be the same for the name to stand for the same purchase.
    pub fingerprint: Digest,
}

impl Purchase {
    /// The request to the payment's own object.
    pub fn pay(&self, order: Order, correlation_id: CorrelationId) -> Pay {
        let Binding { payment, authorization, valid_before } = self.binding.clone();
        let (resource, proof) = (self.resource, self.proof);
        Pay { payment, resource, authorization, valid_before, proof, order, correlation_id }
    }
}

/// Reads a payment that was presented for `resource`.
///
/// # Errors
/// When it does not meet the offer, changes what was advertised, or bears a name that is none.
pub fn judge(
    offer: &Offer,
    payment: PaymentPayload,
    resource: Digest,
    signatures: Signatures,
    now: UnixMillis,
) -> Result<Purchase, Unsold> {
    let identifier = payment_identifier::read(&payment).map_err(|fault| malformed_name(&fault))?;
    x402::check_echo(Some(&offer.extensions), payment.extensions.as_ref()).map_err(invalid)?;
    let requirements = offer.requirements();
    let authorized = match signatures {
        Signatures::OfKeys => x402::verify(&requirements, &payment, now),
        Signatures::OfAnyAccount => x402::verify_for_chain(&requirements, &payment, now),
    };
    let authorized = authorized.map_err(invalid)?;
    let payer = authorized.payer.0.0;
    let name = identifier.map(|identifier| Name {
        digest: Digest::of(&[b"guildhall payment identifier v1\0", identifier.as_str().as_bytes()]),
        fingerprint: fingerprint(offer, &payer, &resource),
    });
    let valid_before = UnixMillis(authorized.valid_before.saturating_mul(1_000));
    let request = FacilitatorRequest {
        x402_version: x402::VERSION,
        payment_payload: payment,
        payment_requirements: requirements,
    };
    // These messages always have a JSON form.
    let authorization = Credential(serde_json::to_string(&request).unwrap_or_default());
    let binding = Binding { payment: authorized.payment_id(), authorization, valid_before };
    let proof = match authorized.proof {
        x402::Proof::Recovered | x402::Proof::Vouched => Proof::Shown,
        x402::Proof::Open => Proof::Open,
    };
    Ok(Purchase { binding, payer, proof, resource, name })
}

fn invalid(reason: InvalidReason) -> Unsold {
    Unsold::Challenge {
        problem: Box::new(Problem::new(402, "payment_invalid", reason.to_string())),
        error: reason.code().to_owned(),
    }
}

fn malformed_name(fault: &InvalidReason) -> Unsold {
    let message = "must be 16 to 128 of A-Z a-z 0-9 _ -".to_owned();
    let field = format!("extensions.{}.info.id", payment_identifier::NAME);
    let detail = format!("{fault} Nothing was charged.");
    let problem = Problem::new(400, "invalid_payment_identifier", detail);
    Unsold::Declined(Box::new(problem.with_faults(vec![FieldFault { field, message }])))
}

/// What an authorization is bound to: method, path and what the body says.
pub fn resource(method: &str, path: &str, body: &Value) -> Digest {
    // A `Value` always has a JSON form.
    Digest::of_json(&json!({ "method": method, "path": path, "body": body })).unwrap_or(Digest::ZERO)
}

fn fingerprint(offer: &Offer, payer: &[u8; 20], resource: &Digest) -> Digest {
    let requirements = offer.requirements();
    let payer: Vec<u8> = payer.to_vec();
    let of = json!({
        "scheme": requirements.scheme,
        "network": requirements.network,
        "asset": requirements.asset,
        "amount": requirements.amount,
        "payTo": requirements.pay_to,
        "payer": payer,
        "resource": resource,
    });
    Digest::of_json(&of).unwrap_or(Digest::ZERO)
}
