//! What is asked of tenants: what they meter, bill and follow, and how the whole of it fares.

use primitives::{AgentName, EndpointId, ReservationId, ServiceName, SettlementId, TenantId, WebhookId};
use tenant::key::KeyId;

/// What is asked about metering.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MeteringRoute {
    /// A tenant, its keys, and what it has agreed with agents.
    Tenant(TenantRoute),
    /// What is metered, and its prices.
    Service(ServiceRoute),
    /// Events of usage.
    Usage(UsageRoute),
    /// Bills and settlements.
    Billing(BillingRoute),
    /// How a bill is paid.
    Payment(PaymentRoute),
    /// Money that is held before work.
    Reservation(ReservationRoute),
    /// What was used, added up and in lists.
    Aggregate(AggregateRoute),
    /// Webhook endpoints.
    Webhook(WebhookRoute),
    /// Pause, configuration and figures of a tenant, and how the deployment fares.
    Operation(OperationRoute),
}

/// What is asked of a tenant.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are the parts of the path")]
pub enum TenantRoute {
    /// `POST /v1/tenants`.
    Open,
    /// `GET /v1/tenant`.
    Mine,
    /// `GET /v1/tenants/{tenant}`.
    Show { tenant: TenantId },
    /// `POST /v1/tenants/{tenant}/suspend`.
    Suspend { tenant: TenantId },
    /// `POST /v1/tenants/{tenant}/resume`.
    Resume { tenant: TenantId },
    /// `GET /v1/api-keys`.
    Keys,
    /// `POST /v1/api-keys`.
    CreateKey,
    /// `GET /v1/api-keys/{key}`.
    Key { key: KeyId },
    /// `DELETE /v1/api-keys/{key}`.
    RevokeKey { key: KeyId },
    /// `POST /v1/api-keys/{key}/rotate`.
    RotateKey { key: KeyId },
    /// `GET /v1/agents/{agent}/account`.
    Account { agent: AgentName },
    /// `PUT /v1/agents/{agent}/account`.
    SetAccount { agent: AgentName },
    /// `PUT /v1/tenants/{tenant}/agents/{agent}/mandate`.
    OfferMandate { tenant: TenantId, agent: AgentName },
    /// `DELETE /v1/tenants/{tenant}/agents/{agent}/mandate`.
    WithdrawMandate { tenant: TenantId, agent: AgentName },
}

/// What is asked of services.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are the parts of the path")]
pub enum ServiceRoute {
    /// `POST /v1/services`.
    Register,
    /// `POST /v1/services/bulk`.
    RegisterMany,
    /// `GET /v1/services`.
    List,
    /// `GET /v1/services/{serviceId}`.
    Show { service: ServiceName },
    /// `DELETE /v1/services/{serviceId}`.
    Delete { service: ServiceName },
    /// `GET /v1/services/{serviceId}/prices`.
    Prices { service: ServiceName },
    /// `GET /v1/services/{serviceId}/metadata`.
    Metadata { service: ServiceName },
    /// `PUT /v1/services/{serviceId}/metadata`.
    SetMetadata { service: ServiceName },
    /// `POST /v1/services/{serviceId}/enable`.
    Enable { service: ServiceName },
    /// `POST /v1/services/{serviceId}/disable`.
    Disable { service: ServiceName },
    /// `PATCH /v1/services/{serviceId}/disabled`.
    SetDisabled { service: ServiceName },
    /// `PATCH /v1/services/{serviceId}/price`.
    SetPrice { service: ServiceName },
}

/// What is asked of usage at its meter.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are the parts of the path")]
pub enum UsageRoute {
    /// `POST /v1/usage`.
    Record,
    /// `POST /v1/usage/bulk`.
    RecordMany,
    /// `POST /v1/usage/reverse`.
    Reverse,
    /// `GET /v1/usage/{agent}/{serviceId}`.
    Show { agent: AgentName, service: ServiceName },
    /// `DELETE /v1/usage/{agent}/{serviceId}`.
    WriteOff { agent: AgentName, service: ServiceName },
    /// `GET /v1/usage/{agent}/{serviceId}/events`.
    Events { agent: AgentName, service: ServiceName },
}

/// What is asked of bills.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are the parts of the path")]
pub enum BillingRoute {
    /// `GET /v1/billing/total`.
    Total,
    /// `GET /v1/billing/{agent}/{serviceId}`.
    Bill { agent: AgentName, service: ServiceName },
    /// `POST /v1/settle`.
    Settle,
    /// `POST /v1/settle/bulk`.
    SettleMany,
    /// `GET /v1/settlements/{settlement}`.
    Show { settlement: SettlementId },
    /// `POST /v1/settlements/{settlement}/void`.
    Void { settlement: SettlementId },
}

