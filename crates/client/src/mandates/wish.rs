//! What an agent wants to pay, and whether a message says that.

use api::wire::{self, Mandate};
use eip712::{Address, B256, mandates::PaymentRequest};
use primitives::{BaseUnits, UnixMillis};

use super::message;
use crate::{
    Error, entropy,
    limits::{CLOCK_SKEW, REQUEST_LIFETIME},
};

/// A payment that an agent wants. Asking for the same wish again is asking for the same payment: keep it, or at least its
/// request id, until it is answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wish {
    /// The mandate that it is to come out of.
    pub mandate: B256,
    /// The agent's own name for it; never used for another one under this mandate.
    pub request_id: B256,
    /// Who is paid.
    pub recipient: Address,
    /// For what: the id of a service (see [`crate::service_id`]).
    pub service: B256,
    /// What is reserved, and the most that is paid: base units of the mandate's token.
    pub amount: BaseUnits,
    /// A hash of what is bought, for the parties to look at; zeros for nothing.
    pub job_hash: B256,
    /// The delivery is due before this, in whole seconds; soon after `valid_before` without it.
    pub deliver_by: Option<UnixMillis>,
    /// It can be authorized before this, in whole seconds; for a day, within the mandate, without it.
    pub valid_before: Option<UnixMillis>,
}

impl Wish {
    /// A wish with a name that nobody has used, and the board's own measure of times.
    ///
    /// # Errors
    /// [`Error::NoRandomness`] when there is no name to be had.
    pub fn new(mandate: B256, recipient: Address, service: B256, amount: BaseUnits) -> Result<Self, Error> {
        Ok(Self {
            mandate,
            request_id: entropy::fresh_hash()?,
            recipient,
            service,
            amount,
            job_hash: B256::ZERO,
            deliver_by: None,
            valid_before: None,
        })
    }

    /// The question whether it may be paid.
    pub(super) fn ask(&self) -> wire::Ask {
        wire::Ask {
            mandate: None,
            request: None,
            recipient: Some(self.recipient.to_string()),
            service: Some(self.service.to_string()),
            amount: Some(self.amount.to_string()),
            request_id: Some(self.request_id.to_string()),
            job_hash: Some(self.job_hash.to_string()),
            deliver_by: self.deliver_by.map(UnixMillis::to_rfc3339),
            valid_before: self.valid_before.map(UnixMillis::to_rfc3339),
        }
    }

    /// Whether a message that was made earlier, by whoever, asks for exactly this.
    ///
    /// # Errors
    /// Every difference, in one text.
    pub(super) fn is_said_by(&self, message: &PaymentRequest) -> Result<(), String> {
        all_of(self.differences(message))
    }

    /// Whether the board completed the wish as it was meant: with this mandate's token, policy and terms, and for no
    /// longer than was asked. Captures and refunds end when the board's measure says.
    ///
    /// # Errors
    /// Every difference, in one text.
    pub(super) fn is_completed_by(
        &self,
        message: &PaymentRequest,
        mandate: &Mandate,
        now: UnixMillis,
    ) -> Result<(), String> {
        let mut found = self.differences(message);
        let mut compare = |what, got: &dyn core::fmt::Display, meant: &dyn core::fmt::Display| {
            let (got, meant) = (got.to_string(), meant.to_string());
            if got != meant {
                found.push(format!("its {what} is {got} and not {meant}"));
            }
        };
        let terms = &mandate.policy.terms;
        let resolver = terms.resolver.as_deref().map_or(Ok(Address::ZERO), message::address)?;
        compare("policy version", &message.policyVersion, &mandate.policy_version);
        compare("token", &message.token, &message::address(&mandate.token)?);
        compare("challenge period", &message.terms.challengePeriod, &terms.challenge_period_seconds);
        compare("resolution timeout", &message.terms.resolutionTimeout, &terms.resolution_timeout_seconds);
        compare("share on silence", &message.terms.silenceBps, &terms.silence_bps);
        compare("resolver", &message.terms.resolver, &resolver);
        let longest = now.plus(REQUEST_LIFETIME).plus(CLOCK_SKEW).seconds();
        if self.valid_before.is_none() && message.validBefore.to::<u64>() > longest {
            found.push(format!("it is valid until {}, longer than a day", message.validBefore));
        }
        if self.deliver_by.is_none()
            && message.deliverBy.saturating_sub(message.validBefore).to::<u64>() > REQUEST_LIFETIME.0 / 1_000
        {
            found.push(format!(
                "it is to be delivered by {}, longer than a day after it ends",
                message.deliverBy
            ));
        }
        all_of(found)
    }

    fn differences(&self, message: &PaymentRequest) -> Vec<String> {
        let mut found = Vec::new();
        let mut compare = |what, got: String, meant: String| {
            if got != meant {
                found.push(format!("its {what} is {got} and not {meant}"));
            }
        };
        compare("mandate", message.mandate.to_string(), self.mandate.to_string());
        compare("request id", message.requestId.to_string(), self.request_id.to_string());
        compare("recipient", message.recipient.to_string(), self.recipient.to_string());
        compare("service", message.service.to_string(), self.service.to_string());
        compare("amount", message.maxAmount.to_string(), self.amount.to_string());
        compare("job", message.jobHash.to_string(), self.job_hash.to_string());
        if let Some(moment) = self.valid_before {
            compare("end", message.validBefore.to_string(), moment.seconds().to_string());
        }
        if let Some(moment) = self.deliver_by {
            compare("delivery", message.deliverBy.to_string(), moment.seconds().to_string());
        }
        found
    }
}

fn all_of(differences: Vec<String>) -> Result<(), String> {
    if differences.is_empty() {
        Ok(())
    } else {
        Err(format!("the message asks for something else: {}", differences.join("; ")))
    }
}
