//! The chain of the contract `Mandates`, on the other side of an optional service binding: who reads and writes it is another
//! Worker. Without the binding nothing is asked, and whoever asks tries again later.

use api::binding::custody::{Look, Read, ReadReply, Reply, Send};
use primitives::CorrelationId;
use serde::Serialize;
use serde::de::DeserializeOwned;
use shell::{Failure, within};
use worker::Env;

/// The binding.
const MANDATE_CHAIN: &str = "MANDATE_CHAIN";

/// How long an answer may take, in milliseconds. What is not known by then is said later, or asked again.
const WAIT_MS: u64 = 5_000;

/// Whether there is somebody to ask.
pub fn is_bound(env: &Env) -> bool {
    runtime::service(env, MANDATE_CHAIN).is_ok()
}

/// Asks what the contract knows of a mandate. Whoever answers tells the mirror all that follows.
pub async fn read(env: &Env, read: &Read, correlation_id: &CorrelationId) -> Result<ReadReply, Failure> {
    ask(env, "read", read, correlation_id).await
}

/// Has a call sent to the contract. The same question again is the same job.
pub async fn send(env: &Env, send: &Send, correlation_id: &CorrelationId) -> Result<Reply, Failure> {
    ask(env, "send", send, correlation_id).await
}

/// Asks what became of a call.
pub async fn look(env: &Env, look: &Look, correlation_id: &CorrelationId) -> Result<Reply, Failure> {
    ask(env, "look", look, correlation_id).await
}

async fn ask<T: DeserializeOwned>(
    env: &Env,
    what: &str,
    question: &impl Serialize,
    correlation_id: &CorrelationId,
) -> Result<T, Failure> {
    let unbound =
        |_| Failure::Configuration("MANDATE_CHAIN is not bound: no chain is read or written".to_owned());
    let chain = runtime::service(env, MANDATE_CHAIN).map_err(unbound)?;
    let headers = [("content-type", "application/json"), ("x-correlation-id", correlation_id.as_str())];
    let init = runtime::init("POST", &headers, Some(&serde_json::to_string(question)?))?;
    let url = format!("https://mandate-chain/{what}");
    let heard = within(WAIT_MS, async {
        let response = chain.get(&url, &init).await?;
        Ok::<_, Failure>((response.status(), runtime::text(&response).await?))
    });
    let (status, text) = heard.await.ok_or(Failure::Late("the chain's side"))??;
    if status != 200 {
        return Err(Failure::Runtime(format!("the chain's side answered {status}")));
    }
    serde_json::from_str(&text).map_err(|error| Failure::Runtime(format!("the chain's side: {error}")))
}
