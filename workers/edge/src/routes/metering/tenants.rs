//! Tenants, their keys, and what they agree with agents.

use api::binding::tenant::{TenantAnswer, TenantAsk, TenantCaller, TenantRefusal, TenantView};
use api::inbound::metering as inbound;
use api::inbound::metering::KeyWanted;
use api::outbound::metering as outbound;
use api::route::TenantRoute;
use api::wire;
use eip712::Address;
use primitives::{AgentName, Operation, TenantId};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use shell::{Failure, now, random};
use tenant::key::{Environment, KeyId, KeyText};
use tenant::{Access, Command, Known, Offer, Scope};

use super::admit::{Guest, Limits, admit, asked, opener, operator, passer_by};
use super::payments::agent_of;
use super::place::tenant_no;
use crate::caller::{caller, known_once};
use crate::config;
use crate::ports::tenants;
use crate::rejection::Rejection;
use crate::request::Incoming;
use crate::respond::Outgoing;

const ADMIN: Access = Access::Recover(Scope::Admin);

/// Answers what is asked of a tenant.
pub async fn tenants(incoming: &Incoming, route: TenantRoute) -> Result<Outgoing, Rejection> {
    match route {
        TenantRoute::Open => open(incoming).await,
        TenantRoute::Mine => shown(incoming, Access::Look, TenantView::Tenant).await,
        TenantRoute::Show { tenant } => {
            by_operator(incoming, &tenant, |_| Ok(TenantAsk::Show(TenantView::Tenant))).await
        }
        TenantRoute::Suspend { tenant } => {
            let suspend = |body: &Value| Ok(tell(Command::Suspend { reason: inbound::pause(body)? }, None));
            by_operator(incoming, &tenant, suspend).await
        }
        TenantRoute::Resume { tenant } => {
            let resume =
                |body: &Value| Ok(api::inbound::run::nothing(body).map(|()| tell(Command::Resume, None))?);
            by_operator(incoming, &tenant, resume).await
        }
        TenantRoute::Keys => shown(incoming, Access::Read(Scope::Admin), TenantView::Keys).await,
        TenantRoute::CreateKey => create_key(incoming).await,
        TenantRoute::Key { key } => {
            shown(incoming, Access::Read(Scope::Admin), TenantView::Key { id: key }).await
        }
        TenantRoute::RevokeKey { key } => {
            let (seen, limits) =
                seen(incoming, ADMIN, Ok(tell(Command::RevokeKey { id: key }, None))).await?;
            limits.finish(Ok(seen.show(200)))
        }
        TenantRoute::RotateKey { key } => rotate_key(incoming, key).await,
        TenantRoute::Account { agent } => {
            shown(incoming, Access::Read(Scope::BillingWrite), TenantView::Account { agent }).await
        }
        TenantRoute::SetAccount { agent } => set_account(incoming, agent).await,
        TenantRoute::OfferMandate { tenant, agent } => offer(incoming, &tenant, agent).await,
        TenantRoute::WithdrawMandate { tenant, agent } => withdraw(incoming, &tenant, agent).await,
    }
}

/// A command for a tenant.
pub(super) fn tell(command: Command, operation: Option<Operation>) -> TenantAsk {
    TenantAsk::Tell { command: Box::new(command), operation }
}

/// What a tenant shows, or has come to.
pub(super) struct Seen {
    json: String,
    /// The revision of what is shown.
    pub(super) revision: u64,
    /// Whether it had come to that before.
    pub(super) replayed: bool,
}

impl Seen {
    pub(super) fn of(answer: TenantAnswer) -> Result<Self, Rejection> {
        match answer {
            TenantAnswer::Answered { json, revision, replayed } => Ok(Self { json, revision, replayed }),
            TenantAnswer::Admitted(_) | TenantAnswer::Followers(_) | TenantAnswer::Meters(_) => {
                Err(unexpected())
            }
        }
    }

    pub(super) fn read<T: DeserializeOwned>(&self) -> Result<T, Rejection> {
        Ok(serde_json::from_str(&self.json)?)
    }

    /// Something of it, in its place.
    pub(super) fn of_it(self, part: &impl Serialize) -> Result<Self, Rejection> {
        Ok(Self { json: serde_json::to_string(part)?, ..self })
    }

    /// As it is.
    pub(super) fn show(self, status: u16) -> Outgoing {
        let replayed = self.replayed;
        marked(Outgoing::text(status, "application/json", self.json), replayed)
    }
}

fn unexpected() -> Rejection {
    Failure::Runtime("a tenant answered something else than it was asked".to_owned()).into()
}

