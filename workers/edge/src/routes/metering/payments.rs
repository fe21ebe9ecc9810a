//! How a bill is paid: by x402, from a mandate, or by a transaction of the payer's own. Whoever knows a bill's id may pay it.

use api::binding::meter::{Billed, MeterAnswer, MeterAsk};
use api::binding::{Fulfilment, MandateAsk, Order};
use api::inbound::metering as inbound;
use api::inbound::run::nothing;
use api::outbound::metering::paying as refused;
use api::paywall::bill as offer;
use api::problem::Problem;
use api::route::PaymentRoute;
use api::{caller as signing, wire};
use eip712::Address;
use meter::{Means, Refusal, SettlementState};
use primitives::SettlementId;
use run::Claim;
use run::receipt::Holder;
use serde_json::Value;
use shell::Failure;

use super::admit::passer_by;
use super::billing::{find, view};
use super::place::{done, problem, unexpected};
use super::usage::fresh;
use crate::caller::{caller, known_once};
use crate::config::config;
use crate::paywall::http::Sale;
use crate::ports::{bills, mandates, runs, tenants};
use crate::rejection::Rejection;
use crate::request::Incoming;
use crate::respond::Outgoing;

/// Answers how a bill is to be paid.
pub async fn payments(incoming: &Incoming, route: PaymentRoute) -> Result<Outgoing, Rejection> {
    let limits = passer_by(incoming).await?;
    limits.finish(match route {
        PaymentRoute::Pay { settlement } => pay(incoming, &settlement).await,
        PaymentRoute::Mandate { settlement } => from_mandate(incoming, &settlement).await,
        PaymentRoute::Transaction { settlement } => by_transaction(incoming, &settlement).await,
    })
}

/// A bill, and whom it pays.
struct Bill {
    billed: Billed,
    payee: Option<String>,
}

impl Bill {
    async fn find(incoming: &Incoming, id: &SettlementId) -> Result<Self, Rejection> {
        let billed = find(incoming, id).await?;
        let tenant = &billed.subject.tenant;
        let payee = tenants::payee(&incoming.env, tenant, &incoming.correlation_id).await?;
        Ok(Self { billed, payee })
    }

    fn payee(&self) -> Result<String, Problem> {
        self.payee.clone().ok_or_else(refused::payee_missing)
    }

    fn show(self, incoming: &Incoming, replayed: bool) -> Result<Outgoing, Rejection> {
        let shown = view(incoming, &self.billed, self.payee.as_deref())?;
        Ok(fresh(Outgoing::json(200, &shown)?, replayed))
    }

    /// Has the meter take a way of paying; what comes of it at once is in the answer.
    async fn submit(self, incoming: &Incoming, means: Means) -> Result<Outgoing, Rejection> {
        let id = self.billed.settlement.id.clone();
        let ask = MeterAsk::Submit { id: id.clone(), means };
        let reply = bills::ask(&incoming.env, &id, ask, &incoming.correlation_id).await?;
        let MeterAnswer::Settlement { billed, replayed } = done(reply)? else { return Err(unexpected()) };
        Self { billed: *billed, ..self }.show(incoming, replayed)
    }
}

/// `POST /v1/settlements/{settlement}/pay`, paid.
async fn pay(incoming: &Incoming, id: &SettlementId) -> Result<Outgoing, Rejection> {
    let settings = config(&incoming.env)?;
    let bill = Bill::find(incoming, id).await?;
    let is_paying = ["payment-signature", "x-payment"].iter().any(|name| incoming.header(name).is_some());
    if !is_paying {
        match &bill.billed.settlement.state {
            SettlementState::Drafted { .. } => {}
            // Nobody is asked to pay what is paid.
            SettlementState::Verified { .. } => return bill.show(incoming, true),
            SettlementState::Submitted { .. }
            | SettlementState::Failed { .. }
            | SettlementState::WrittenOff { .. } => {
                return Err(problem(&Refusal::NotDrafted));
            }
        }
    }
    let asset = settings.posting.till.asset.clone();
    let offer = offer(asset, bill.payee()?, id, bill.billed.settlement.amount);
    let sale = Sale::open(incoming, &settings, &offer)?;
    nothing(&incoming.json_or_nothing().await?)?;
    // All that is bought is in the path.
    let order = |_: &[u8; 20]| Order::Settlement(id.clone());
    sale.close(&Value::Null, order, |bought, replayed| match bought {
        Fulfilment::Settlement(billed) => Bill { billed: *billed, ..bill }.show(incoming, replayed),
        Fulfilment::Gig(_) => Err(unexpected()),
    })
    .await
}

/// `POST /v1/settlements/{settlement}/mandate`, signed by the mandate's agent.
async fn from_mandate(incoming: &Incoming, id: &SettlementId) -> Result<Outgoing, Rejection> {
    let mandate = inbound::from_mandate(&incoming.json().await?)?;
    let bill = Bill::find(incoming, id).await?;
    let recipient = bill.payee()?;
    agent_of(incoming, &mandate).await?;
    bill.submit(incoming, Means::Mandate { mandate, recipient }).await
}

/// The account that has signed the request, if it is the agent of that mandate and bills can be paid from there.
pub(in crate::routes) async fn agent_of(incoming: &Incoming, mandate: &str) -> Result<Address, Rejection> {
    let by = caller(incoming).await?;
    let signer = by.signer().ok_or_else(signing::unknown)?;
    let id = mandate.parse().map_err(|_| Failure::Corrupt("a mandate's name".to_owned()))?;
    let (env, correlation_id) = (&incoming.env, &incoming.correlation_id);
    let answered = mandates::ask(env, id, by, MandateAsk::Show, None, correlation_id).await?;
    let shown: wire::Mandate = answered.read()?;
    refused::spendable(&shown, signer)?;
    Ok(signer)
}

/// `POST /v1/settlements/{settlement}/transaction`, signed by whoever has paid: a stranger's transfer is nobody else's to
/// name.
async fn by_transaction(incoming: &Incoming, id: &SettlementId) -> Result<Outgoing, Rejection> {
    let inbound::Paying { transaction, payer } = inbound::transaction(&incoming.json().await?)?;
    let bill = Bill::find(incoming, id).await?;
    let recipient = bill.payee()?;
    let settings = config(&incoming.env)?;
    let Some(chain) = &settings.bills else { return Err(refused::transaction_unsupported(id).into()) };
    let by = caller(incoming).await?;
    by.signer().ok_or_else(signing::unknown)?;
    let account = known_once(incoming, &by).await?;
    refused::sent_by(&payer, account)?;
    let (network, holder) = (chain.network(), Holder::Settlement(id.clone()));
    match runs::look_up(&incoming.env, network, &transaction, &holder).await? {
        Claim::Ours => {}
        Claim::Elsewhere => return Err(refused::transaction_used().into()),
    }
    let network = network.to_owned();
    bill.submit(incoming, Means::Transaction { network, transaction, payer, recipient }).await
}
