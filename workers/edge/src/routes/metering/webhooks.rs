//! Webhook endpoints. An endpoint is an object of its own; what it is told of is its tenant's to say. The object is made
//! first and its subscription ended first: between the two nothing is delivered.

use std::collections::BTreeMap;

use api::binding::endpoint::{EndpointAnswer, EndpointAsk, EndpointReply};
use api::binding::tenant::{TenantAnswer, TenantAsk, TenantCaller, TenantView};
use api::inbound::metering::operation;
use api::inbound::webhook as inbound;
use api::outbound::metering::key_reused;
use api::outbound::webhook as outbound;
use api::problem::Problem;
use api::route::WebhookRoute;
use api::wire::webhook::WebhookView;
use endpoint::{Refusal, View};
use futures_util::future::try_join_all;
use primitives::{EndpointId, TenantId};
use serde::Serialize;
use shell::{Failure, now, random};
use tenant::{Access, Command, Scope, Subscription};
use webhook::Secret;

use super::admit::{admit, asked, passer_by};
use crate::config;
use crate::ports::{endpoints, tenants};
use crate::rejection::Rejection;
use crate::request::Incoming;
use crate::respond::Outgoing;
use crate::routes::mandates::named;

const READ: Access = Access::Read(Scope::WebhooksWrite);
const WRITE: Access = Access::Write(Scope::WebhooksWrite);

type Subscriptions = BTreeMap<EndpointId, Subscription>;

/// Answers what is asked of webhook endpoints.
pub async fn webhooks(incoming: &Incoming, route: WebhookRoute) -> Result<Outgoing, Rejection> {
    let access = match route {
        WebhookRoute::EventTypes => {
            let outcome = inbound::unasked(named(&incoming.pairs())).map_err(Rejection::from);
            let outcome = outcome.and_then(|()| Outgoing::json(200, &outbound::event_types()));
            return passer_by(incoming).await?.finish(outcome);
        }
        WebhookRoute::List | WebhookRoute::Show { .. } | WebhookRoute::Attempts { .. } => READ,
        WebhookRoute::Create
        | WebhookRoute::Change { .. }
        | WebhookRoute::Delete { .. }
        | WebhookRoute::Test { .. }
        | WebhookRoute::Rotate { .. }
        | WebhookRoute::Enable { .. }
        | WebhookRoute::Disable { .. }
        | WebhookRoute::Resend { .. }
        | WebhookRoute::Recover { .. } => WRITE,
    };
    let guest = admit(incoming, access, Vec::new(), Vec::new()).await?;
    let outcome = keyed(incoming, &guest.admission.tenant, route).await;
    guest.finish(outcome.map(|outgoing| outgoing.with("cache-control", "no-store")))
}

async fn keyed(incoming: &Incoming, tenant: &TenantId, route: WebhookRoute) -> Result<Outgoing, Rejection> {
    let mine = Mine { incoming, tenant };
    if !matches!(route, WebhookRoute::Attempts { .. }) {
        inbound::unasked(named(&incoming.pairs()))?;
    }
    match route {
        WebhookRoute::EventTypes => Err(unexpected()),
        WebhookRoute::List => mine.list().await,
        WebhookRoute::Create => mine.create().await,
        WebhookRoute::Show { endpoint } => mine.show(&endpoint).await,
        WebhookRoute::Change { endpoint } => mine.change(&endpoint).await,
        WebhookRoute::Delete { endpoint } => {
            mine.nothing().await?;
            mine.tell(Command::RemoveEndpoint { id: endpoint }).await?;
            Ok(Outgoing::text(204, "text/plain", String::new()))
        }
        WebhookRoute::Test { endpoint } => {
            mine.nothing().await?;
            mine.sent(&endpoint, EndpointAsk::Test).await
        }
        WebhookRoute::Rotate { endpoint } => mine.rotate(&endpoint).await,
        WebhookRoute::Enable { endpoint } => {
            mine.nothing().await?;
            mine.turned(&endpoint, EndpointAsk::Enable).await
        }
        WebhookRoute::Disable { endpoint } => {
            mine.nothing().await?;
            mine.turned(&endpoint, EndpointAsk::Disable).await
        }
        WebhookRoute::Attempts { endpoint } => {
            let (before, limit) = inbound::attempts(named(&incoming.pairs()))?;
            match mine.ask(&endpoint, EndpointAsk::Attempts { before, limit }).await? {
                EndpointAnswer::Attempts { rows, next } => seen(200, &outbound::attempts(rows, next)),
                other @ EndpointAnswer::Shown { .. }
                | other @ EndpointAnswer::Sent { .. }
                | other @ EndpointAnswer::Recovered { .. }
                | other @ EndpointAnswer::Done => Err(unanswered(&other)),
            }
        }
        WebhookRoute::Resend { endpoint, message } => {
            mine.nothing().await?;
            mine.sent(&endpoint, EndpointAsk::Resend { message }).await
        }
        WebhookRoute::Recover { endpoint } => {
            let since = inbound::recovery(&incoming.json().await?)?;
            match mine.ask(&endpoint, EndpointAsk::Recover { since }).await? {
                EndpointAnswer::Recovered { count, has_more } => {
                    seen(202, &outbound::recovered(count, has_more))
                }
                other @ EndpointAnswer::Shown { .. }
                | other @ EndpointAnswer::Sent { .. }
                | other @ EndpointAnswer::Attempts { .. }
                | other @ EndpointAnswer::Done => Err(unanswered(&other)),
            }
        }
    }
}

