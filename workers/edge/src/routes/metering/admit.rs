//! The one place where a request about metering is let in: by an API key, by the operator's token, or by anybody. Each way
//! charges the caller's network address; a key that verifies is charged by its tenant.
//!
//! What is left of a window is said with every answer (draft-ietf-httpapi-ratelimit-headers-10): of the key's where there is
//! one, and else of the address's.

use api::binding::tenant::{Admission, TenantAnswer, TenantAsk, TenantCaller, TenantRefusal, TenantReply};
use api::outbound::metering::{
    CHALLENGE, ends_in, key_missing, key_reused, operator_missing, rate_headers, tenant_problem, too_often,
};
use api::outbound::run::source;
use api::problem::Problem;
use api::settings::Metering;
use futures_util::future::join;
use primitives::{AgentName, Digest, ServiceName, TenantId};
use shell::{Failure, now};
use tenant::key::Parsed;
use tenant::rate::Standing;
use tenant::{Access, Presented, Refusal};

use crate::config::config;
use crate::ports::tenants;
use crate::rejection::Rejection;
use crate::request::Incoming;
use crate::respond::Outgoing;

/// What is said of rates with an answer.
pub(super) struct Limits {
    policy: &'static str,
    standing: Standing,
}

impl Limits {
    fn headers(&self) -> [(&'static str, String); 2] {
        rate_headers(self.policy, &self.standing, now())
    }

    /// An answer, or a no, with what is left of the window.
    pub(super) fn finish(&self, outcome: Result<Outgoing, Rejection>) -> Result<Outgoing, Rejection> {
        match outcome {
            Ok(mut outgoing) => {
                outgoing.headers.extend(self.headers());
                Ok(outgoing)
            }
            Err(rejection) => Err(self.marked(rejection)),
        }
    }

    fn marked(&self, rejection: Rejection) -> Rejection {
        match rejection {
            Rejection::Problem(problem, mut headers) => {
                headers.extend(self.headers());
                Rejection::Problem(problem, headers)
            }
            Rejection::Failure(failure) => Rejection::Failure(failure),
        }
    }

    fn too_often(&self) -> Rejection {
        // Of a window that ends in this second, the end is still to come.
        let wait = ends_in(&self.standing, now()).max(1).to_string();
        let problem = Box::new(too_often(self.policy));
        self.marked(Rejection::Problem(problem, vec![("retry-after", wait)]))
    }
}

/// Whoever was let in by a key, with what it takes to go on.
pub(super) struct Guest {
    pub(super) admission: Admission,
    limits: Limits,
}

impl Guest {
    /// See [`Limits::finish`].
    pub(super) fn finish(&self, outcome: Result<Outgoing, Rejection>) -> Result<Outgoing, Rejection> {
        self.limits.finish(outcome)
    }
}

/// Lets a key in, and says what it takes to go on with these services and agents. Nothing changes meanwhile, so tenant and
/// address are asked at the same time.
pub(super) async fn admit(
    incoming: &Incoming,
    access: Access,
    services: Vec<ServiceName>,
    agents: Vec<AgentName>,
) -> Result<Guest, Rejection> {
    let settings = config(&incoming.env)?;
    let metering = metering(&settings)?;
    let (tenant, key) = match presented(incoming, metering) {
        Ok(shown) => shown,
        Err(no) => return Err(charge(incoming, metering).await?.marked(no)),
    };
    let by = TenantCaller::Key { key, access };
    let ask = TenantAsk::Admit { services, agents };
    let asked = tenants::ask(&incoming.env, &tenant, by, ask, &incoming.correlation_id);
    let (address, reply) = join(charge(incoming, metering), asked).await;
    match judged(address?, reply?)? {
        (TenantAnswer::Admitted(admission), limits) => Ok(Guest { admission: *admission, limits }),
        (TenantAnswer::Answered { .. } | TenantAnswer::Followers(_) | TenantAnswer::Meters(_), _) => {
            Err(unexpected())
        }
    }
}

/// Asks the tenant of a key something that may change it: the address is charged before.
pub(super) async fn asked(
    incoming: &Incoming,
    access: Access,
    ask: TenantAsk,
) -> Result<(TenantAnswer, Limits), Rejection> {
    let settings = config(&incoming.env)?;
    let metering = metering(&settings)?;
    let address = charge(incoming, metering).await?;
    let (tenant, key) = presented(incoming, metering).map_err(|no| address.marked(no))?;
    let by = TenantCaller::Key { key, access };
    let reply = tenants::ask(&incoming.env, &tenant, by, ask, &incoming.correlation_id).await?;
    judged(address, reply)
}

/// Lets anybody in.
pub(super) async fn passer_by(incoming: &Incoming) -> Result<Limits, Rejection> {
    let settings = config(&incoming.env)?;
    charge(incoming, metering(&settings)?).await
}

/// Lets in who may open a tenant: the operator, and where none is set, which only development can do, anybody.
pub(super) async fn opener(incoming: &Incoming) -> Result<Limits, Rejection> {
    let settings = config(&incoming.env)?;
    if metering(&settings)?.operator.is_none() { passer_by(incoming).await } else { operator(incoming).await }
}

/// Lets the operator in.
pub(super) async fn operator(incoming: &Incoming) -> Result<Limits, Rejection> {
    let settings = config(&incoming.env)?;
    let metering = metering(&settings)?;
    let address = charge(incoming, metering).await?;
    let token = bearer(incoming).map(|token| Digest::of(&[token.as_bytes()]));
    let is_operator = match (&metering.operator, &token) {
        (Some(operator), Some(token)) => operator.same_as(token),
        (None, _) | (_, None) => false,
    };
    if is_operator {
        return Ok(address);
    }
    Err(address.marked(unauthorized(operator_missing())))
}

/// How metering is set up, or what that lacks.
pub(super) fn metering(settings: &api::settings::Settings) -> Result<&Metering, Rejection> {
    settings.metering.as_ref().map_err(|lacks| Failure::Configuration(lacks.clone()).into())
}

fn bearer(incoming: &Incoming) -> Option<String> {
    let header = incoming.header("authorization")?;
    let (scheme, token) = header.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim().to_owned())
}

