//! One mandate is asked, and its answer goes out.

use api::binding::{Caller, MandateAsk};
use api::inbound::mandate::ambiguous;
use api::outbound::mandate::refused;
use eip712::{Address, B256};
use mandate::life::Refusal;
use primitives::Operation;

use crate::caller::caller;
use crate::ports::ledger;
use crate::ports::mandates::{self, Answered};
use crate::rejection::Rejection;
use crate::request::Incoming;
use crate::respond::Outgoing;

/// Asks for whoever sends the request.
pub(super) async fn ask(incoming: &Incoming, mandate: B256, ask: MandateAsk) -> Result<Answered, Rejection> {
    ask_as(incoming, caller(incoming).await?, mandate, ask, None).await
}

/// Asks for a caller who is known already.
pub(super) async fn ask_as(
    incoming: &Incoming,
    caller: Caller,
    mandate: B256,
    ask: MandateAsk,
    operation: Option<Operation>,
) -> Result<Answered, Rejection> {
    let correlation_id = &incoming.correlation_id;
    mandates::ask(&incoming.env, mandate, caller, ask, operation, correlation_id).await
}

/// The mandate and the payment that a name stands for. A payment's own name is one payment's; of those that agents gave,
/// several may be alike, and only those of a party count when one is given.
pub(super) async fn found(
    incoming: &Incoming,
    reference: B256,
    party: Option<Address>,
) -> Result<(B256, B256), Rejection> {
    let party = party.map(|party| party.to_string());
    let located = ledger::locate(&incoming.env, &reference.to_string(), party.as_deref()).await?;
    let mut named = located.iter().filter_map(|at| at.mandate_id.parse().ok().zip(at.payment.parse().ok()));
    match (named.next(), named.next()) {
        (Some(one), None) => Ok(one),
        (Some(_), Some(_)) => Err(ambiguous().into()),
        (None, _) => Err(refused(&Refusal::UnknownRequest).into()),
    }
}

/// A mandate's answer on its way out.
pub(super) fn shown(answered: Answered) -> Result<Outgoing, Rejection> {
    let Answered { status, json, replayed } = answered;
    let outgoing = Outgoing::text(status, "application/json", json).with("cache-control", "no-store");
    Ok(if replayed { outgoing.with("idempotency-replayed", "true") } else { outgoing })
}
