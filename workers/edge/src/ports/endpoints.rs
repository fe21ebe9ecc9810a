//! Speaking to the objects of webhook endpoints.

use api::binding::endpoint::{EndpointAsk, EndpointCall, EndpointReply};
use endpoint::Message;
use futures_util::future::join_all;
use primitives::{CorrelationId, EndpointId, TenantId};
use shell::{Failure, send};
use worker::Env;

/// The binding of endpoints.
const ENDPOINT: &str = "ENDPOINT";

/// Asks an endpoint.
pub async fn ask(
    env: &Env,
    id: &EndpointId,
    tenant: &TenantId,
    ask: EndpointAsk,
    correlation_id: &CorrelationId,
) -> Result<EndpointReply, Failure> {
    let call = EndpointCall { tenant: tenant.clone(), correlation_id: correlation_id.clone(), ask };
    send(env, ENDPOINT, id.as_str(), "ask", &call).await
}

/// Has messages sent to each of these endpoints, which keep them from then on. To be repeated as a whole when it fails: an
/// endpoint knows a message by its id.
pub async fn deliver(
    env: &Env,
    tenant: &TenantId,
    to: &[EndpointId],
    messages: &[Message],
    correlation_id: &CorrelationId,
) -> Result<(), Failure> {
    let told = to.iter().map(|id| {
        let deliver = EndpointAsk::Deliver { messages: messages.to_vec() };
        ask(env, id, tenant, deliver, correlation_id)
    });
    join_all(told).await.into_iter().try_for_each(|reply| reply.map(|_| ()))
}

/// Has an endpoint tell the log again what it told it.
pub async fn project(env: &Env, id: &str) -> Result<(), Failure> {
    send(env, ENDPOINT, id, "project", &()).await
}

/// Has an endpoint forget all that it is owed.
pub async fn remove(
    env: &Env,
    id: &EndpointId,
    tenant: &TenantId,
    correlation_id: &CorrelationId,
) -> Result<(), Failure> {
    // Of what is not there nothing is left to forget.
    ask(env, id, tenant, EndpointAsk::Remove, correlation_id).await.map(|_| ())
}
