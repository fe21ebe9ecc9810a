//! Tenants, what they meter, and what they are paid. The paths under `/api/v1` are those that clients of the earlier
//! metering service know; the same handlers answer them.

use primitives::{AgentName, EndpointId, ReservationId, ServiceName, SettlementId, TenantId};
use tenant::key::KeyId;

use super::super::{
    AggregateRoute as A, BillingRoute as B, MeteringRoute as M, OperationRoute as O, PaymentRoute as P,
    ReservationRoute as R, Route, ServiceRoute as S, TenantRoute as T, UsageRoute as U, WebhookRoute as W,
};
use super::{Anyone, Entry, Make, Parts, SameOrigin, entry};

impl Parts<'_> {
    fn tenant(&self, make: fn(TenantId) -> T) -> Option<Route> {
        self.part("tenant").map(|tenant| Route::Metering(M::Tenant(make(tenant))))
    }

    fn key(&self, make: fn(KeyId) -> T) -> Option<Route> {
        self.part("key").map(|key| Route::Metering(M::Tenant(make(key))))
    }

    fn metered_agent<X>(&self, into: fn(X) -> M, make: fn(AgentName) -> X) -> Option<Route> {
        self.part("agent").map(|agent| Route::Metering(into(make(agent))))
    }

    fn party(&self, make: fn(TenantId, AgentName) -> T) -> Option<Route> {
        let (tenant, agent) = (self.part("tenant")?, self.part("agent")?);
        Some(Route::Metering(M::Tenant(make(tenant, agent))))
    }

    fn service<X>(&self, into: fn(X) -> M, make: fn(ServiceName) -> X) -> Option<Route> {
        self.part("serviceId").map(|service| Route::Metering(into(make(service))))
    }

    fn pair<X>(&self, into: fn(X) -> M, make: fn(AgentName, ServiceName) -> X) -> Option<Route> {
        let (agent, service) = (self.part("agent")?, self.part("serviceId")?);
        Some(Route::Metering(into(make(agent, service))))
    }

    fn settlement<X>(&self, into: fn(X) -> M, make: fn(SettlementId) -> X) -> Option<Route> {
        self.part("settlement").map(|settlement| Route::Metering(into(make(settlement))))
    }

    fn reservation(&self, make: fn(ReservationId) -> R) -> Option<Route> {
        self.part("reservation").map(|reservation| Route::Metering(M::Reservation(make(reservation))))
    }

    fn endpoint(&self, make: fn(EndpointId) -> W) -> Option<Route> {
        self.part("endpoint").map(|endpoint| Route::Metering(M::Webhook(make(endpoint))))
    }

    fn resend(&self) -> Option<Route> {
        let (endpoint, message) = (self.part("endpoint")?, self.part("message")?);
        Some(Route::Metering(M::Webhook(W::Resend { endpoint, message })))
    }
}

/// A route without parts.
macro_rules! plain {
    ($name:ident, $method:literal, $into:ident($route:expr)) => {
        const $name: (&str, Make) = ($method, |_| Some(Route::Metering(M::$into($route))));
    };
}

plain!(OPEN, "POST", Tenant(T::Open));
plain!(MINE, "GET", Tenant(T::Mine));
plain!(KEYS, "GET", Tenant(T::Keys));
plain!(CREATE_KEY, "POST", Tenant(T::CreateKey));
plain!(REGISTER, "POST", Service(S::Register));
plain!(REGISTER_MANY, "POST", Service(S::RegisterMany));
plain!(SERVICES, "GET", Service(S::List));
plain!(RECORD, "POST", Usage(U::Record));
plain!(RECORD_MANY, "POST", Usage(U::RecordMany));
plain!(REVERSE, "POST", Usage(U::Reverse));
plain!(TOTAL, "GET", Billing(B::Total));
plain!(SETTLE, "POST", Billing(B::Settle));
plain!(SETTLE_MANY, "POST", Billing(B::SettleMany));
plain!(RESERVE, "POST", Reservation(R::Reserve));
plain!(EXPORT_JSON, "GET", Aggregate(A::ExportJson));
plain!(EXPORT_CSV, "GET", Aggregate(A::ExportCsv));
plain!(BUCKETS, "GET", Aggregate(A::Buckets));
plain!(TOP, "GET", Aggregate(A::Top));
plain!(AGENTS, "GET", Aggregate(A::Agents));
plain!(SETTLEMENTS, "GET", Aggregate(A::Settlements));
plain!(EVENTS, "GET", Aggregate(A::Events));
plain!(EVENT_SUMMARY, "GET", Aggregate(A::EventSummary));
plain!(WEBHOOKS, "GET", Webhook(W::List));
plain!(CREATE_WEBHOOK, "POST", Webhook(W::Create));
plain!(EVENT_TYPES, "GET", Webhook(W::EventTypes));
plain!(PAUSE, "POST", Operation(O::Pause));
plain!(UNPAUSE, "POST", Operation(O::Unpause));
plain!(STATUS, "GET", Operation(O::Status));
plain!(RESET, "POST", Operation(O::Reset));
plain!(CONFIGURATION, "GET", Operation(O::Configuration));
plain!(CONFIGURE, "PATCH", Operation(O::Configure));
plain!(METRICS, "GET", Operation(O::Metrics));
plain!(STATS, "GET", Operation(O::Stats));
plain!(READY, "GET", Operation(O::Ready));
plain!(DEEP, "GET", Operation(O::Deep));
plain!(VERSION, "GET", Operation(O::Version));
plain!(CHANGELOG, "GET", Operation(O::Changelog));
plain!(DRAIN, "POST", Operation(O::Drain));
const OPENAPI: (&str, Make) = ("GET", |_| Some(Route::OpenApi));

