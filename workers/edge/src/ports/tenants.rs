//! Speaking to the objects of tenants, of network addresses, and of the deployment's operation.

use api::binding::tenant::{
    Admission, KnownMeter, TenantAnswer, TenantAsk, TenantCall, TenantCaller, TenantRefusal, TenantReply,
};
use meter::Subject;
use primitives::{AgentName, CorrelationId, EndpointId, MeterId, TenantId};
use shell::{Failure, send};
use tenant::rate::{Rate, Standing};
use tenant::{Command, Known, PayTo, Refusal};
use worker::Env;

/// The binding of tenants.
const TENANT: &str = "TENANT";
/// The binding of network addresses.
const ADDRESS: &str = "ADDRESS";
/// The binding of the deployment's operation.
const OPERATIONS: &str = "OPERATIONS";

/// Asks a tenant.
pub async fn ask(
    env: &Env,
    tenant: &TenantId,
    by: TenantCaller,
    ask: TenantAsk,
    correlation_id: &CorrelationId,
) -> Result<TenantReply, Failure> {
    let call = TenantCall { by, correlation_id: correlation_id.clone(), ask };
    send(env, TENANT, tenant.as_str(), "ask", &call).await
}

async fn product(
    env: &Env,
    tenant: &TenantId,
    question: TenantAsk,
    correlation_id: &CorrelationId,
) -> Result<Result<TenantAnswer, Refusal>, Failure> {
    match ask(env, tenant, TenantCaller::Product, question, correlation_id).await?.outcome {
        Ok(answer) => Ok(Ok(answer)),
        Err(TenantRefusal::Refused(refusal)) => Ok(Err(refusal)),
        Err(TenantRefusal::TooOften | TenantRefusal::OperationReused) => Err(unexpected()),
    }
}

fn unexpected() -> Failure {
    Failure::Runtime("a tenant answered something else than it was asked".to_owned())
}

/// What another part of the product has to know of a tenant; none of one that there is not.
pub async fn admission(
    env: &Env,
    tenant: &TenantId,
    agents: Vec<AgentName>,
    correlation_id: &CorrelationId,
) -> Result<Option<Admission>, Failure> {
    let question = TenantAsk::Admit { services: Vec::new(), agents };
    match product(env, tenant, question, correlation_id).await? {
        Ok(TenantAnswer::Admitted(admission)) => Ok(Some(*admission)),
        Err(Refusal::UnknownTenant) => Ok(None),
        Ok(_) | Err(_) => Err(unexpected()),
    }
}

/// Whom a tenant's bills pay, once that is known.
pub async fn payee(
    env: &Env,
    tenant: &TenantId,
    correlation_id: &CorrelationId,
) -> Result<Option<String>, Failure> {
    let admission = admission(env, tenant, Vec::new(), correlation_id).await?;
    let pay_to = admission.and_then(|admission| admission.pay_to);
    Ok(pay_to.as_ref().map(PayTo::as_str).map(str::to_owned))
}

/// Makes a meter known to its tenant. Of one that was used before the tenant began anew nothing is kept.
pub async fn register(
    env: &Env,
    subject: &Subject,
    meter: &MeterId,
    correlation_id: &CorrelationId,
) -> Result<(), Failure> {
    let command = Command::Register {
        meter: meter.clone(),
        agent: subject.agent.clone(),
        service: subject.service.clone(),
        known: Known::Fresh,
    };
    let question = TenantAsk::Tell { command: Box::new(command), operation: None };
    match product(env, &subject.tenant, question, correlation_id).await? {
        Ok(_) => Ok(()),
        Err(refusal) => Err(Failure::Corrupt(format!("a meter was refused: {}", refusal.code()))),
    }
}

/// The endpoints that follow events of a type.
pub async fn followers(
    env: &Env,
    tenant: &TenantId,
    event: &str,
    correlation_id: &CorrelationId,
) -> Result<Vec<EndpointId>, Failure> {
    let question = TenantAsk::Followers { event: event.to_owned() };
    match product(env, tenant, question, correlation_id).await? {
        Ok(TenantAnswer::Followers(followers)) => Ok(followers),
        Ok(_) | Err(_) => Err(unexpected()),
    }
}

/// Meters that were used, in the order of their ids.
pub async fn meters(
    env: &Env,
    tenant: &TenantId,
    agent: Option<&AgentName>,
    after: Option<MeterId>,
    limit: u32,
    correlation_id: &CorrelationId,
) -> Result<Vec<KnownMeter>, Failure> {
    let question = TenantAsk::Meters { agent: agent.cloned(), after, limit };
    match product(env, tenant, question, correlation_id).await? {
        Ok(TenantAnswer::Meters(meters)) => Ok(meters),
        Ok(_) | Err(_) => Err(unexpected()),
    }
}

/// Makes a tenant tell the log about itself again.
pub async fn project(env: &Env, tenant: &str) -> Result<(), Failure> {
    send(env, TENANT, tenant, "project", &()).await
}

/// Counts a request of an address, whose name hides it: what is left, or that nothing is.
pub async fn charge(env: &Env, address: &str, rate: Rate) -> Result<Result<Standing, Standing>, Failure> {
    send(env, ADDRESS, address, "charge", &rate).await
}

/// Whether new traffic should go elsewhere.
pub async fn is_draining(env: &Env) -> Result<bool, Failure> {
    send(env, OPERATIONS, "operations", "is_draining", &()).await
}

/// Says whether new traffic should go elsewhere.
pub async fn drain(env: &Env, draining: bool) -> Result<bool, Failure> {
    send(env, OPERATIONS, "operations", "drain", &draining).await
}
