//! Questions: may this be paid, and how much more?

use alloy_primitives::{Address, B256};
use mandate::{Request, UnixSeconds};
use primitives::BaseUnits;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::request::message;
use crate::inbound::{Faults, shape};
use crate::problem::Problem;
use crate::wire::Ask;

/// What may be paid?
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// The mandate, if the body names it.
    pub mandate: Option<B256>,
    /// What is wanted.
    pub want: Want,
}

/// What is wanted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Want {
    /// A whole request.
    Whole(Box<Request>),
    /// The parts that matter to who asks; a whole request is to be made of them.
    Parts {
        /// Who is paid.
        recipient: Address,
        /// For what.
        service: B256,
        /// The most that is paid.
        amount: BaseUnits,
        /// The request's id; none for a fresh one.
        request_id: Option<B256>,
        /// What the job is; zero for nothing.
        job_hash: B256,
        /// When the delivery is due; none for the usual.
        deliver_by: Option<UnixSeconds>,
        /// When the request ends; none for the usual.
        valid_before: Option<UnixSeconds>,
    },
}

/// Reads a question.
///
/// # Errors
/// 400 with every fault.
pub fn asked(body: &Value) -> Result<Asked, Problem> {
    let mut ask: Ask = shape(body)?;
    let mut faults = Faults::default();
    let mandate = ask.mandate.take().map(|text| faults.hash("mandate", &text));
    let Some(request) = ask.request.take() else {
        let want = parts(&mut faults, &ask);
        return faults.finish(Some(Asked { mandate, want }));
    };
    if ask != Ask::default() {
        let message =
            "is the whole question; leave out the other fields, or ask with recipient, service and amount";
        faults.add("request", message);
    }
    let request = message(&mut faults, &request);
    if mandate.is_some_and(|mandate| mandate != request.mandate) {
        faults.add("mandate", "must be the mandate of the request");
    }
    faults.finish(Some(Asked { mandate: Some(request.mandate), want: Want::Whole(Box::new(request)) }))
}

fn parts(faults: &mut Faults, ask: &Ask) -> Want {
    let mut needed = |field, text: &Option<String>| {
        if text.is_none() {
            faults.add(field, "is needed where there is no request");
        }
        text.clone()
    };
    let recipient = needed("recipient", &ask.recipient);
    let service = needed("service", &ask.service);
    let amount = needed("amount", &ask.amount);
    Want::Parts {
        recipient: recipient.map(|text| faults.address("recipient", &text)).unwrap_or_default(),
        service: service.map(|text| faults.service("service", &text)).unwrap_or_default(),
        amount: amount.map_or(BaseUnits(0), |text| faults.any_amount("amount", &text)),
        request_id: ask.request_id.as_deref().map(|text| faults.hash("requestId", text)),
        job_hash: ask.job_hash.as_deref().map(|text| faults.hash("jobHash", text)).unwrap_or_default(),
        deliver_by: ask.deliver_by.as_deref().map(|text| faults.time("deliverBy", text)),
        valid_before: ask.valid_before.as_deref().map(|text| faults.time("validBefore", text)),
    }
}

/// Reads whom and what a budget is asked for, from a query string's pairs or a tool's arguments; zero is
/// any.
///
/// # Errors
/// 400 with every fault.
pub fn budget<'a>(pairs: impl Iterator<Item = (&'a str, String)>) -> Result<(Address, B256), Problem> {
    let mut faults = Faults::default();
    let (mut recipient, mut service) = (Address::ZERO, B256::ZERO);
    for (name, text) in pairs {
        match name {
            "recipient" => recipient = faults.address(name, &text),
            "service" => service = faults.service(name, &text),
            _ => faults.add(name, "is not known here; recipient and service are"),
        }
    }
    faults.finish_address(Some((recipient, service)))
}