fn marked(outgoing: Outgoing, replayed: bool) -> Outgoing {
    let outgoing = outgoing.with("cache-control", "no-store");
    if replayed { outgoing.with("idempotency-replayed", "true") } else { outgoing }
}

/// Asks the tenant of the key that came along. What is wrong with the request is told only to whoever may ask it.
pub(super) async fn seen(
    incoming: &Incoming,
    access: Access,
    ask: Result<TenantAsk, Rejection>,
) -> Result<(Seen, Limits), Rejection> {
    match ask {
        Ok(ask) => {
            let (answer, limits) = asked(incoming, access, ask).await?;
            Ok((Seen::of(answer)?, limits))
        }
        Err(no) => {
            let guest = admit(incoming, access, Vec::new(), Vec::new()).await?;
            guest.finish(Err(no)).and_then(|_| Err(unexpected()))
        }
    }
}

/// Shows something to a key.
async fn shown(incoming: &Incoming, access: Access, view: TenantView) -> Result<Outgoing, Rejection> {
    let (seen, limits) = seen(incoming, access, Ok(TenantAsk::Show(view))).await?;
    limits.finish(Ok(seen.show(200)))
}

/// By the operator; in development without one, by anyone.
async fn open(incoming: &Incoming) -> Result<Outgoing, Rejection> {
    let limits = opener(incoming).await?;
    limits.finish(opened(incoming).await)
}

async fn opened(incoming: &Incoming) -> Result<Outgoing, Rejection> {
    let environment = config::metering(&incoming.env)?.environment;
    let inbound::Opening { name, pay_to } = inbound::tenant(&incoming.json().await?)?;
    let tenant = TenantId::derive(&[b"guildhall tenant v1\0", &random::<16>()?]);
    let (text, key) = fresh_key(environment, &tenant, KeyWanted::first(), None)?;
    let id = key.id.clone();
    let command = Command::Open { name, pay_to, key };
    let seen = ask_as_operator(incoming, &tenant, tell(command, None)).await?;
    let key = ask_as_operator(incoming, &tenant, TenantAsk::Show(TenantView::Key { id })).await?;
    let answer = outbound::opened(seen.read()?, key.read()?, &text);
    Ok(marked(Outgoing::json(201, &answer)?, false))
}

async fn ask_as_operator(incoming: &Incoming, tenant: &TenantId, ask: TenantAsk) -> Result<Seen, Rejection> {
    heard(incoming, tenant, TenantCaller::Operator, ask).await
}

/// Asks a tenant that no key names.
async fn heard(
    incoming: &Incoming,
    tenant: &TenantId,
    by: TenantCaller,
    ask: TenantAsk,
) -> Result<Seen, Rejection> {
    let reply = tenants::ask(&incoming.env, tenant, by, ask, &incoming.correlation_id).await?;
    match reply.outcome {
        Ok(answer) => Seen::of(answer),
        Err(TenantRefusal::Refused(refusal)) => Err(tenant_no(&refusal)),
        Err(TenantRefusal::TooOften | TenantRefusal::OperationReused) => Err(unexpected()),
    }
}

async fn by_operator(
    incoming: &Incoming,
    tenant: &TenantId,
    ask: impl FnOnce(&Value) -> Result<TenantAsk, Rejection>,
) -> Result<Outgoing, Rejection> {
    let limits = operator(incoming).await?;
    let outcome = async {
        let ask = ask(&incoming.json_or_nothing().await?)?;
        Ok(ask_as_operator(incoming, tenant, ask).await?.show(200))
    };
    limits.finish(outcome.await)
}

/// A new key and its text. Its id follows from the operation that makes it, so that it is found again.
fn fresh_key(
    environment: Environment,
    tenant: &TenantId,
    wanted: KeyWanted,
    operation: Option<&Operation>,
) -> Result<(KeyText, tenant::NewKey), Rejection> {
    let id = match operation {
        Some(made_by) => {
            KeyId::derive(&[b"guildhall key v1\0", tenant.as_str().as_bytes(), b"\0", made_by.key.as_bytes()])
        }
        None => KeyId::from_random(random()?),
    };
    let text = KeyText::write(environment, tenant, &id, random()?);
    let key = wanted.key(id, text.digest());
    Ok((text, key))
}

