//! The paywall: a route declares an offer, makes an order, and shows what was bought. Everything between is here.
//!
//! [`Counter::buy`] takes a payment as an object, whatever carried it; [`http`] reads and writes the headers of HTTP around it.

pub mod http;

use api::binding::{BindReply, Order, Pay, PayReply, Proof};
use api::inbound::Verdict;
use api::paywall::{Name, Offer, Purchase, Sold, Unsold, concluded, judge};
use api::problem::Problem;
use api::settings::Settings;
use payment::identifier::Command;
use primitives::{CorrelationId, Digest, PaymentId, Reply};
use shell::{Failure, now};
use worker::Env;
use x402::PaymentPayload;

use crate::halt::{self, Step};
use crate::ports::facilitator::{self, Question};
use crate::ports::objects;

/// How often one request may put another payment in the place of one that failed. Each costs a signature of the payer's;
/// whoever needs more sends the request again.
const REPLACEMENTS_MAX: u32 = 3;

/// What a deployment sells, and to whom it answers.
pub struct Counter<'a> {
    /// The bindings.
    pub env: &'a Env,
    /// The set-up.
    pub settings: &'a Settings,
    /// What is sold.
    pub offer: &'a Offer,
    /// What caused it.
    pub correlation_id: &'a CorrelationId,
}

impl Counter<'_> {
    /// Takes `payment` for `resource`; `order` is made once it is known who pays.
    pub async fn buy(
        &self,
        payment: PaymentPayload,
        resource: Digest,
        order: impl FnOnce(&[u8; 20]) -> Order,
    ) -> Result<Result<Sold, Unsold>, Failure> {
        let signatures = self.settings.facilitator.signatures();
        let purchase = match judge(self.offer, payment, resource, signatures, now()) {
            Ok(purchase) => purchase,
            Err(unsold) => return Ok(Err(unsold)),
        };
        let pay = purchase.pay(order(&purchase.payer), self.correlation_id.clone());
        let (reply, carried) = match purchase.name {
            None => (objects::pay(self.env, &pay).await?, pay.payment),
            Some(name) => match self.named(&name, &purchase, pay).await? {
                Ok(outcome) => outcome,
                Err(problem) => return Ok(Err(Unsold::Declined(Box::new(problem)))),
            },
        };
        let network = &self.offer.till.asset.network;
        Ok(concluded(reply, network).map(|sold| {
            let replayed = sold.replayed || carried != purchase.binding.payment;
            Sold { replayed, ..sold }
        }))
    }

    /// Pays under the payer's own name for the purchase: whichever payment was bound to it first is carried, and another
    /// takes its place only once it is certain that nothing was charged with it.
    async fn named(
        &self,
        name: &Name,
        purchase: &Purchase,
        mut pay: Pay,
    ) -> Result<Result<(PayReply, PaymentId), Problem>, Failure> {
        let own = &purchase.binding;
        if purchase.proof == Proof::Open && !self.is_bound(name, purchase).await? {
            // Nothing is bound, and nothing that is bound is shown, until it is known that this is the payer.
            if let Some(unproven) = self.prove(purchase).await {
                return Ok(Ok((unproven, own.payment.clone())));
            }
        }
        pay.proof = Proof::Shown;
        let (mut in_place_of, mut replacements) = (None, 0_u32);
        loop {
            let bound = match self.bind(name, purchase, in_place_of).await? {
                Reply::Done { answer: Some(bound), .. } => bound,
                Reply::Refused(refusal) => {
                    return Ok(Err(Problem::new(409, refusal.code(), refusal.to_string())));
                }
                Reply::Done { answer: None, .. } | Reply::OperationReused => {
                    return Err(Failure::Corrupt("an identifier without a payment".to_owned()));
                }
            };
            halt::at(Step::Bound).await;
            (pay.payment, pay.authorization) = (bound.payment.clone(), bound.authorization);
            pay.valid_before = bound.valid_before;
            let reply = objects::pay(self.env, &pay).await?;
            if !reply.is_void() || bound.payment == own.payment || replacements == REPLACEMENTS_MAX {
                return Ok(Ok((reply, bound.payment)));
            }
            (in_place_of, replacements) = (Some(bound.payment), replacements.saturating_add(1));
        }
    }

    /// Whether this very payment, word for word, is the one that is bound: then it was proven before.
    async fn is_bound(&self, name: &Name, purchase: &Purchase) -> Result<bool, Failure> {
        let bound = objects::bound(self.env, &name.digest).await?;
        Ok(bound.is_some_and(|bound| bound == purchase.binding))
    }

    async fn bind(
        &self,
        name: &Name,
        purchase: &Purchase,
        in_place_of: Option<PaymentId>,
    ) -> Result<BindReply, Failure> {
        let command =
            Command::Bind { fingerprint: name.fingerprint, binding: purchase.binding.clone(), in_place_of };
        objects::bind(self.env, &name.digest, command, self.correlation_id).await
    }

    /// Has the facilitator say whether the payer signed; `None` when it did.
    async fn prove(&self, purchase: &Purchase) -> Option<PayReply> {
        let question = Question {
            payment: purchase.binding.payment.as_str(),
            authorization: &purchase.binding.authorization,
            correlation_id: self.correlation_id,
        };
        match facilitator::verify(self.env, self.settings, question).await {
            Verdict::Valid => None,
            Verdict::Invalid { reason, message } => Some(PayReply::Invalid { reason, message }),
            Verdict::Unknown { cause } => Some(PayReply::Unverified { cause: cause.to_owned() }),
        }
    }
}
