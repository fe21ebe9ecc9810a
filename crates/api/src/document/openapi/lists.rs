//! Over all mandates of an owner or an agent: approvals, payments, activity.

use serde_json::{Map, Value, json};

use super::operation::{Access, Body, Operation};
use super::parts::{answer, schema, with_correlation};
use super::refusals::{elsewhere, malformed, no_request};
use super::requests;
use crate::inbound::mandate::{Verb, ambiguous};
use crate::limits::EXPORT_MAX;

pub(super) fn paths() -> Map<String, Value> {
    let lists = [
        ("approvals", approvals()),
        ("approvals/{reference}/decide", decide()),
        ("payments", payments()),
        ("payments/{reference}", payment()),
        ("activity", activity()),
        ("agent/mandates", mandates_of_agent()),
        ("agent/approvals/{reference}", approval("agents", "getApprovalAsAgent")),
    ];
    let mut all = Map::new();
    for (path, operation) in lists {
        all.insert(format!("/v1/{path}"), Value::Object(operation.clone().item()));
        all.insert(format!("/api/{path}"), Value::Object(operation.older()));
    }
    let approval = approval("payments", "getApproval").item();
    all.insert("/v1/approvals/{reference}".to_owned(), Value::Object(approval));
    all
}

fn approvals() -> Operation {
    let words = json!({ "type": "string", "enum": ["waiting", "approved", "rejected", "expired", "all"], "default": "waiting" });
    Operation::new(
        "get",
        "payments",
        "listApprovals",
        "List what needs or needed your approval",
        Access::Account,
    )
    .about(super::PAGES)
    .filter("status", "How far your word on it has come.", words)
    .named(&["PageLimit", "PageCursor"])
    .answers("200", answer("A page, newest first.", schema("ApprovalsAnswer"), &[]))
    .refuses([malformed()])
}

fn approval(tag: &'static str, id: &str) -> Operation {
    Operation::new("get", tag, id, "Look at a payment with the owner's word on it", Access::Account)
        .about("While it waits, the owner is shown what `eth_signTypedData_v4` takes to approve it.")
        .named(&["Reference"])
        .answers("200", answer("As it stands.", schema("ApprovalItem"), &[]))
        .refuses(no_request())
        .refuses([ambiguous()])
}

fn decide() -> Operation {
    Operation::new(
        "post",
        "payments",
        "decideApproval",
        "Approve or reject a request, as the owner",
        Access::Account,
    )
    .about("An approval is the owner's signature (EIP-712) of `Approval`, whoever is signed in.")
    .named(&["Reference"])
    .body(Body::Needed("Decide"))
    .answers("200", answer("Decided, now or before.", schema("Payment"), &["Idempotency-Replayed"]))
    .refuses(no_request())
    .refuses([ambiguous(), elsewhere()])
    .refuses(requests::refused(Verb::Approve))
    .refuses(requests::refused(Verb::Reject))
}

fn payments() -> Operation {
    Operation::new(
        "get",
        "payments",
        "listPayments",
        "List the payments under your mandates",
        Access::Account,
    )
    .about(super::PAGES)
    .filter("mandate", "Only those under this mandate.", schema("Hash"))
    .filter("progress", "Only those that stand so.", schema("Progress"))
    .named(&["PageLimit", "PageCursor"])
    .answers("200", answer("A page, newest first.", schema("PaymentsAnswer"), &[]))
    .refuses([malformed()])
}

fn payment() -> Operation {
    Operation::new("get", "payments", "getPayment", "Look at a payment", Access::Seen)
        .about("The owner's words are shown to owner and agent alone. Several agents may give their requests the same id.")
        .named(&["Reference"])
        .answers("200", answer("As it stands.", schema("Payment"), &[]))
        .refuses(no_request())
        .refuses([ambiguous()])
}

fn mandates_of_agent() -> Operation {
    let summary = "List the mandates from which you may spend, as the agent";
    Operation::new("get", "agents", "listMandatesOfAgent", summary, Access::Account)
        .about("Those that are active now, newest first, without their owners' labels.")
        .named(&["PageLimit", "PageCursor"])
        .answers("200", answer("A page.", schema("MandatesAnswer"), &[]))
        .refuses([malformed()])
}

fn activity() -> Operation {
    let moment = || json!({ "type": "string", "format": "date-time" });
    let format = json!({ "type": "string", "enum": ["json", "csv"], "default": "json" });
    Operation::new(
        "get",
        "payments",
        "listActivity",
        "List what happened under your mandates",
        Access::Account,
    )
    .about("Newest first, as a page of JSON or as a file for a spreadsheet.")
    .filter("kind", "Only this was done.", schema("ActivityKind"))
    .filter("result", "Only this came of it.", schema("ActivityResult"))
    .filter("mandate", "Only under this mandate.", schema("Hash"))
    .filter("from", "Nothing before this moment.", moment())
    .filter("to", "Nothing at or after this moment.", moment())
    .filter("format", "As what it is sent.", format)
    .named(&["PageLimit", "PageCursor"])
    .answers("200", activity_answer())
    .refuses([malformed()])
}

fn activity_answer() -> Value {
    let csv = format!(
        "RFC 4180, with a header that has the names of ActivityLine's fields: of the newest {EXPORT_MAX} lines of the span \
         those that match. X-Next-Cursor is there when there are more. `limit` does not go with it."
    );
    let headers = with_correlation(&["X-Next-Cursor", "Content-Disposition"]);
    json!({
        "description": "A page, or the file.",
        "headers": headers,
        "content": {
            "application/json": { "schema": schema("ActivityAnswer") },
            "text/csv": { "schema": { "type": "string", "description": csv } },
        },
    })
}
