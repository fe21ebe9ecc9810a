//! From a route to its answer.

mod account;
mod auth;
mod create;
mod discover;
mod documents;
mod gig;
mod mandates;
mod mcp;
mod metering;
mod runs;
mod tunnel;

use api::problem::Problem;
use api::route::{
    AccountRoute, AggregateRoute, ExecutorRoute, MeteringRoute, NoRoute, Route, RunRoute, readers, route,
};
use shell::log;
use worker::Env;

use crate::caller::{caller, known_once};
use crate::config;
use crate::rejection::Rejection;
use crate::request::Incoming;
use crate::respond::{Outgoing, preflight, stream};
use crate::traffic;

/// An answer: most are text; an upgrade or a stream comes whole from its object.
enum Answer {
    Text(Outgoing),
    Whole(web_sys::Response),
}

/// Answers a request. Whatever happens, the caller gets a document that says so.
pub async fn answer(request: web_sys::Request, env: Env) -> worker::Result<web_sys::Response> {
    let started = worker::Date::now().as_millis();
    let method = request.method();
    let incoming = Incoming::new(request, env);
    let correlation_id = incoming.correlation_id.clone();
    let readers = readers(&incoming.path);
    if method == "OPTIONS" {
        return preflight(readers, &correlation_id);
    }
    let target = route(&method, &incoming.path);
    let name = target.as_ref().map_or("none", |found| found.pattern);
    let outcome = match target {
        Ok(found) => serve(found.route, incoming).await,
        Err(no_route) => Err(refuse(no_route, &method, &incoming.path)),
    };
    let outgoing = match outcome {
        Ok(Answer::Text(outgoing)) => outgoing,
        Ok(Answer::Whole(response)) => {
            let took = worker::Date::now().as_millis().saturating_sub(started);
            log::request(&correlation_id, &method, name, response.status(), None, took);
            traffic::count(&method, name, response.status(), took);
            // The head of an upgrade is its object's.
            let is_upgrade = response.status() == 101;
            return if is_upgrade { Ok(response) } else { stream(&response, readers, &correlation_id) };
        }
        Err(Rejection::Problem(problem, headers)) => Outgoing::problem(*problem, headers, &correlation_id),
        Err(Rejection::Failure(failure)) => {
            log::failure("edge", name, "failed", &failure);
            Outgoing::failure(&failure, &correlation_id)
        }
    };
    let took = worker::Date::now().as_millis().saturating_sub(started);
    log::request(&correlation_id, &method, name, outgoing.status, outgoing.code.as_deref(), took);
    traffic::count(&method, name, outgoing.status, took);
    outgoing.finish(readers, &correlation_id)
}

async fn serve(target: Route, incoming: Incoming) -> Result<Answer, Rejection> {
    Ok(Answer::Text(match target {
        Route::CreateGig => create::create(&incoming).await?,
        Route::ClaimGig => gig::claim(&incoming).await?,
        Route::DiscoverGigs => discover::discover(&incoming).await?,
        Route::GigStatus(id) => gig::status(&incoming, id).await?,
        Route::GigLifecycle(id) => gig::lifecycle(&incoming, id).await?,
        Route::GigReconnect(id) => gig::reconnect(&incoming, id).await?,
        Route::GigTicket(id) => gig::ticket(&incoming, id).await?,
        Route::GigJournal(id) => gig::journal(&incoming, id).await?,
        Route::GigTunnel(id) => return tunnel::tunnel(&incoming, id).await.map(Answer::Whole),
        Route::SignInNonce => auth::nonce(&incoming).await?,
        Route::SignIn => auth::verify(&incoming).await?,
        Route::Session => auth::session(&incoming).await?,
        Route::SignOut => auth::logout(&incoming).await?,
        Route::Mandate(route) => mandates::mandates(&incoming, route).await?,
        Route::Account(AccountRoute::Agents) if metering::is_keyed(&incoming) => {
            metering::metering(&incoming, MeteringRoute::Aggregate(AggregateRoute::Agents)).await?
        }
        Route::Account(route) => {
            let owner = known_once(&incoming, &caller(&incoming).await?).await?;
            account::account(&incoming, owner, route).await?
        }
        Route::Run(RunRoute::Socket { run }) => {
            return runs::stream(&incoming, &run, true).await.map(Answer::Whole);
        }
        Route::Run(RunRoute::Events { run }) if runs::wants_stream(&incoming) => {
            return runs::stream(&incoming, &run, false).await.map(Answer::Whole);
        }
        Route::Run(route) => runs::runs(&incoming, route).await?,
        Route::Executor(ExecutorRoute::Socket) => {
            return runs::executor_socket(&incoming).await.map(Answer::Whole);
        }
        Route::Executor(route) => runs::executors(&incoming, route).await?,
        Route::Metering(route) => metering::metering(&incoming, route).await?,
        Route::Balances => runs::balances(&incoming).await?,
        Route::Demo => runs::demo(&incoming)?,
        Route::Mcp => mcp::mcp(&incoming).await?,
        Route::AgentCard => documents::agent_card(&incoming).await?,
        Route::Llms => documents::llms(&incoming),
        Route::OpenApi => documents::openapi(),
        Route::Health => documents::health(&incoming).await?,
        Route::TestHook if config::hooks_enabled(&incoming.env) => documents::test_hook(&incoming).await?,
        Route::TestHook => return Err(refuse(NoRoute::NotFound, "POST", &incoming.path)),
    }))
}

fn refuse(no_route: NoRoute, method: &str, path: &str) -> Rejection {
    match no_route {
        NoRoute::NotFound => {
            let shown: String = path.chars().take(100).collect();
            let detail = format!(
                "There is no {method} {shown}. Paths are taken as they are written; /v1/openapi.json lists them."
            );
            Problem::new(404, "not_found", detail).into()
        }
        NoRoute::MethodNotAllowed { allow } => {
            let detail = format!("This path does not take {method}; it takes {allow}.");
            let problem = Problem::new(405, "method_not_allowed", detail);
            Rejection::Problem(Box::new(problem), vec![("allow", allow)])
        }
    }
}
