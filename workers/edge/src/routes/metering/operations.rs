//! How a tenant is run: pause, configuration and figures; and how the deployment fares.

use std::collections::BTreeMap;

use api::binding::tenant::{TenantAsk, TenantView};
use api::document::{CHANGELOG_JSON, CONTRACT_VERSION};
use api::inbound::metering as inbound;
use api::inbound::run::nothing;
use api::listing::metering::nothing as no_query;
use api::outbound::metering as outbound;
use api::problem::Problem;
use api::route::OperationRoute;
use api::wire::{DeepCheck, DeepHealth, ReadyAnswer, StatsAnswer, VersionAnswer};
use shell::{Failure, now, within};
use tenant::{Access, Command, Scope};

use super::admit::{Guest, admit, operator};
use super::tenants::{seen, tell};
use crate::config;
use crate::ports::metering::{self as tables, Era};
use crate::ports::{board, tenants};
use crate::rejection::Rejection;
use crate::request::Incoming;
use crate::respond::Outgoing;
use crate::routes::mandates::named;
use crate::traffic;

/// How long a part of the deployment may take to say that it is there, in milliseconds.
const PATIENCE_MS: u64 = 2_000;

/// Answers how a tenant, or the deployment, is run.
pub async fn operations(incoming: &Incoming, route: OperationRoute) -> Result<Outgoing, Rejection> {
    match route {
        OperationRoute::Pause => {
            let read = incoming.json_or_nothing().await.and_then(|body| Ok(inbound::pause(&body)?));
            let command = read.map(|reason| Command::Pause { reason });
            told(incoming, Access::Recover(Scope::Admin), command).await
        }
        OperationRoute::Unpause => {
            let read = incoming.json_or_nothing().await.and_then(|body| Ok(nothing(&body)?));
            told(incoming, Access::Recover(Scope::Admin), read.map(|()| Command::Unpause)).await
        }
        OperationRoute::Status => shown(incoming, TenantView::Tenant, false).await,
        OperationRoute::Reset => reset(incoming).await,
        OperationRoute::Configuration => shown(incoming, TenantView::Configuration, true).await,
        OperationRoute::Configure => configure(incoming).await,
        OperationRoute::Metrics => metrics(incoming).await,
        OperationRoute::Stats => figures(incoming).await,
        OperationRoute::Ready => ready(incoming).await,
        OperationRoute::Deep => deep(incoming).await,
        OperationRoute::Version => version(),
        OperationRoute::Changelog => {
            let text = Outgoing::text(200, "application/json", CHANGELOG_JSON.to_owned());
            Ok(text.with("cache-control", "public, max-age=300"))
        }
        OperationRoute::Drain => drain(incoming).await,
    }
}

async fn told(
    incoming: &Incoming,
    access: Access,
    command: Result<Command, Rejection>,
) -> Result<Outgoing, Rejection> {
    let (seen, limits) = seen(incoming, access, command.map(|command| tell(command, None))).await?;
    limits.finish(Ok(seen.show(200)))
}

async fn shown(incoming: &Incoming, view: TenantView, is_tagged: bool) -> Result<Outgoing, Rejection> {
    let (seen, limits) = seen(incoming, Access::Read(Scope::Admin), Ok(TenantAsk::Show(view))).await?;
    let etag = outbound::etag(seen.revision);
    let outgoing = seen.show(200);
    limits.finish(Ok(if is_tagged { outgoing.with("etag", etag) } else { outgoing }))
}

async fn configure(incoming: &Incoming) -> Result<Outgoing, Rejection> {
    let read = incoming.json().await.and_then(|body| {
        let revision = inbound::seen_revision(incoming.header("if-match").as_deref())?;
        let change = Box::new(inbound::configuration(&body)?);
        Ok(tell(Command::Configure { change, revision }, None))
    });
    let (seen, limits) = seen(incoming, Access::Write(Scope::Admin), read).await?;
    let etag = outbound::etag(seen.revision);
    limits.finish(Ok(seen.show(200).with("etag", etag)))
}

/// Where nobody may, there is no such route.
async fn reset(incoming: &Incoming) -> Result<Outgoing, Rejection> {
    if !config::metering(&incoming.env)?.allows_reset {
        let detail = "There is no POST /v1/admin/reset here: ALLOW_ADMIN_RESET is for development.";
        return Err(Problem::new(404, "not_found", detail).into());
    }
    let access = Access::Write(Scope::Admin);
    let body = incoming.json_or_nothing().await;
    let guest = admit(incoming, access, Vec::new(), Vec::new()).await?;
    let outcome = async {
        nothing(&body?)?;
        let by = guest
            .admission
            .key
            .clone()
            .ok_or_else(|| Failure::Corrupt("a guest without a key".to_owned()))?;
        let (seen, _) = seen(incoming, access, Ok(tell(Command::Reset { by }, None))).await?;
        Ok(seen.show(200))
    };
    guest.finish(outcome.await)
}

