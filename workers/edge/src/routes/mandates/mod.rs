//! Mandates, the payments under them, and an owner's lists of both.

mod asking;
mod lists;

use api::binding::MandateAsk;
use api::inbound::mandate as inbound;
use api::outbound::mandate::status_report;
use api::route::{Change, MandateRoute};
use api::settings::{Ledger, Settings};
use primitives::{Digest, Operation, canonical_json};
use serde_json::Value;
use shell::{Failure, random};

use crate::caller::{caller, known, known_once};
use crate::config::config;
use crate::ports::{custody, mandates as mandate_objects};
use crate::rejection::Rejection;
use crate::request::Incoming;
use crate::respond::Outgoing;
use asking::{ask, found, shown};
pub(super) use lists::named;

/// Answers what is asked of mandates.
pub async fn mandates(incoming: &Incoming, route: MandateRoute) -> Result<Outgoing, Rejection> {
    match route {
        MandateRoute::Status => status(incoming),
        MandateRoute::Create => create(incoming).await,
        MandateRoute::Adopt => adopt(incoming).await,
        MandateRoute::Show { mandate } => shown(ask(incoming, mandate, MandateAsk::Show).await?),
        MandateRoute::Entries { mandate } => {
            let (from, limit) = api::listing::entries(lists::named(&incoming.pairs()))?;
            shown(ask(incoming, mandate, MandateAsk::Entries { from, limit }).await?)
        }
        MandateRoute::Budget { mandate } => {
            let (recipient, service) = inbound::budget(lists::named(&incoming.pairs()))?;
            shown(ask(incoming, mandate, MandateAsk::Budget { recipient, service }).await?)
        }
        MandateRoute::Change { mandate, change } => change_one(incoming, mandate, change).await,
        MandateRoute::Evaluate { mandate } => {
            let asked = inbound::asked(&incoming.json_or_nothing().await?)?;
            evaluate(incoming, mandate, asked).await
        }
        MandateRoute::AgentEvaluate => {
            let asked = inbound::asked(&incoming.json().await?)?;
            let mandate = asked.mandate.ok_or_else(inbound::mandate_missing)?;
            evaluate(incoming, mandate, asked).await
        }
        MandateRoute::Request { mandate } => {
            let requested = inbound::requested(&incoming.json().await?, &ledger(incoming)?)?;
            shown(ask(incoming, mandate, MandateAsk::Request(Box::new(requested))).await?)
        }
        MandateRoute::AgentRequest => {
            let requested = inbound::requested(&incoming.json().await?, &ledger(incoming)?)?;
            let mandate = requested.request.mandate;
            shown(ask(incoming, mandate, MandateAsk::Request(Box::new(requested))).await?)
        }
        MandateRoute::Payment { mandate, reference } => {
            shown(ask(incoming, mandate, MandateAsk::Payment { reference }).await?)
        }
        MandateRoute::Act { mandate, reference, verb } => {
            let said = inbound::said(verb, &incoming.json_or_nothing().await?)?;
            shown(ask(incoming, mandate, MandateAsk::Act { reference, said }).await?)
        }
        MandateRoute::Decide { reference } => {
            let said = inbound::decision(&incoming.json().await?)?;
            let by = caller(incoming).await?;
            let (mandate, reference) = found(incoming, reference, Some(known(&by)?)).await?;
            shown(asking::ask_as(incoming, by, mandate, MandateAsk::Act { reference, said }, None).await?)
        }
        MandateRoute::FindPayment { reference } => {
            let by = caller(incoming).await?;
            let (mandate, reference) = found(incoming, reference, None).await?;
            shown(asking::ask_as(incoming, by, mandate, MandateAsk::Payment { reference }, None).await?)
        }
        MandateRoute::Approval { reference } | MandateRoute::AgentApproval { reference } => {
            let by = caller(incoming).await?;
            let (mandate, reference) = found(incoming, reference, Some(known(&by)?)).await?;
            shown(asking::ask_as(incoming, by, mandate, MandateAsk::Approval { reference }, None).await?)
        }
        MandateRoute::Record => record(incoming).await,
        MandateRoute::List => lists::mandates(incoming).await,
        MandateRoute::OfAgent => lists::of_agent(incoming).await,
        MandateRoute::Requests { mandate } => lists::requests(incoming, mandate).await,
        MandateRoute::Approvals => lists::approvals(incoming).await,
        MandateRoute::Payments => lists::payments(incoming).await,
        MandateRoute::Activity => lists::activity(incoming).await,
    }
}