const KEY: (&str, Make) = ("GET", |p| p.key(|key| T::Key { key }));
const REVOKE_KEY: (&str, Make) = ("DELETE", |p| p.key(|key| T::RevokeKey { key }));
const SERVICE: (&str, Make) = ("GET", |p| p.service(M::Service, |service| S::Show { service }));
const DELETE: (&str, Make) = ("DELETE", |p| p.service(M::Service, |service| S::Delete { service }));
const METADATA: (&str, Make) = ("GET", |p| p.service(M::Service, |service| S::Metadata { service }));
const SET_METADATA: (&str, Make) = ("PUT", |p| p.service(M::Service, |service| S::SetMetadata { service }));
const ENABLE: (&str, Make) = ("POST", |p| p.service(M::Service, |service| S::Enable { service }));
const DISABLE: (&str, Make) = ("POST", |p| p.service(M::Service, |service| S::Disable { service }));
const SET_DISABLED: (&str, Make) = ("PATCH", |p| p.service(M::Service, |service| S::SetDisabled { service }));
const SET_PRICE: (&str, Make) = ("PATCH", |p| p.service(M::Service, |service| S::SetPrice { service }));
const SERVICE_USAGE: (&str, Make) =
    ("GET", |p| p.service(M::Aggregate, |service| A::ServiceUsage { service }));
const SERVICE_AGENTS: (&str, Make) =
    ("GET", |p| p.service(M::Aggregate, |service| A::ServiceAgents { service }));
const SERVICE_TOP: (&str, Make) =
    ("GET", |p| p.service(M::Aggregate, |service| A::ServiceTopAgents { service }));
const USAGE: (&str, Make) = ("GET", |p| p.pair(M::Usage, |agent, service| U::Show { agent, service }));
const WRITE_OFF: (&str, Make) =
    ("DELETE", |p| p.pair(M::Usage, |agent, service| U::WriteOff { agent, service }));
const BILL: (&str, Make) = ("GET", |p| p.pair(M::Billing, |agent, service| B::Bill { agent, service }));
const AGENT_TOTAL: (&str, Make) = ("GET", |p| p.metered_agent(M::Aggregate, |agent| A::AgentTotal { agent }));
const AGENT_USAGE: (&str, Make) = ("GET", |p| p.metered_agent(M::Aggregate, |agent| A::AgentUsage { agent }));
const WEBHOOK: (&str, Make) = ("GET", |p| p.endpoint(|endpoint| W::Show { endpoint }));
const CHANGE_WEBHOOK: (&str, Make) = ("PATCH", |p| p.endpoint(|endpoint| W::Change { endpoint }));
const DELETE_WEBHOOK: (&str, Make) = ("DELETE", |p| p.endpoint(|endpoint| W::Delete { endpoint }));
const TEST_WEBHOOK: (&str, Make) = ("POST", |p| p.endpoint(|endpoint| W::Test { endpoint }));

/// A path under `/v1`, and the older one that the same handler answers.
macro_rules! both {
    ($path:literal, $readers:ident, [$($make:ident),+]) => {
        [
            entry(concat!("/v1", $path), $readers, &[$($make),+]),
            entry(concat!("/api/v1", $path), $readers, &[$($make),+]),
        ]
    };
}