/// Makes a key by the one that came along: `command` is what makes it. One that was made before and never used is given
/// another secret, since whoever asks again may not have seen the first one; one that was used is not shown again.
async fn issue(
    incoming: &Incoming,
    guest: &Guest,
    wanted: KeyWanted,
    operation: Option<Operation>,
    command: impl FnOnce(tenant::NewKey, KeyId) -> Command,
) -> Result<Outgoing, Rejection> {
    let environment = config::metering(&incoming.env)?.environment;
    let by = guest.admission.key.clone().ok_or_else(unexpected)?;
    let (text, key) = fresh_key(environment, &guest.admission.tenant, wanted, operation.as_ref())?;
    let (id, secret) = (key.id.clone(), key.secret);
    let (made, _) = seen(incoming, ADMIN, Ok(tell(command(key, by), operation))).await?;
    if !made.replayed {
        return Ok(marked(Outgoing::json(201, &outbound::issued(made.read()?, Some(&text)))?, false));
    }
    let reissue = Command::ReissueKey { id, secret, used: Known::Filed };
    let (stands, _) = seen(incoming, ADMIN, Ok(tell(reissue, None))).await?;
    let text = Some(&text).filter(|_| !stands.replayed);
    Ok(marked(Outgoing::json(200, &outbound::issued(stands.read()?, text))?, true))
}

async fn create_key(incoming: &Incoming) -> Result<Outgoing, Rejection> {
    let body = incoming.json_or_nothing().await;
    let guest = admit(incoming, ADMIN, Vec::new(), Vec::new()).await?;
    let outcome = async {
        let body = body?;
        let wanted = inbound::key(&body)?;
        let operation = operation(incoming, "key.create", "", &body)?;
        issue(incoming, &guest, wanted, operation, |key, by| Command::CreateKey { key, by }).await
    };
    guest.finish(outcome.await)
}

/// The key in the place of another one has what that one has.
async fn rotate_key(incoming: &Incoming, id: KeyId) -> Result<Outgoing, Rejection> {
    let body = incoming.json_or_nothing().await;
    let guest = admit(incoming, ADMIN, Vec::new(), Vec::new()).await?;
    let outcome = async {
        let body = body?;
        let overlap = inbound::rotation(&body)?;
        let operation = operation(incoming, "key.rotate", id.as_str(), &body)?;
        let view = TenantAsk::Show(TenantView::Key { id: id.clone() });
        let (old, _) = seen(incoming, Access::Read(Scope::Admin), Ok(view)).await?;
        let wanted = inbound::in_place_of(&old.read::<wire::KeyView>()?)?;
        issue(incoming, &guest, wanted, operation, |key, by| Command::RotateKey { id, key, overlap, by })
            .await
    };
    guest.finish(outcome.await)
}

/// The write as one that is done once, if its key says so.
pub(super) fn operation(
    incoming: &Incoming,
    kind: &str,
    target: &str,
    body: &Value,
) -> Result<Option<Operation>, Rejection> {
    let key = incoming.header("idempotency-key");
    Ok(inbound::operation(key.as_deref(), kind, target, body)?)
}

async fn set_account(incoming: &Incoming, agent: AgentName) -> Result<Outgoing, Rejection> {
    let read = incoming.json().await.and_then(|body| Ok(inbound::account(&body)?));
    // What is on file the tenant knows.
    let ask = read.map(|(mode, mandate)| tell(Command::SetMode { agent, mode, mandate, filed: None }, None));
    let (seen, limits) = seen(incoming, Access::Write(Scope::BillingWrite), ask).await?;
    limits.finish(Ok(seen.show(200)))
}

/// By the mandate's agent, whose signature is used once by the mandate that it is asked about.
async fn offer(incoming: &Incoming, tenant: &TenantId, agent: AgentName) -> Result<Outgoing, Rejection> {
    let limits = passer_by(incoming).await?;
    let outcome = async {
        let mandate = inbound::mandate(&incoming.json().await?)?;
        let signer = account(agent_of(incoming, &mandate).await?);
        let offer = Offer { mandate, signer: signer.clone(), at: now() };
        let command = Command::OfferMandate { agent, offer, filed: None };
        let by = TenantCaller::Account(signer);
        Ok(heard(incoming, tenant, by, tell(command, None)).await?.show(200))
    };
    limits.finish(outcome.await)
}

async fn withdraw(incoming: &Incoming, tenant: &TenantId, agent: AgentName) -> Result<Outgoing, Rejection> {
    let limits = passer_by(incoming).await?;
    let outcome = async {
        let by = caller(incoming).await?;
        by.signer().ok_or_else(api::caller::unknown)?;
        let signer = account(known_once(incoming, &by).await?);
        let command = Command::WithdrawMandate { agent, signer: signer.clone(), filed: None };
        let by = TenantCaller::Account(signer);
        Ok(heard(incoming, tenant, by, tell(command, None)).await?.show(200))
    };
    limits.finish(outcome.await)
}

/// An account as tenants have it on file.
fn account(address: Address) -> String {
    address.to_string().to_ascii_lowercase()
}