fn presented(incoming: &Incoming, metering: &Metering) -> Result<(TenantId, Presented), Rejection> {
    let token = bearer(incoming).ok_or_else(|| unauthorized(key_missing()))?;
    let parsed: Parsed = token.parse().map_err(|_| unauthorized(tenant_problem(&Refusal::InvalidKey)))?;
    let presented = parsed.presented(metering.environment);
    let presented = presented.map_err(|refusal| unauthorized(tenant_problem(&refusal)))?;
    Ok((parsed.tenant, presented))
}

fn unauthorized(problem: Problem) -> Rejection {
    let headers = if problem.status == 401 {
        let (name, challenge) = CHALLENGE;
        vec![(name, challenge.to_owned())]
    } else {
        Vec::new()
    };
    Rejection::Problem(Box::new(problem), headers)
}

/// Charges the caller's address, whose name hides it. Where the runtime does not say where a request comes from, all come
/// from one place.
async fn charge(incoming: &Incoming, metering: &Metering) -> Result<Limits, Rejection> {
    let address = source(&incoming.header("cf-connecting-ip").unwrap_or_default());
    let name = Digest::of(&[address.as_bytes()]).to_string();
    let charged = tenants::charge(&incoming.env, &name, metering.address).await?;
    let limits = |standing| Limits { policy: "address", standing };
    charged.map(limits).map_err(|standing| limits(standing).too_often())
}

fn judged(address: Limits, reply: TenantReply) -> Result<(TenantAnswer, Limits), Rejection> {
    let limits = reply.standing.map_or(address, |standing| Limits { policy: "key", standing });
    match reply.outcome {
        Ok(answer) => Ok((answer, limits)),
        Err(TenantRefusal::TooOften) => Err(limits.too_often()),
        Err(TenantRefusal::Refused(refusal)) => Err(limits.marked(unauthorized(tenant_problem(&refusal)))),
        Err(TenantRefusal::OperationReused) => Err(limits.marked(key_reused().into())),
    }
}

fn unexpected() -> Rejection {
    Failure::Runtime("a tenant answered something else than it was asked".to_owned()).into()
}
