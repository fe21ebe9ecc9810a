//! Parameters, headers and proofs of metering.

use serde_json::{Map, Value, json};

use crate::document::openapi::parts::schema;

fn path(name: &str, description: &str, schema: Value) -> Value {
    json!({ "name": name, "in": "path", "required": true, "description": description, "schema": schema })
}

pub(in crate::document::openapi) fn parameters() -> Map<String, Value> {
    let named = [
        ("TenantId", path("tenant", "The tenant's id.", schema("TenantId"))),
        ("KeyId", path("key", "The key's id.", schema("KeyId"))),
        ("ServiceId", path("serviceId", "The service.", schema("ServiceName"))),
        ("MeteredAgent", path("agent", "The agent, as the tenant calls it.", schema("AgentName"))),
        ("SettlementId", path("settlement", "The settlement's id.", schema("SettlementId"))),
        ("ReservationId", path("reservation", "The reservation's id.", schema("ReservationId"))),
        ("EndpointId", path("endpoint", "The webhook's id.", schema("EndpointId"))),
        ("MessageId", path("message", "The message's id.", schema("WebhookMessageId"))),
        (
            "ServiceIfMatch",
            json!({
                "name": "If-Match",
                "in": "header",
                "description": "The ETag of the service as it was read, or `*`.",
                "schema": { "type": "string", "pattern": "^(\\*|\"[0-9]+\")$" },
            }),
        ),
        (
            "NeededIfMatch",
            json!({
                "name": "If-Match",
                "in": "header",
                "required": true,
                "description": "The ETag of the configuration as it was read.",
                "schema": { "type": "string", "pattern": "^\"[0-9]+\"$" },
            }),
        ),
    ];
    named.into_iter().map(|(name, parameter)| (name.to_owned(), parameter)).collect()
}

pub(in crate::document::openapi) fn headers() -> Map<String, Value> {
    let text = |description: &str| json!({ "description": description, "schema": { "type": "string" } });
    let named = [
        (
            "RateLimit",
            text(
                "What is left of the window (draft-ietf-httpapi-ratelimit-headers-10), such as `\"key\";r=599;t=60`.",
            ),
        ),
        (
            "RateLimit-Policy",
            text("How often may be asked, such as `\"key\";q=600;w=60`: 600 times in 60 seconds."),
        ),
    ];
    named.into_iter().map(|(name, header)| (name.to_owned(), header)).collect()
}

pub(in crate::document::openapi) fn security_schemes() -> Map<String, Value> {
    let bearer = |format: &str, description: &str| json!({ "type": "http", "scheme": "bearer", "bearerFormat": format, "description": description });
    let named = [
        (
            "apiKey",
            bearer(
                "gld_test_… or gld_live_…",
                "An API key of a tenant. Live keys are for production, test keys for everything else.",
            ),
        ),
        ("operator", bearer("ADMIN_TOKEN", "The token of whoever operates the deployment.")),
    ];
    named.into_iter().map(|(name, scheme)| (name.to_owned(), scheme)).collect()
}
