//! Calling webhook endpoints. Which addresses may be called, and what their answers mean, is judged in `webhook`.
//!
//! A name is looked up before each call, and nothing is called that stands for an address that is not public. The runtime
//! looks it up again when it calls: between the two a name can change what it stands for. That is why only https is called,
//! on its own port and to names alone: whatever answers must have the name's certificate.

use api::inbound::webhook::{answered, unanswered};
use api::settings::Metering;
use endpoint::{Came, Url};
use futures_util::future::try_join_all;
use primitives::UnixMillis;
use shell::{Failure, now, random, within};
use webhook::resolution::{KINDS, Kind, Unsafe, addresses, judge, question};
use webhook::{Secret, Target, sign};

/// How long a receiver has for its answer: the specification's advice is 15 to 30 seconds.
const ANSWER_MS: u64 = 20_000;
/// How long a resolver has.
const RESOLVER_MS: u64 = 5_000;
/// The longest answer of a resolver that is read, in bytes.
const RESOLVER_BYTES: usize = 64 * 1024;

/// One attempt.
pub struct Attempt<'a> {
    /// Where to.
    pub url: &'a Url,
    /// The message's id.
    pub message: &'a str,
    /// What it says.
    pub body: &'a str,
    /// What it is signed with, the newest first.
    pub secrets: &'a [Secret],
    /// Counts from 1.
    pub number: u32,
}

/// Makes an attempt. Whatever comes of it is an answer; nothing of what the receiver says but its status is kept.
///
/// # Errors
/// When there is no randomness.
pub async fn attempt(settings: &Metering, attempt: Attempt<'_>) -> Result<Came, Failure> {
    let chance = u16::from_be_bytes(random()?);
    let began = now();
    let outcome = call(settings, &attempt, began).await;
    let took = now().since(began);
    Ok(match outcome {
        Ok((status, retry_after)) => answered(status, retry_after.as_deref(), attempt.number, chance, took),
        Err(word) => unanswered(word, attempt.number, chance, took),
    })
}

/// Status and Retry-After of the answer; why there is none, in a word, if there is none.
async fn call(
    settings: &Metering,
    attempt: &Attempt<'_>,
    at: UnixMillis,
) -> Result<(u16, Option<String>), &'static str> {
    let allowed = &settings.webhook_hosts;
    let target = Target::read(attempt.url.as_str(), allowed).map_err(|_| "address_refused")?;
    let name = target.name_to_resolve(allowed).map_err(|_| "address_refused")?;
    if let (Some(name), Some(resolver)) = (name, &settings.resolver) {
        resolve(resolver, name).await.map_err(Unsafe::code)?;
    }
    let seconds = at.seconds();
    let signature = sign(attempt.secrets, attempt.message, seconds, attempt.body.as_bytes());
    match within(ANSWER_MS, post(attempt, &seconds.to_string(), &signature)).await {
        Some(Ok(answer)) => Ok(answer),
        Some(Err(_)) => Err("unreachable"),
        None => Err("timeout"),
    }
}

async fn post(
    attempt: &Attempt<'_>,
    seconds: &str,
    signature: &str,
) -> Result<(u16, Option<String>), Failure> {
    let headers = [
        ("content-type", "application/json"),
        ("user-agent", "guildhall-webhooks/1.0"),
        ("webhook-id", attempt.message),
        ("webhook-timestamp", seconds),
        ("webhook-signature", signature),
    ];
    let init = runtime::init("POST", &headers, Some(attempt.body))?;
    // A redirect could lead anywhere: it is an answer, and a failure.
    init.set_redirect(web_sys::RequestRedirect::Manual);
    let request = web_sys::Request::new_with_str_and_init(attempt.url.as_str(), &init)?;
    let response: web_sys::Response = worker::Fetch::Request(request.into()).send().await?.into();
    let retry_after = response.headers().get("retry-after")?;
    let status = response.status();
    if let Some(body) = response.body() {
        // Nobody reads it; what is not read is to be given up, or the connection stays.
        let _given_up = body.cancel();
    }
    Ok((status, retry_after))
}

/// Looks a name up, all its addresses at once, and judges them.
async fn resolve(resolver: &str, name: &str) -> Result<(), Unsafe> {
    let asked = KINDS.iter().map(|kind| look_up(resolver, name, *kind));
    let found = try_join_all(asked).await?;
    judge(&found.concat())
}

async fn look_up(resolver: &str, name: &str, kind: Kind) -> Result<Vec<core::net::IpAddr>, Unsafe> {
    let answer = within(RESOLVER_MS, ask(&question(resolver, name, kind))).await;
    match answer {
        Some(Ok(Some(text))) => addresses(kind, &text),
        Some(Ok(None) | Err(_)) | None => Err(Unsafe::Unreadable),
    }
}

async fn ask(url: &str) -> Result<Option<String>, Failure> {
    let init = runtime::init("GET", &[("accept", "application/dns-json")], None)?;
    let request = web_sys::Request::new_with_str_and_init(url, &init)?;
    let response: web_sys::Response = worker::Fetch::Request(request.into()).send().await?.into();
    if response.status() != 200 {
        return Ok(None);
    }
    Ok(runtime::bounded_answer(response, RESOLVER_BYTES).await?)
}
