//! What the texts of metering are. Their wire types are plain text; each field is named here by its kind.

use serde_json::{Map, Value, json};

use crate::document::openapi::kinds::{is_of_type, refer};

const TIMES: [&str; 18] = [
    "asOf",
    "at",
    "createdAt",
    "effectiveFrom",
    "expiresAt",
    "firstAt",
    "from",
    "lastAt",
    "lastUsedAt",
    "payUntil",
    "receivedAt",
    "revokedAt",
    "rotatedUntil",
    "since",
    "time",
    "timestamp",
    "to",
    "until",
];
const QUANTITIES: [&str; 10] = [
    "credited",
    "open",
    "pending",
    "quantity",
    "recorded",
    "reversed",
    "settled",
    "total",
    "upTo",
    "writtenOff",
];
const EXACT: [&str; 3] = ["carriedIn", "carriedOut", "exact"];

/// The kinds by their names. Times, addresses, hashes and base units are those of mandates.
pub(super) fn kinds() -> [(&'static str, Value); 11] {
    let text = |pattern: &str, description: &str, example: &str| json!({ "type": "string", "pattern": pattern, "description": description, "examples": [example] });
    let id = |prefix: &str, count: usize, description: &str| {
        text(
            &format!("^{prefix}_[a-z2-7]{{{count}}}$"),
            description,
            &format!("{prefix}_{}", "a".repeat(count)),
        )
    };
    [
        (
            "AgentName",
            text("^(?!\\.{1,2}$)[A-Za-z0-9._-]{1,256}$", "An agent, as the tenant calls it.", "agent-7"),
        ),
        (
            "ServiceName",
            text("^(?!\\.{1,2}$)[A-Za-z0-9._-]{1,128}$", "A service, as the tenant calls it.", "weather.v1"),
        ),
        ("TenantId", id("ten", 26, "A tenant.")),
        ("KeyId", id("key", 16, "An API key's id; not the key.")),
        ("MeterId", id("mtr", 26, "A meter: of one agent at one service.")),
        ("SettlementId", id("set", 52, "A settlement.")),
        ("ReservationId", id("rsv", 52, "A reservation.")),
        ("EndpointId", id("whe", 26, "A webhook endpoint.")),
        ("WebhookMessageId", id("msg", 26, "A message to webhook endpoints.")),
        (
            "UnitPrice",
            text("^(0|[1-9][0-9]{0,14})(\\.[0-9]{1,9})?$", "What one unit costs, in base units.", "0.5"),
        ),
        (
            "ExactAmount",
            text(
                "^-?(0|[1-9][0-9]{0,23})(\\.[0-9]{1,15})?$",
                "Base units before they are rounded.",
                "1250.5",
            ),
        ),
    ]
}

/// Says what each field of these schemas is.
pub(super) fn name_kinds(schemas: &mut Map<String, Value>) {
    for (name, schema) in schemas.iter_mut() {
        name_within(name, schema);
    }
}

fn name_within(name: &str, schema: &mut Value) {
    for part in ["oneOf", "anyOf", "allOf"] {
        let parts = schema.get_mut(part).and_then(Value::as_array_mut);
        parts.into_iter().flatten().for_each(|part| name_within(name, part));
    }
    for (field, property) in schema.get_mut("properties").and_then(Value::as_object_mut).into_iter().flatten()
    {
        name_within(name, property);
        if !is_of_type(property, "string") {
            continue;
        }
        if let Some(kind) = kind_of(name, field) {
            refer(property, kind);
        } else if QUANTITIES.contains(&field.as_str())
            && let Some(fields) = property.as_object_mut()
        {
            fields.insert("pattern".to_owned(), json!("^(0|[1-9][0-9]{0,32})(\\.[0-9]{1,6})?$"));
        }
    }
}

/// The kind of a field, if it has one of its own. A body's names of agents and services are held to their rule, too.
fn kind_of(name: &str, field: &str) -> Option<&'static str> {
    match (name, field) {
        ("CloudEvent" | "EventTypeView", _) => None,
        (_, "agent") => Some("AgentName"),
        (_, "serviceId") => Some("ServiceName"),
        (_, "tenant") => Some("TenantId"),
        (_, "meter") => Some("MeterId"),
        ("KeyView", "id" | "createdBy" | "rotatedTo") => Some("KeyId"),
        ("SettlementView", "id")
        | ("ReservationView" | "BillView" | "MeterView", "settlement" | "pending") => Some("SettlementId"),
        ("ReservationView", "id") | ("SettlementPayment", "reservation") => Some("ReservationId"),
        ("PricingView" | "TierView", "price") => Some("UnitPrice"),
        (_, "mandate") if name != "SettlementLinks" => Some("Hash"),
        (_, "payTo" | "signer" | "recipient" | "payer") => Some("Address"),
        (_, "amount" | "paid") => Some("BaseUnits"),
        (_, field) if EXACT.contains(&field) => Some("ExactAmount"),
        (_, field) if TIMES.contains(&field) => Some("Time"),
        (_, _) => None,
    }
}
