//! The Worker's entrance: decides the route, bounds the body, and hands on to the object that plays the chain.

use primitives::CorrelationId;
use worker::{Context, Env, Error, Result, event};

use crate::{
    answer,
    environment::Environment,
    limits::BODY_BYTES,
    problem::Problem,
    reply::{self, CORRELATION, Reply},
    route::{NoRoute, Route},
    simulator::{self, Message},
};

#[event(fetch)]
async fn fetch(request: web_sys::Request, env: Env, _: Context) -> Result<web_sys::Response> {
    let correlation = correlation(&request)?;
    let reply = match serve(request, &env, &correlation).await {
        Ok(reply) => reply,
        Err(Failure::Problem(problem)) => reply::problem(&correlation, &problem),
        Err(Failure::Broken(error)) => {
            let line = serde_json::json!({
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

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        Self::Broken(error.into())
    }
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        Self::Problem(problem)
    }
}

async fn serve(
    request: web_sys::Request,
    env: &Env,
    correlation: &CorrelationId,
) -> core::result::Result<Reply, Failure> {
    let setting = env.var("ENVIRONMENT").ok().map(|value| value.to_string());
    match Environment::from_setting(setting.as_deref()) {
        Environment::Development => (),
        Environment::Production => return Err(Problem::SimulatorRefused.into()),
    }
    let route = Route::find(&request.method(), &path(&request.url())).map_err(|fault| match fault {
        NoRoute::NotFound => Problem::NotFound,
        NoRoute::MethodNotAllowed(allowed) => Problem::MethodNotAllowed(allowed),
    })?;
    let subject = match route {
        Route::Supported => return Ok(reply::json(200, &answer::supported())?),
        Route::Health => {
            let health = serde_json::json!({ "status": "ok", "settles": "simulator" });
            return Ok(reply::json(200, &health)?);
        }
        Route::Verify => simulator::VERIFY,
        Route::Settle => simulator::SETTLE,
        Route::ReadSimulator => simulator::READ,
        Route::ChangeSimulator => simulator::CHANGE,
    };
    let body = runtime::bounded_text(&request, BODY_BYTES).await?.ok_or(Problem::BodyTooLarge)?;
    let message = serde_json::to_string(&Message { correlation: correlation.clone(), body })?;
    let chain = runtime::object(env, simulator::BINDING, simulator::NAME)?;
    Ok(serde_json::from_str(&chain.send(subject, &message).await?)?)
}

/// The path of an absolute URL, as it was sent.
fn path(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let target = rest.find('/').and_then(|at| rest.get(at..)).unwrap_or("/");
    target.split(['?', '#']).next().unwrap_or("/").to_owned()
}

/// The caller's correlation id if it is one, else a fresh one.
fn correlation(request: &web_sys::Request) -> Result<CorrelationId> {
    let given = request.headers().get(CORRELATION)?.and_then(|text| text.parse().ok());
    if let Some(given) = given {
        return Ok(given);
    }
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| Error::RustError(error.to_string()))?;
    hex::encode(bytes).parse().map_err(|fault: primitives::Malformed| Error::RustError(fault.to_string()))
}