// What a key opens is not for pages of other origins: a key belongs on a server.
static BOTH: &[[Entry; 2]] = &[
    both!("/api-keys", SameOrigin, [KEYS, CREATE_KEY]),
    both!("/api-keys/{key}", SameOrigin, [KEY, REVOKE_KEY]),
    both!("/services", SameOrigin, [SERVICES, REGISTER]),
    both!("/services/bulk", SameOrigin, [REGISTER_MANY]),
    both!("/services/{serviceId}", SameOrigin, [SERVICE, DELETE]),
    both!("/services/{serviceId}/metadata", SameOrigin, [METADATA, SET_METADATA]),
    both!("/services/{serviceId}/enable", SameOrigin, [ENABLE]),
    both!("/services/{serviceId}/disable", SameOrigin, [DISABLE]),
    both!("/services/{serviceId}/disabled", SameOrigin, [SET_DISABLED]),
    both!("/services/{serviceId}/price", SameOrigin, [SET_PRICE]),
    both!("/services/{serviceId}/usage", SameOrigin, [SERVICE_USAGE]),
    both!("/services/{serviceId}/agents", SameOrigin, [SERVICE_AGENTS]),
    both!("/services/{serviceId}/agents/top", SameOrigin, [SERVICE_TOP]),
    both!("/usage", SameOrigin, [RECORD]),
    both!("/usage/bulk", SameOrigin, [RECORD_MANY]),
    both!("/usage/export.json", SameOrigin, [EXPORT_JSON]),
    both!("/usage/export.csv", SameOrigin, [EXPORT_CSV]),
    both!("/usage/{agent}/{serviceId}", SameOrigin, [USAGE, WRITE_OFF]),
    both!("/billing/total", SameOrigin, [TOTAL]),
    both!("/billing/{agent}/{serviceId}", SameOrigin, [BILL]),
    both!("/settle", SameOrigin, [SETTLE]),
    both!("/settle/bulk", SameOrigin, [SETTLE_MANY]),
    both!("/agents/{agent}/total", SameOrigin, [AGENT_TOTAL]),
    both!("/agents/{agent}/usage", SameOrigin, [AGENT_USAGE]),
    both!("/webhooks", SameOrigin, [WEBHOOKS, CREATE_WEBHOOK]),
    both!("/webhooks/{endpoint}", SameOrigin, [WEBHOOK, CHANGE_WEBHOOK, DELETE_WEBHOOK]),
    both!("/webhooks/{endpoint}/test", SameOrigin, [TEST_WEBHOOK]),
    both!("/events", SameOrigin, [EVENTS]),
    both!("/events/summary", SameOrigin, [EVENT_SUMMARY]),
    both!("/admin/pause", SameOrigin, [PAUSE]),
    both!("/admin/unpause", SameOrigin, [UNPAUSE]),
    both!("/admin/status", SameOrigin, [STATUS]),
    both!("/admin/reset", SameOrigin, [RESET]),
    both!("/config", SameOrigin, [CONFIGURATION, CONFIGURE]),
    both!("/metrics", SameOrigin, [METRICS]),
    both!("/stats", SameOrigin, [STATS]),
    both!("/health/ready", Anyone, [READY]),
    both!("/health/deep", Anyone, [DEEP]),
    both!("/version", Anyone, [VERSION]),
    both!("/changelog", Anyone, [CHANGELOG]),
];