/// What a tenant that was let in asks of its endpoints.
struct Mine<'a> {
    incoming: &'a Incoming,
    tenant: &'a TenantId,
}

impl Mine<'_> {
    async fn list(&self) -> Result<Outgoing, Rejection> {
        let subscriptions = self.subscriptions().await?;
        let shown = subscriptions.iter().map(|(id, subscription)| async move {
            Ok::<_, Rejection>(self.webhook(id, &self.view(id).await?, subscription))
        });
        seen(200, &outbound::endpoints(try_join_all(shown).await?))
    }

    async fn create(&self) -> Result<Outgoing, Rejection> {
        let settings = config::metering(&self.incoming.env)?;
        let wanted = inbound::create(&self.incoming.json().await?, &settings.webhook_hosts)?;
        let key = self.incoming.header("idempotency-key");
        let id = inbound::endpoint_id(self.tenant, key.as_deref(), &random()?)?;
        let open = EndpointAsk::Open { url: wanted.url, description: wanted.description };
        let view = match self.reply(&id, open).await? {
            // Only the same key leads to the same endpoint.
            EndpointReply::Refused(_) => return Err(key_reused().into()),
            reply @ EndpointReply::Done(_) | reply @ EndpointReply::OperationReused => {
                shown(answer(reply)?)?.0
            }
        };
        // Should the tenant refuse, or nobody get to asking it, nothing is ever told to what was made.
        let replayed = self.tell(Command::AddEndpoint { id: id.clone(), types: wanted.types }).await?;
        let webhook = self.webhook(&id, &view, &self.subscription(&id).await?);
        let secret = secret(&settings, &id, &view);
        let answer = outbound::with_secret(webhook, &secret);
        Ok(marked(seen(if replayed { 200 } else { 201 }, &answer)?, replayed))
    }

    async fn show(&self, id: &EndpointId) -> Result<Outgoing, Rejection> {
        let subscription = self.subscription(id).await?;
        seen(200, &self.webhook(id, &self.view(id).await?, &subscription))
    }

    async fn change(&self, id: &EndpointId) -> Result<Outgoing, Rejection> {
        let settings = config::metering(&self.incoming.env)?;
        let change = inbound::change(&self.incoming.json().await?, &settings.webhook_hosts)?;
        self.subscription(id).await?;
        let ask = EndpointAsk::Change { url: change.url, description: change.description };
        let (view, _) = shown(self.ask(id, ask).await?)?;
        if let Some(types) = change.types {
            self.tell(Command::SetEndpointTypes { id: id.clone(), types }).await?;
        }
        seen(200, &self.webhook(id, &view, &self.subscription(id).await?))
    }

    async fn rotate(&self, id: &EndpointId) -> Result<Outgoing, Rejection> {
        let settings = config::metering(&self.incoming.env)?;
        let body = self.incoming.json_or_nothing().await?;
        let overlap = inbound::rotation(&body)?;
        let key = self.incoming.header("idempotency-key");
        let operation = operation(key.as_deref(), "rotate", id.as_str(), &body)?;
        let subscription = self.subscription(id).await?;
        let (view, replayed) = shown(self.ask(id, EndpointAsk::Rotate { overlap, operation }).await?)?;
        let secret = secret(&settings, id, &view);
        let answer = outbound::with_secret(self.webhook(id, &view, &subscription), &secret);
        Ok(marked(seen(200, &answer)?, replayed))
    }

    async fn turned(&self, id: &EndpointId, ask: EndpointAsk) -> Result<Outgoing, Rejection> {
        let subscription = self.subscription(id).await?;
        let (view, _) = shown(self.ask(id, ask).await?)?;
        seen(200, &self.webhook(id, &view, &subscription))
    }

    async fn sent(&self, id: &EndpointId, ask: EndpointAsk) -> Result<Outgoing, Rejection> {
        match self.ask(id, ask).await? {
            EndpointAnswer::Sent { message } => seen(202, &outbound::sent(&message)),
            other @ EndpointAnswer::Shown { .. }
            | other @ EndpointAnswer::Attempts { .. }
            | other @ EndpointAnswer::Recovered { .. }
            | other @ EndpointAnswer::Done => Err(unanswered(&other)),
        }
    }

    /// A body that says nothing.
    async fn nothing(&self) -> Result<(), Rejection> {
        Ok(inbound::nothing(&self.incoming.json_or_nothing().await?)?)
    }

    async fn reply(&self, id: &EndpointId, ask: EndpointAsk) -> Result<EndpointReply, Rejection> {
        let Incoming { env, correlation_id, .. } = self.incoming;
        Ok(endpoints::ask(env, id, self.tenant, ask, correlation_id).await?)
    }

    async fn ask(&self, id: &EndpointId, ask: EndpointAsk) -> Result<EndpointAnswer, Rejection> {
        answer(self.reply(id, ask).await?)
    }

    async fn view(&self, id: &EndpointId) -> Result<View, Rejection> {
        Ok(shown(self.ask(id, EndpointAsk::Show).await?)?.0)
    }

    /// Has the tenant change something; whether it had been so before.
    async fn tell(&self, command: Command) -> Result<bool, Rejection> {
        let ask = TenantAsk::Tell { command: Box::new(command), operation: None };
        match asked(self.incoming, WRITE, ask).await? {
            (TenantAnswer::Answered { replayed, .. }, _) => Ok(replayed),
            (TenantAnswer::Admitted(_) | TenantAnswer::Followers(_) | TenantAnswer::Meters(_), _) => {
                Err(unexpected())
            }
        }
    }

    async fn subscriptions(&self) -> Result<Subscriptions, Rejection> {
        let Incoming { env, correlation_id, .. } = self.incoming;
        let ask = TenantAsk::Show(TenantView::Endpoints);
        match tenants::ask(env, self.tenant, TenantCaller::Product, ask, correlation_id).await?.outcome {
            Ok(TenantAnswer::Answered { json, .. }) => Ok(serde_json::from_str(&json)?),
            Ok(_) | Err(_) => Err(unexpected()),
        }
    }

    /// What one of them is told of. One that was made and never told anything looks like one that is not there.
    async fn subscription(&self, id: &EndpointId) -> Result<Subscription, Rejection> {
        let found = self.subscriptions().await?.remove(id);
        found.ok_or_else(|| refused(&Refusal::UnknownEndpoint))
    }

    fn webhook(&self, id: &EndpointId, view: &View, subscription: &Subscription) -> WebhookView {
        outbound::endpoint(id, view, &subscription.types, now())
    }
}

