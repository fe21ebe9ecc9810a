//! The Worker's entrance: decides the route, bounds the body, and hands on to whoever settles.

use std::{cell::OnceCell, rc::Rc};

use primitives::CorrelationId;
use serde_json::json;
use worker::{Context, Env, Error, Result, event};
use x402::{EXACT, SupportedKind, SupportedResponse, VERSION};

use crate::{
    answer::Source,
    ask::{self, Ask},
    catalogue, evm,
    limits::BODY_BYTES,
    problem::Problem,
    reply::{self, CORRELATION, Reply},
    request::SIMULATED_NETWORK,
    route::{NoRoute, Route},
    settings::{self, Backend},
    simulator,
};

#[event(fetch)]
async fn fetch(request: web_sys::Request, env: Env, _: Context) -> Result<web_sys::Response> {
    let correlation = correlation(&request)?;
    let reply = match serve(request, &env, &correlation).await {
        Ok(reply) => reply,
        Err(Failure::Problem(problem)) => reply::problem(&correlation, &problem),
        Err(Failure::Broken(error)) => {
            let line = json!({
                "event": "failure", "correlation_id": correlation, "error": error.to_string(),
            });
            worker::console_error!("{line}");
            reply::problem(&correlation, &Problem::Internal)
        }
    };
    reply.respond(&correlation)
}

/// Why there is no ordinary answer.
enum Failure {
    /// The caller's, or the set-up's.
    Problem(Problem),
    /// Ours.
    Broken(Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Broken(error)
    }
}

impl From<shell::Failure> for Failure {
    fn from(failure: shell::Failure) -> Self {
        Self::Broken(failure.into())
    }
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        Self::Problem(problem)
    }
}

thread_local! {
    static BACKEND: OnceCell<core::result::Result<Rc<Backend>, String>> = const { OnceCell::new() };
}

/// The set-up of this isolate, read once.
pub(crate) fn backend(env: &Env) -> core::result::Result<Rc<Backend>, Problem> {
    // A secret and a variable look the same from here.
    let setting =
        |name: &str| env.var(name).ok().map(|value| value.to_string()).filter(|text| !text.is_empty());
    BACKEND
        .with(|cell| cell.get_or_init(|| settings::read(&setting).map(Rc::new)).clone())
        .map_err(Problem::Misconfigured)
}

async fn serve(
    request: web_sys::Request,
    env: &Env,
    correlation: &CorrelationId,
) -> core::result::Result<Reply, Failure> {
    let backend = backend(env)?;
    let (path, query) = target(&request.url());
    let route = Route::find(&request.method(), &path).map_err(|fault| match fault {
        NoRoute::NotFound => Problem::NotFound,
        NoRoute::MethodNotAllowed(allowed) => Problem::MethodNotAllowed(allowed),
    })?;
    match route {
        Route::Supported => Ok(reply::json(200, &supported(&backend))?),
        Route::Health => Ok(reply::json(200, &json!({ "status": "ok", "settles": settles(&backend) }))?),
        Route::Discovery => Ok(catalogue::list(env, &query).await??),
        Route::Signatures => {
            let body = runtime::bounded_text(&request, BODY_BYTES).await?.ok_or(Problem::BodyTooLarge)?;
            match &*backend {
                Backend::Chain(chain) => Ok(evm::signatures::answer(chain, correlation, &body).await??),
                Backend::Simulator => Err(Problem::NoChain.into()),
            }
        }
        Route::Verify | Route::Settle | Route::ReadSimulator | Route::ChangeSimulator => {
            let asker =
                ask::asker(request.headers().get(ask::KEY).map_err(Error::from)?).ok_or(Problem::Key)?;
            let body = runtime::bounded_text(&request, BODY_BYTES).await?.ok_or(Problem::BodyTooLarge)?;
            let ask = Ask { correlation: correlation.clone(), asker, body };
            match (route, &*backend) {
                (Route::Verify, Backend::Chain(chain)) => Ok(evm::verify(env, chain, &ask).await?),
                (Route::Settle, Backend::Chain(chain)) => Ok(evm::settle(env, chain, &ask).await?),
                (_, Backend::Chain(_)) => Err(Problem::NotFound.into()),
                (route, Backend::Simulator) => Ok(simulator::ask(env, route, &ask).await?),
            }
        }
    }
}

/// `GET /supported`.
fn supported(backend: &Backend) -> SupportedResponse {
    let kind = |network: &str, source: Source| SupportedKind {
        x402_version: VERSION,
        scheme: EXACT.to_owned(),
        network: network.to_owned(),
        extra: source.extra(),
    };
    let (kinds, signers) = match backend {
        Backend::Simulator => (vec![kind(SIMULATED_NETWORK, Source::Simulator)], Vec::new()),
        Backend::Chain(chain) => (
            chain.networks.iter().map(|network| kind(&network.network, Source::Chain)).collect(),
            chain.relayers.iter().map(|relayer| relayer.address.to_string()).collect(),
        ),
    };
    SupportedResponse {
        kinds,
        extensions: vec![x402::bazaar::NAME.to_owned()],
        signers: [("eip155:*".to_owned(), signers)].into_iter().collect(),
    }
}

fn settles(backend: &Backend) -> &'static str {
    match backend {
        Backend::Simulator => "simulator",
        Backend::Chain(_) => "chain",
    }
}

/// The path and the query of an absolute URL, as they were sent.
fn target(url: &str) -> (String, String) {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let target = rest.find('/').and_then(|at| rest.get(at..)).unwrap_or("/");
    let target = target.split('#').next().unwrap_or("/");
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    (path.to_owned(), query.to_owned())
}

/// The caller's correlation id if it is one, else a fresh one.
fn correlation(request: &web_sys::Request) -> Result<CorrelationId> {
    let given = request.headers().get(CORRELATION)?.and_then(|text| text.parse().ok());
    Ok(given.unwrap_or_else(shell::fresh_correlation_id))
}
