//! The Worker's entrance: decides the route, bounds the body, and hands on to the object that plays the chain.

use core::pin::pin;

use futures_util::StreamExt as _;
use primitives::CorrelationId;
use wasm_bindgen::JsValue;
use worker::{Context, Env, Error, Headers, Method, Request, RequestInit, Response, Result, event};

use crate::{
    answer,
    environment::Environment,
    limits::BODY_BYTES,
    problem::Problem,
    reply::{self, CORRELATION},
    route::{NoRoute, Route},
    simulator,
};

#[event(fetch)]
async fn fetch(request: Request, env: Env, _: Context) -> Result<Response> {
    let correlation = correlation(&request)?;
    match serve(request, &env, &correlation).await {
        Ok(response) => Ok(response),
        Err(Failure::Problem(problem)) => reply::problem(&correlation, &problem),
        Err(Failure::Broken(error)) => {
            let line = serde_json::json!({
                "event": "failure", "correlationId": correlation, "error": error.to_string(),
            });
            worker::console_error!("{line}");
            reply::problem(&correlation, &Problem::Internal)
        }
    }
}

/// Why there is no ordinary answer: the caller's doing or ours.
enum Failure {
    Problem(Problem),
    Broken(Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Broken(error)
    }
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        Self::Problem(problem)
    }
}

async fn serve(
    mut request: Request,
    env: &Env,
    correlation: &CorrelationId,
) -> core::result::Result<Response, Failure> {
    let setting = env.var("ENVIRONMENT").ok().map(|value| value.to_string());
    match Environment::from_setting(setting.as_deref()) {
        Environment::Development => (),
        Environment::Production => return Err(Problem::SimulatorRefused.into()),
    }
    let route = Route::find(request.method().as_ref(), &request.path()).map_err(|fault| match fault {
        NoRoute::NotFound => Problem::NotFound,
        NoRoute::MethodNotAllowed(allowed) => Problem::MethodNotAllowed(allowed),
    })?;
    let (path, method) = match route {
        Route::Supported => return Ok(reply::json(correlation, 200, &answer::supported())?),
        Route::Health => {
            let health = serde_json::json!({ "status": "ok", "settles": "simulator" });
            return Ok(reply::json(correlation, 200, &health)?);
        }
        Route::Verify => (simulator::VERIFY, Method::Post),
        Route::Settle => (simulator::SETTLE, Method::Post),
        Route::ReadSimulator => (simulator::SIMULATOR, Method::Get),
        Route::ChangeSimulator => (simulator::SIMULATOR, Method::Put),
    };
    let body = if method == Method::Get { None } else { Some(bounded_text(&mut request).await?) };
    Ok(ask_simulator(env, path, method, body, correlation).await?)
}

async fn ask_simulator(
    env: &Env,
    path: &str,
    method: Method,
    body: Option<String>,
    correlation: &CorrelationId,
) -> Result<Response> {
    let headers = Headers::new();
    headers.set(CORRELATION, correlation.as_str())?;
    let mut init = RequestInit::new();
    init.with_method(method).with_headers(headers).with_body(body.map(JsValue::from));
    let request = Request::new_with_init(&format!("https://simulator{path}"), &init)?;
    env.durable_object(simulator::BINDING)?.get_by_name(simulator::NAME)?.fetch_with_request(request).await
}

/// The body as text. Bytes that are not UTF-8 are replaced, and then are no JSON that anybody signed.
async fn bounded_text(request: &mut Request) -> core::result::Result<String, Failure> {
    if request.inner().body().is_none() {
        return Ok(String::new());
    }
    let announced = request.headers().get("content-length")?.and_then(|text| text.parse::<usize>().ok());
    match announced {
        Some(length) if length > BODY_BYTES => return Err(Problem::BodyTooLarge.into()),
        Some(_) => return Ok(request.text().await?),
        // Without an announced length, the body is read no further than the limit, chunk by chunk, which is slow.
        None => (),
    }
    let mut stream = pin!(request.stream()?);
    let mut bytes = Vec::new();
    while let Some(chunk) = stream.next().await {
        let chunk = chunk?;
        if bytes.len().saturating_add(chunk.len()) > BODY_BYTES {
            return Err(Problem::BodyTooLarge.into());
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The caller's correlation id where it is safe to repeat, else a fresh one.
pub(crate) fn correlation(request: &Request) -> Result<CorrelationId> {
    let given = request.headers().get(CORRELATION)?.and_then(|text| text.parse().ok());
    if let Some(given) = given {
        return Ok(given);
    }
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| Error::RustError(error.to_string()))?;
    hex::encode(bytes).parse().map_err(|fault: primitives::Malformed| Error::RustError(fault.to_string()))
}