async fn stats(incoming: &Incoming, guest: &Guest) -> Result<StatsAnswer, Rejection> {
    no_query(named(&incoming.pairs()))?;
    let of = Era { tenant: guest.admission.tenant.clone(), era: guest.admission.era };
    let view = TenantAsk::Show(TenantView::Tenant);
    let (tenant, _) = seen(incoming, Access::Look, Ok(view)).await?;
    let tally = tables::tally(&incoming.env, &of, None, None).await?;
    let stats = outbound::stats(tenant.read()?, tally);
    Ok(stats.ok_or_else(|| Failure::Corrupt("more was counted than can be".to_owned()))?)
}

async fn figures(incoming: &Incoming) -> Result<Outgoing, Rejection> {
    let guest = admit(incoming, Access::Read(Scope::UsageRead), Vec::new(), Vec::new()).await?;
    let outcome = async {
        let answer = stats(incoming, &guest).await?;
        Ok(Outgoing::json(200, &answer)?.with("cache-control", "no-store"))
    };
    guest.finish(outcome.await)
}

async fn metrics(incoming: &Incoming) -> Result<Outgoing, Rejection> {
    let guest = admit(incoming, Access::Read(Scope::UsageRead), Vec::new(), Vec::new()).await?;
    let outcome = async {
        let text = outbound::metrics(&stats(incoming, &guest).await?, &traffic::counted());
        Ok(Outgoing::text(200, outbound::METRICS_TYPE, text).with("cache-control", "no-store"))
    };
    guest.finish(outcome.await)
}

/// Whether new traffic should come here. A load balancer asks often: nothing but the one object is asked.
async fn ready(incoming: &Incoming) -> Result<Outgoing, Rejection> {
    let (status, detail) = match config::metering(&incoming.env) {
        Err(failure) => ("not_configured", Some(failure.to_string())),
        Ok(_) if tenants::is_draining(&incoming.env).await? => ("draining", None),
        Ok(_) => ("ready", None),
    };
    said(if status == "ready" { 200 } else { 503 }, &ReadyAnswer { status: status.to_owned(), detail })
}

fn said(status: u16, answer: &impl serde::Serialize) -> Result<Outgoing, Rejection> {
    let outgoing = Outgoing::json(status, answer)?.with("cache-control", "no-store");
    Ok(if status == 503 { outgoing.with("retry-after", "5") } else { outgoing })
}

/// Whether everything answers that metering needs, each asked by itself.
async fn deep(incoming: &Incoming) -> Result<Outgoing, Rejection> {
    let env = &incoming.env;
    let tables = async { board::count(env).await.map(|_| ()) };
    let objects = async { tenants::is_draining(env).await.map(|_| ()) };
    let (d1, objects) = futures_util::future::join(checked(tables), checked(objects)).await;
    let configured = match config::metering(env) {
        Ok(_) => DeepCheck { ok: true, took_ms: 0, error: None },
        Err(failure) => DeepCheck { ok: false, took_ms: 0, error: Some(failure.to_string()) },
    };
    let checks: BTreeMap<String, DeepCheck> =
        [("d1", d1), ("objects", objects), ("configuration", configured)]
            .into_iter()
            .map(|(name, check)| (name.to_owned(), check))
            .collect();
    let is_ok = checks.values().all(|check| check.ok);
    let status = if is_ok { "ok" } else { "degraded" }.to_owned();
    said(if is_ok { 200 } else { 503 }, &DeepHealth { status, checks })
}

async fn checked(work: impl Future<Output = Result<(), Failure>>) -> DeepCheck {
    let began = now();
    let outcome = within(PATIENCE_MS, work).await;
    let took_ms = now().since(began).0;
    let error = match outcome {
        Some(Ok(())) => None,
        Some(Err(failure)) => {
            shell::log::failure("edge", "health", "check_failed", &failure);
            Some("failed".to_owned())
        }
        None => Some("late".to_owned()),
    };
    DeepCheck { ok: error.is_none(), took_ms, error }
}

fn version() -> Result<Outgoing, Rejection> {
    let answer = VersionAnswer {
        name: "guildhall".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        contract: CONTRACT_VERSION.to_owned(),
    };
    Ok(Outgoing::json(200, &answer)?.with("cache-control", "public, max-age=300"))
}

async fn drain(incoming: &Incoming) -> Result<Outgoing, Rejection> {
    let limits = operator(incoming).await?;
    let outcome = async {
        let draining = inbound::drain(&incoming.json().await?)?;
        let draining = tenants::drain(&incoming.env, draining).await?;
        let status = if draining { "draining" } else { "ready" }.to_owned();
        said(200, &ReadyAnswer { status, detail: None })
    };
    limits.finish(outcome.await)
}