static OURS: &[Entry] = &[
    entry("/v1/tenants", SameOrigin, &[OPEN]),
    entry("/v1/tenant", SameOrigin, &[MINE]),
    entry("/v1/tenants/{tenant}", SameOrigin, &[("GET", |p| p.tenant(|tenant| T::Show { tenant }))]),
    entry(
        "/v1/tenants/{tenant}/suspend",
        SameOrigin,
        &[("POST", |p| p.tenant(|tenant| T::Suspend { tenant }))],
    ),
    entry(
        "/v1/tenants/{tenant}/resume",
        SameOrigin,
        &[("POST", |p| p.tenant(|tenant| T::Resume { tenant }))],
    ),
    entry(
        "/v1/tenants/{tenant}/agents/{agent}/mandate",
        Anyone,
        &[
            ("PUT", |p| p.party(|tenant, agent| T::OfferMandate { tenant, agent })),
            ("DELETE", |p| p.party(|tenant, agent| T::WithdrawMandate { tenant, agent })),
        ],
    ),
    entry("/v1/api-keys/{key}/rotate", SameOrigin, &[("POST", |p| p.key(|key| T::RotateKey { key }))]),
    entry(
        "/v1/agents/{agent}/account",
        SameOrigin,
        &[
            ("GET", |p| p.metered_agent(M::Tenant, |agent| T::Account { agent })),
            ("PUT", |p| p.metered_agent(M::Tenant, |agent| T::SetAccount { agent })),
        ],
    ),
    entry(
        "/v1/services/{serviceId}/prices",
        SameOrigin,
        &[("GET", |p| p.service(M::Service, |service| S::Prices { service }))],
    ),
    entry("/v1/usage/reverse", SameOrigin, &[REVERSE]),
    entry(
        "/v1/usage/{agent}/{serviceId}/events",
        SameOrigin,
        &[("GET", |p| p.pair(M::Usage, |agent, service| U::Events { agent, service }))],
    ),
    entry("/v1/usage/buckets", SameOrigin, &[BUCKETS]),
    entry("/v1/usage/top", SameOrigin, &[TOP]),
    entry("/v1/settlements", SameOrigin, &[SETTLEMENTS]),
    entry(
        "/v1/settlements/{settlement}",
        Anyone,
        &[("GET", |p| p.settlement(M::Billing, |settlement| B::Show { settlement }))],
    ),
    entry(
        "/v1/settlements/{settlement}/void",
        SameOrigin,
        &[("POST", |p| p.settlement(M::Billing, |settlement| B::Void { settlement }))],
    ),
    entry(
        "/v1/settlements/{settlement}/pay",
        Anyone,
        &[("POST", |p| p.settlement(M::Payment, |settlement| P::Pay { settlement }))],
    ),
    entry(
        "/v1/settlements/{settlement}/mandate",
        Anyone,
        &[("POST", |p| p.settlement(M::Payment, |settlement| P::Mandate { settlement }))],
    ),
    entry(
        "/v1/settlements/{settlement}/transaction",
        Anyone,
        &[("POST", |p| p.settlement(M::Payment, |settlement| P::Transaction { settlement }))],
    ),
    entry("/v1/reservations", SameOrigin, &[RESERVE]),
    entry(
        "/v1/reservations/{reservation}",
        SameOrigin,
        &[("GET", |p| p.reservation(|reservation| R::Show { reservation }))],
    ),
    entry(
        "/v1/reservations/{reservation}/commit",
        SameOrigin,
        &[("POST", |p| p.reservation(|reservation| R::Commit { reservation }))],
    ),
    entry(
        "/v1/reservations/{reservation}/release",
        SameOrigin,
        &[("POST", |p| p.reservation(|reservation| R::Release { reservation }))],
    ),
    entry("/v1/webhooks/event-types", Anyone, &[EVENT_TYPES]),
    entry(
        "/v1/webhooks/{endpoint}/rotate",
        SameOrigin,
        &[("POST", |p| p.endpoint(|endpoint| W::Rotate { endpoint }))],
    ),
    entry(
        "/v1/webhooks/{endpoint}/enable",
        SameOrigin,
        &[("POST", |p| p.endpoint(|endpoint| W::Enable { endpoint }))],
    ),
    entry(
        "/v1/webhooks/{endpoint}/disable",
        SameOrigin,
        &[("POST", |p| p.endpoint(|endpoint| W::Disable { endpoint }))],
    ),
    entry(
        "/v1/webhooks/{endpoint}/attempts",
        SameOrigin,
        &[("GET", |p| p.endpoint(|endpoint| W::Attempts { endpoint }))],
    ),
    entry("/v1/webhooks/{endpoint}/messages/{message}/resend", SameOrigin, &[("POST", |p| p.resend())]),
    entry(
        "/v1/webhooks/{endpoint}/recover",
        SameOrigin,
        &[("POST", |p| p.endpoint(|endpoint| W::Recover { endpoint }))],
    ),
    entry("/v1/operator/drain", SameOrigin, &[DRAIN]),
    // Under /v1 an owner's list of agents stands here, too: who asks decides which it is.
    entry("/api/v1/agents", SameOrigin, &[AGENTS]),
    entry("/api/v1/openapi.json", Anyone, &[OPENAPI]),
];

/// All of them.
pub(super) fn entries() -> impl Iterator<Item = &'static Entry> {
    BOTH.iter().flatten().chain(OURS)
}
