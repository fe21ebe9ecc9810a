//! What an owner keeps for itself: names of agents, and drafts of mandates. Whoever comes here is the owner.

use account::{Command, DraftId, State};
use api::inbound::account as inbound;
use api::outbound::account as outbound;
use api::route::AccountRoute;
use eip712::Address;
use shell::{Failure, random};

use crate::ports::objects;
use crate::rejection::Rejection;
use crate::request::Incoming;
use crate::respond::Outgoing;

/// Answers the owner.
pub async fn account(
    incoming: &Incoming,
    owner: Address,
    route: AccountRoute,
) -> Result<Outgoing, Rejection> {
    match route {
        AccountRoute::Agents => Outgoing::json(200, &outbound::agents(&view(incoming, owner).await?)),
        AccountRoute::NameAgent => name(incoming, owner).await,
        AccountRoute::ForgetAgent { agent } => gone(incoming, owner, Command::Forget { agent }).await,
        AccountRoute::Drafts => Outgoing::json(200, &outbound::drafts(&view(incoming, owner).await?)?),
        AccountRoute::CreateDraft => create(incoming, owner).await,
        AccountRoute::ChangeDraft => change(incoming, owner).await,
        AccountRoute::DiscardDraft => {
            let id = inbound::draft(&incoming.path)?;
            gone(incoming, owner, Command::Discard { id }).await
        }
    }
}

async fn name(incoming: &Incoming, owner: Address) -> Result<Outgoing, Rejection> {
    let (agent, name) = inbound::naming(&incoming.json().await?)?;
    let (state, _) = tell(incoming, owner, Command::Name { agent, name }).await?;
    let known = state.agents.get(&agent).ok_or_else(|| contradiction("was named and is not there"))?;
    Outgoing::json(200, &outbound::agent(agent, known))
}

async fn create(incoming: &Incoming, owner: Address) -> Result<Outgoing, Rejection> {
    let key = incoming.header("idempotency-key");
    let id = inbound::new_draft(owner, key.as_deref(), random()?)?;
    let (fingerprint, content) = inbound::drafting(&incoming.json().await?)?;
    let (state, replayed) = tell(incoming, owner, Command::Draft { id, fingerprint, content }).await?;
    let outgoing = show(if replayed { 200 } else { 201 }, &state, id)?;
    Ok(if replayed { outgoing.with("idempotency-replayed", "true") } else { outgoing })
}

async fn change(incoming: &Incoming, owner: Address) -> Result<Outgoing, Rejection> {
    let id = inbound::draft(&incoming.path)?;
    let seen = inbound::seen(incoming.header("if-match").as_deref())?;
    let changes = inbound::changes(&incoming.json().await?)?;
    let (state, _) = tell(incoming, owner, Command::Change { id, seen, changes }).await?;
    show(200, &state, id)
}

async fn gone(incoming: &Incoming, owner: Address, command: Command) -> Result<Outgoing, Rejection> {
    tell(incoming, owner, command).await?;
    Ok(Outgoing::text(204, "text/plain", String::new()))
}

/// One draft with its version.
fn show(status: u16, state: &State, id: DraftId) -> Result<Outgoing, Rejection> {
    let draft = state.drafts.get(&id).ok_or_else(|| contradiction("was kept and is not there"))?;
    Ok(Outgoing::json(status, &outbound::draft(id, draft)?)?.with("etag", outbound::etag(draft)))
}

/// What the account holds.
async fn view(incoming: &Incoming, owner: Address) -> Result<State, Rejection> {
    Ok(objects::account_view(&incoming.env, &owner).await?)
}

/// What the account holds after a command, and whether that had been so before.
async fn tell(incoming: &Incoming, owner: Address, command: Command) -> Result<(State, bool), Rejection> {
    let told = objects::account(&incoming.env, &owner, command, &incoming.correlation_id).await?;
    told.map_err(|refusal| outbound::refused(&refusal).into())
}

fn contradiction(what: &str) -> Rejection {
    Failure::Corrupt(format!("what an account keeps {what}")).into()
}