fn status(incoming: &Incoming) -> Result<Outgoing, Rejection> {
    let settings = config(&incoming.env)?;
    let contract = settings.contract.as_ref().filter(|_| custody::is_bound(&incoming.env));
    let report = status_report(&settings.facilitator, ledger_of(&settings)?, contract);
    Ok(Outgoing::json(200, &report)?.with("cache-control", "no-cache"))
}

async fn create(incoming: &Incoming) -> Result<Outgoing, Rejection> {
    let by = caller(incoming).await?;
    let (owner, key) = (known(&by)?, incoming.header("idempotency-key"));
    let body = incoming.json().await?;
    let (creation, label) = inbound::create(&body, key.as_deref(), owner, &ledger(incoming)?)?;
    let mandate = creation.id;
    // The id stands for owner and salt: what is asked twice is done once without any key besides.
    let operation = Some(operation("create", "create", &body)?);
    let create = MandateAsk::Create { creation: Box::new(creation), label };
    shown(asking::ask_as(incoming, by, mandate, create, operation).await?)
}

/// Whoever owns it in the contract has it mirrored.
async fn adopt(incoming: &Incoming) -> Result<Outgoing, Rejection> {
    if config(&incoming.env)?.contract.is_none() {
        return Err(inbound::no_contract().into());
    }
    let (mandate, label) = inbound::adopt(&incoming.json().await?)?;
    let by = caller(incoming).await?;
    known_once(incoming, &by).await?;
    let (env, correlation_id) = (&incoming.env, &incoming.correlation_id);
    shown(mandate_objects::ask_mirror(env, mandate, by, MandateAsk::Adopt { label }, correlation_id).await?)
}

/// An agent has sent a transaction itself. Only to a contract is any sent.
async fn record(incoming: &Incoming) -> Result<Outgoing, Rejection> {
    if config(&incoming.env)?.contract.is_none() {
        return Err(inbound::nothing_to_record().into());
    }
    let (reference, transaction) = inbound::record(&incoming.json().await?)?;
    let by = caller(incoming).await?;
    let (mandate, reference) = found(incoming, reference, Some(known(&by)?)).await?;
    let record = MandateAsk::Record { reference, transaction };
    shown(asking::ask_as(incoming, by, mandate, record, None).await?)
}

async fn change_one(
    incoming: &Incoming,
    mandate: eip712::B256,
    change: Change,
) -> Result<Outgoing, Rejection> {
    let by = caller(incoming).await?;
    let account = known(&by)?;
    let body = incoming.json_or_nothing().await?;
    let header = incoming.header("idempotency-key");
    // What moves money twice when it is done twice needs a name; the rest may have one.
    let key = match change {
        Change::Fund | Change::Withdraw => Some(inbound::idempotency_key(header.as_deref())?),
        Change::Pause
        | Change::Unpause
        | Change::Revoke
        | Change::Renounce
        | Change::Amend
        | Change::ApplyAmendment
        | Change::CancelAmendment => None,
    };
    let wanted = inbound::change(change, &body)?;
    let operation = match key {
        Some(key) => Some(operation(&format!("{account}:{key}"), &incoming.path, &body)?),
        None => None,
    };
    shown(asking::ask_as(incoming, by, mandate, MandateAsk::Change(wanted), operation).await?)
}

/// What is done once under a key: the same under it is an answer, other things are refused.
fn operation(key: &str, target: &str, body: &Value) -> Result<Operation, Failure> {
    let fingerprint = Digest::of(&[target.as_bytes(), b"\0", canonical_json(body)?.as_bytes()]);
    Ok(Operation { key: key.to_owned(), fingerprint })
}

async fn evaluate(
    incoming: &Incoming,
    mandate: eip712::B256,
    asked: inbound::Asked,
) -> Result<Outgoing, Rejection> {
    let fresh = eip712::B256::new(random()?);
    shown(ask(incoming, mandate, MandateAsk::Evaluate { want: asked.want, fresh }).await?)
}

pub(super) fn ledger(incoming: &Incoming) -> Result<Ledger, Rejection> {
    Ok(ledger_of(&*config(&incoming.env)?)?.clone())
}

fn ledger_of(settings: &Settings) -> Result<&Ledger, Failure> {
    let unset = || Failure::Configuration("SITE_ORIGIN must be set before there are mandates".to_owned());
    settings.ledger.as_ref().ok_or_else(unset)
}
