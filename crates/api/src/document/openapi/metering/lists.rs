//! Usage added up, settlements and events in lists, and files of them.

use serde_json::{Value, json};
use tenant::Scope;

use super::{Path, both, counted, keyed, ours, placed};
use crate::document::openapi::operation::Operation;
use crate::document::openapi::parts::{answer, schema};
use crate::document::openapi::refusals::malformed;

const TAG: &str = "usage";

pub(super) fn paths() -> Vec<Path> {
    vec![
        both(
            "/services/{serviceId}/usage",
            [of_service("getServiceUsage", "See what was used of a service", "TallyAnswer")],
        ),
        both(
            "/services/{serviceId}/agents",
            [paged(of_service("listServiceAgents", "List who uses a service", "UsedByAgents"))],
        ),
        both(
            "/services/{serviceId}/agents/top",
            [limited(of_service("listTopAgents", "List who uses most of a service", "UsedByAgents"))],
        ),
        both(
            "/agents/{agent}/total",
            [of_agent("getAgentTotal", "See what an agent has used", "TallyAnswer")],
        ),
        both(
            "/agents/{agent}/usage",
            [paged(of_agent("listAgentUsage", "List which services an agent uses", "UsedServices"))],
        ),
        both("/usage/export.json", [export("exportUsage", None)]),
        both("/usage/export.csv", [export("exportUsageAsCsv", Some("text/csv"))]),
        ours("/usage/buckets", [buckets()]),
        ours("/usage/top", [top()]),
        ours("/settlements", [settlements()]),
        both("/events", [events()]),
        both("/events/summary", [summary()]),
    ]
}

/// What tables that follow the meters answer.
fn listed(id: &'static str, summary: &'static str) -> Operation {
    keyed("get", TAG, id, summary, Some(Scope::UsageRead))
        .about("From tables that follow the meters within moments: `asOf` says how far they have come, and rows name the version of what they count.")
        .refuses([malformed()])
}

fn of_service(id: &'static str, summary: &'static str, kind: &str) -> Operation {
    placed(listed(id, summary), &["ServiceId"])
        .answers("200", counted("What was counted.", schema(kind), &[]))
}

fn of_agent(id: &'static str, summary: &'static str, kind: &str) -> Operation {
    placed(listed(id, summary), &["MeteredAgent"])
        .answers("200", counted("What was counted.", schema(kind), &[]))
}

fn paged(operation: Operation) -> Operation {
    operation.named(&["PageLimit", "PageCursor"])
}

fn limited(operation: Operation) -> Operation {
    operation.named(&["PageLimit"])
}

fn by_pair(operation: Operation) -> Operation {
    operation.filter("agent", "Only of this agent.", schema("AgentName")).filter(
        "serviceId",
        "Only of this service.",
        schema("ServiceName"),
    )
}

/// `GET /v1/agents` of a tenant, under the older path.
pub(super) fn agents() -> Operation {
    paged(listed("listMeteredAgents", "List who has used anything"))
        .answers("200", counted("A page, in the order of their names.", schema("UsedByAgents"), &[]))
}

fn export(id: &'static str, media_type: Option<&'static str>) -> Operation {
    let operation = by_pair(listed(id, "Export every agent's usage of every service")).named(&["PageCursor"]);
    let Some(media_type) = media_type else {
        return operation
            .answers("200", counted("All of it, or as much as one file holds.", schema("UsageExport"), &[]));
    };
    let headers = [&["X-Next-Cursor", "Content-Disposition"], super::RATE].concat();
    let mut file = answer("A file for spreadsheets. No cell begins a formula.", Value::Null, &headers);
    if let Some(fields) = file.as_object_mut() {
        fields.insert("content".to_owned(), json!({ media_type: { "schema": { "type": "string" } } }));
    }
    operation.answers("200", file)
}

fn buckets() -> Operation {
    by_pair(listed("listUsageBuckets", "See usage over time"))
        .filter(
            "size",
            "How long each bucket is, in UTC.",
            json!({ "type": "string", "enum": ["hour", "day"], "default": "hour" }),
        )
        .filter("from", "The first bucket holds this moment.", schema("Time"))
        .filter("to", "The last bucket begins before this moment.", schema("Time"))
        .answers(
            "200",
            counted("Those in which something happened, oldest first.", schema("BucketsAnswer"), &[]),
        )
}

fn top() -> Operation {
    // An empty page is both.
    let either = json!({ "anyOf": [schema("UsedByAgents"), schema("UsedServices")] });
    limited(listed("listTopUsage", "List who uses most, or what is used most"))
        .filter(
            "by",
            "What is listed.",
            json!({ "type": "string", "enum": ["agent", "service"], "default": "agent" }),
        )
        .answers("200", counted("Most first.", either, &[]))
}

fn settlements() -> Operation {
    let statuses =
        json!({ "type": "string", "enum": ["drafted", "submitted", "verified", "failed", "writtenOff"] });
    paged(by_pair(listed("listSettlements", "List settlements")))
        .filter("status", "Only those that stand so.", statuses)
        .answers("200", counted("A page, newest first.", schema("SettlementsAnswer"), &[]))
}

fn spanned(operation: Operation) -> Operation {
    operation.filter("since", "Nothing before this moment.", schema("Time")).filter(
        "until",
        "Nothing from this moment on.",
        schema("Time"),
    )
}

fn events() -> Operation {
    let operation = keyed("get", TAG, "listEvents", "Read the audit log", None).refuses([malformed()]);
    spanned(paged(by_pair(operation)))
        .about("Webhook endpoints are sent the same events.")
        .filter(
            "type",
            "Only of this type, or of a family, such as `usage.*`.",
            json!({ "type": "string", "maxLength": tenant::limits::TYPE_BYTES }),
        )
        .answers("200", counted("A page, newest first.", schema("AuditAnswer"), &[]))
}

fn summary() -> Operation {
    let operation =
        keyed("get", TAG, "summarizeEvents", "Count the audit log by type", None).refuses([malformed()]);
    spanned(operation).answers("200", counted("How often what has happened.", schema("AuditSummary"), &[]))
}
