//! The tools of mandates. Whoever calls is nobody here: a tool shows what anyone may see, and pays what an agent signed.

use core::time::Duration;

use api::binding::{Caller, MandateAsk};
use api::mandate_tools::{self, Budget, Evaluate, Look};
use api::wire::{Payment, Progress};
use eip712::B256;
use mcp::{ToolCall, ToolOutcome};
use serde_json::{Map, Value};
use shell::{Failure, now, random};

use super::seen;
use crate::config::config;
use crate::ports::mandates::{Answered, ask};
use crate::rejection::Rejection;
use crate::request::Incoming;
use crate::routes::mandates::ledger;

/// How often the owner's word is looked for while a call waits for it.
const LOOK: Duration = Duration::from_secs(1);

type Arguments = Map<String, Value>;

/// `get_mandate_budget`.
pub(super) async fn budget(incoming: &Incoming, arguments: &Arguments) -> Result<ToolOutcome, Rejection> {
    let Budget { mandate, recipient, service } = mandate_tools::budget(arguments)?;
    seen(tell(incoming, mandate, MandateAsk::Budget { recipient, service }).await?.json)
}

/// `evaluate_payment`.
pub(super) async fn evaluate(incoming: &Incoming, arguments: &Arguments) -> Result<ToolOutcome, Rejection> {
    let Evaluate { mandate, want } = mandate_tools::evaluate(arguments)?;
    let fresh = B256::new(random()?);
    seen(tell(incoming, mandate, MandateAsk::Evaluate { want, fresh }).await?.json)
}

/// `request_payment`. Asking again submits a request that the owner has approved, and says of any other where it stands.
pub(super) async fn request_payment(incoming: &Incoming, call: &ToolCall) -> Result<ToolOutcome, Rejection> {
    let asked = mandate_tools::request_payment(call, &ledger(incoming)?)?;
    let mandate = asked.requested.request.mandate;
    let until = now().plus(asked.wait);
    let payment = loop {
        let request = MandateAsk::Request(Box::new(asked.requested.clone()));
        let payment: Payment = tell(incoming, mandate, request).await?.read()?;
        if payment.progress != Progress::AwaitingApproval || now() >= until {
            break payment;
        }
        worker::Delay::from(LOOK).await;
    };
    Ok(mandate_tools::requested(&asked, &payment, &approval_url(incoming, &payment)?)?)
}

/// `get_payment`.
pub(super) async fn look(incoming: &Incoming, arguments: &Arguments) -> Result<ToolOutcome, Rejection> {
    let Look { mandate, payment } = mandate_tools::look(arguments)?;
    let payment: Payment =
        tell(incoming, mandate, MandateAsk::Payment { reference: payment }).await?.read()?;
    Ok(mandate_tools::looked(&payment, &approval_url(incoming, &payment)?)?)
}

async fn tell(incoming: &Incoming, mandate: B256, what: MandateAsk) -> Result<Answered, Rejection> {
    ask(&incoming.env, mandate, Caller::Anyone, what, None, &incoming.correlation_id).await
}

/// Where the owner signs in and decides. It says nothing about anyone, and opens nothing to whoever has it.
fn approval_url(incoming: &Incoming, payment: &Payment) -> Result<String, Failure> {
    let settings = config(&incoming.env)?;
    let unset = || Failure::Configuration("SITE_ORIGIN must be set before there are mandates".to_owned());
    let site = settings.site.as_ref().ok_or_else(unset)?;
    Ok(format!("{}/v1/approvals/{}", site.origin, payment.payment))
}
