//! Where an agent's usage of a service is counted.

use api::binding::meter::{Counted, MeterAnswer, MeterAsk, MeterReply, Said, shard_of};
use api::binding::tenant::Admission;
use api::outbound::metering::{meter_problem, tenant_problem};
use meter::{EventKey, Gate, Handed, Refusal, Subject, Window};
use primitives::{AgentName, MeterId, ServiceName};
use shell::Failure;
use tariff::{Quantity, Version};
use tenant::{Mode, Service, ServiceStatus};

use crate::ports::meters;
use crate::rejection::Rejection;
use crate::request::Incoming;

/// A pair of agent and service, known to its tenant.
pub(super) struct Place<'a> {
    pub(super) meter: MeterId,
    pub(super) service: &'a Service,
    subject: Subject,
    pub(super) gate: Gate,
    window: Window,
}

impl<'a> Place<'a> {
    /// Of a service that there is or was.
    pub(super) fn of(
        admission: &'a Admission,
        agent: &AgentName,
        service: &ServiceName,
    ) -> Result<Self, tenant::Refusal> {
        let found = admission.services.get(service).ok_or(tenant::Refusal::UnknownService)?;
        let is_prepaid = admission.accounts.get(agent).is_some_and(|account| account.mode == Mode::Prepaid);
        Ok(Self {
            meter: MeterId::of(&admission.tenant, admission.era, agent, service),
            service: found,
            subject: Subject {
                tenant: admission.tenant.clone(),
                agent: agent.clone(),
                service: service.clone(),
                era: admission.era,
                scale: found.scale,
                shard: 0,
                shards: found.shards,
            },
            gate: if is_prepaid { Gate::Prepaid } else { Gate::Postpaid },
            window: Window { late: admission.configuration.late },
        })
    }

    /// Of a service that takes usage.
    pub(super) fn taking(
        admission: &'a Admission,
        agent: &AgentName,
        service: &ServiceName,
    ) -> Result<Self, tenant::Refusal> {
        let place = Self::of(admission, agent, service)?;
        match place.service.status {
            ServiceStatus::Enabled => Ok(place),
            ServiceStatus::Disabled => Err(tenant::Refusal::ServiceDisabled),
            ServiceStatus::Deleted => Err(tenant::Refusal::UnknownService),
        }
    }

    pub(super) const fn shards(&self) -> u8 {
        self.service.shards
    }

    pub(super) fn shard_of(&self, key: &EventKey) -> u8 {
        shard_of(key, self.service.shards)
    }

    /// Whose usage of what a shard counts.
    pub(super) fn subject(&self, shard: u8) -> Subject {
        Subject { shard, ..self.subject.clone() }
    }

    /// What a shard is told of events.
    pub(super) fn record(&self, shard: u8, events: Vec<Said>) -> MeterAsk {
        let is_named = |version: &&Version| events.iter().any(|said| said.price == Some(version.number));
        let prices = self.service.versions.iter().filter(is_named).cloned().collect();
        MeterAsk::Record {
            subject: self.subject(shard),
            prices,
            events,
            window: self.window,
            gate: self.gate,
        }
    }

    /// Asks a shard, and takes its no for the request's.
    pub(super) async fn ask(
        &self,
        incoming: &Incoming,
        shard: u8,
        ask: MeterAsk,
    ) -> Result<MeterAnswer, Rejection> {
        done(meters::ask(&incoming.env, &self.meter, shard, ask, &incoming.correlation_id).await?)
    }

    /// What the meter has counted; a meter that was never used is not there.
    pub(super) async fn look(&self, incoming: &Incoming) -> Result<Looked, Rejection> {
        let (env, id) = (&incoming.env, &incoming.correlation_id);
        let looked = meters::look(env, &self.meter, self.shards(), id).await?;
        let (first, others) = looked.ok_or_else(|| problem(&Refusal::NothingUsed))?;
        Ok(Looked { first, others })
    }
}

/// What a meter has counted: its first shard, and the others.
pub(super) struct Looked {
    pub(super) first: Counted,
    pub(super) others: Vec<Counted>,
}

impl Looked {
    /// What is open of all, with what was handed over and not taken.
    pub(super) fn open(&self) -> Result<Quantity, Failure> {
        let untaken = |one: &Counted| {
            let handed: Option<&Handed> =
                one.handed.as_ref().filter(|handed| handed.round > self.first.round);
            handed.map(|handed| handed.open.clone()).unwrap_or_default()
        };
        let others = self.others.iter().flat_map(|one| one.open.iter().cloned().chain(untaken(one)));
        self.first
            .open
            .iter()
            .cloned()
            .chain(others)
            .try_fold(Quantity::ZERO, |sum, open| sum.plus(open.quantity))
            .ok_or_else(|| Failure::Corrupt("more is open than can be counted".to_owned()))
    }

    /// The sum of the shards' versions.
    pub(super) fn version(&self) -> u64 {
        let others = self.others.iter().map(|one| one.version);
        others.fold(self.first.version, u64::saturating_add)
    }
}

/// What a meter has done, or its no.
pub(super) fn done(reply: MeterReply) -> Result<MeterAnswer, Rejection> {
    match reply {
        MeterReply::Done(answer) => Ok(answer),
        MeterReply::Refused(refusal) => Err(problem(&refusal)),
        MeterReply::OperationReused => Err(api::inbound::mandate::key_reused().into()),
    }
}

/// A meter's no.
pub(super) fn problem(refusal: &Refusal) -> Rejection {
    meter_problem(refusal).into()
}

/// A tenant's no.
pub(super) fn tenant_no(refusal: &tenant::Refusal) -> Rejection {
    tenant_problem(refusal).into()
}

pub(super) fn unexpected() -> Rejection {
    Failure::Runtime("a meter answered something else than it was asked".to_owned()).into()
}