/// How a settlement is paid.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are the parts of the path")]
pub enum PaymentRoute {
    /// `POST /v1/settlements/{settlement}/pay`, paid.
    Pay { settlement: SettlementId },
    /// `POST /v1/settlements/{settlement}/mandate`.
    Mandate { settlement: SettlementId },
    /// `POST /v1/settlements/{settlement}/transaction`.
    Transaction { settlement: SettlementId },
}

/// What is asked of reservations.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are the parts of the path")]
pub enum ReservationRoute {
    /// `POST /v1/reservations`.
    Reserve,
    /// `GET /v1/reservations/{reservation}`.
    Show { reservation: ReservationId },
    /// `POST /v1/reservations/{reservation}/commit`.
    Commit { reservation: ReservationId },
    /// `POST /v1/reservations/{reservation}/release`.
    Release { reservation: ReservationId },
}

/// What is asked of the lists that follow the meters.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are the parts of the path")]
pub enum AggregateRoute {
    /// `GET /v1/services/{serviceId}/usage`.
    ServiceUsage { service: ServiceName },
    /// `GET /v1/services/{serviceId}/agents`.
    ServiceAgents { service: ServiceName },
    /// `GET /v1/services/{serviceId}/agents/top`.
    ServiceTopAgents { service: ServiceName },
    /// `GET /v1/usage/export.json`.
    ExportJson,
    /// `GET /v1/usage/export.csv`.
    ExportCsv,
    /// `GET /v1/usage/buckets`.
    Buckets,
    /// `GET /v1/usage/top`.
    Top,
    /// `GET /v1/agents` with an API key, and `GET /api/v1/agents`.
    Agents,
    /// `GET /v1/agents/{agent}/total`.
    AgentTotal { agent: AgentName },
    /// `GET /v1/agents/{agent}/usage`.
    AgentUsage { agent: AgentName },
    /// `GET /v1/settlements`.
    Settlements,
    /// `GET /v1/events`.
    Events,
    /// `GET /v1/events/summary`.
    EventSummary,
}

/// What is asked of webhook endpoints.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are the parts of the path")]
pub enum WebhookRoute {
    /// `GET /v1/webhooks`.
    List,
    /// `POST /v1/webhooks`.
    Create,
    /// `GET /v1/webhooks/event-types`.
    EventTypes,
    /// `GET /v1/webhooks/{endpoint}`.
    Show { endpoint: EndpointId },
    /// `PATCH /v1/webhooks/{endpoint}`.
    Change { endpoint: EndpointId },
    /// `DELETE /v1/webhooks/{endpoint}`.
    Delete { endpoint: EndpointId },
    /// `POST /v1/webhooks/{endpoint}/test`.
    Test { endpoint: EndpointId },
    /// `POST /v1/webhooks/{endpoint}/rotate`.
    Rotate { endpoint: EndpointId },
    /// `POST /v1/webhooks/{endpoint}/enable`.
    Enable { endpoint: EndpointId },
    /// `POST /v1/webhooks/{endpoint}/disable`.
    Disable { endpoint: EndpointId },
    /// `GET /v1/webhooks/{endpoint}/attempts`.
    Attempts { endpoint: EndpointId },
    /// `POST /v1/webhooks/{endpoint}/messages/{message}/resend`.
    Resend { endpoint: EndpointId, message: WebhookId },
    /// `POST /v1/webhooks/{endpoint}/recover`.
    Recover { endpoint: EndpointId },
}

/// What is asked of how a tenant, or the deployment, is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OperationRoute {
    /// `POST /v1/admin/pause`.
    Pause,
    /// `POST /v1/admin/unpause`.
    Unpause,
    /// `GET /v1/admin/status`.
    Status,
    /// `POST /v1/admin/reset`.
    Reset,
    /// `GET /v1/config`.
    Configuration,
    /// `PATCH /v1/config`.
    Configure,
    /// `GET /v1/metrics`.
    Metrics,
    /// `GET /v1/stats`.
    Stats,
    /// `GET /v1/health/ready`.
    Ready,
    /// `GET /v1/health/deep`.
    Deep,
    /// `GET /v1/version`.
    Version,
    /// `GET /v1/changelog`.
    Changelog,
    /// `POST /v1/operator/drain`.
    Drain,
}