fn secret(settings: &api::settings::Metering, id: &EndpointId, view: &View) -> Secret {
    Secret::derive(settings.webhook_secret.reveal().as_bytes(), id, view.generation)
}

fn seen(status: u16, answer: &impl Serialize) -> Result<Outgoing, Rejection> {
    Outgoing::json(status, answer)
}

fn marked(outgoing: Outgoing, replayed: bool) -> Outgoing {
    if replayed { outgoing.with("idempotency-replayed", "true") } else { outgoing }
}

fn answer(reply: EndpointReply) -> Result<EndpointAnswer, Rejection> {
    match reply {
        EndpointReply::Done(answer) => Ok(answer),
        EndpointReply::Refused(refusal) => Err(refused(&refusal)),
        EndpointReply::OperationReused => Err(key_reused().into()),
    }
}

fn refused(refusal: &Refusal) -> Rejection {
    let (problem, retry_after): (Problem, _) = outbound::refused(refusal, now());
    let headers = retry_after.map(|seconds| ("retry-after", seconds.to_string()));
    Rejection::Problem(Box::new(problem), headers.into_iter().collect())
}

fn shown(answer: EndpointAnswer) -> Result<(View, bool), Rejection> {
    match answer {
        EndpointAnswer::Shown { view, replayed } => Ok((*view, replayed)),
        other @ EndpointAnswer::Sent { .. }
        | other @ EndpointAnswer::Attempts { .. }
        | other @ EndpointAnswer::Recovered { .. }
        | other @ EndpointAnswer::Done => Err(unanswered(&other)),
    }
}

fn unanswered(_: &EndpointAnswer) -> Rejection {
    Failure::Runtime("an endpoint answered something else than it was asked".to_owned()).into()
}

fn unexpected() -> Rejection {
    Failure::Runtime("a tenant answered something else than it was asked".to_owned()).into()
}
