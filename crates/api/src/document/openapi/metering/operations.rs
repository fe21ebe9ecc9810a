//! How a tenant is run, and how the deployment fares.

use serde_json::{Value, json};
use tenant::{Refusal as R, Scope};

use super::{Path, both, counted, keyed, ours, refuses};
use crate::document::openapi::operation::{Access, Body, Operation};
use crate::document::openapi::parts::{answer, schema};
use crate::document::openapi::refusals::malformed;
use crate::inbound::metering::seen_revision;
use crate::problem::Problem;

const TAG: &str = "operations";
const REPLAYED: &[&str] = &["Idempotency-Replayed"];

pub(super) fn paths() -> Vec<Path> {
    vec![
        both("/admin/pause", [pause()]),
        both("/admin/unpause", [unpause()]),
        both("/admin/status", [status()]),
        both("/admin/reset", [reset()]),
        both("/config", [configuration(), configure()]),
        both("/metrics", [metrics()]),
        both("/stats", [stats()]),
        both("/health/ready", [ready()]),
        both("/health/deep", [deep()]),
        both("/version", [open("getVersion", "See what runs here", "VersionAnswer")]),
        both("/changelog", [open("getChangelog", "Read what has changed", "ChangelogAnswer")]),
        ours("/operator/drain", [drain()]),
    ]
}

fn admin(method: &'static str, id: &'static str, summary: &'static str) -> Operation {
    keyed(method, TAG, id, summary, Some(Scope::Admin))
}

fn pause() -> Operation {
    admin("post", "pause", "Stop all writes of yours")
        .about("Reads go on, and so do keys and this. Paused again, the first reason stays.")
        .body(Body::Optional("PauseBody"))
        .answers("200", counted("It is paused.", schema("TenantView"), REPLAYED))
}

fn unpause() -> Operation {
    admin("post", "unpause", "Take writes again")
        .body(Body::Optional("EmptyBody"))
        .answers("200", counted("As it stands now.", schema("TenantView"), REPLAYED))
}

fn status() -> Operation {
    admin("get", "getStatusOfTenant", "See whether you are paused")
        .answers("200", counted("As it stands.", schema("TenantView"), &[]))
}

fn reset() -> Operation {
    admin("post", "resetTenant", "Begin anew, in development")
        .about("Services, webhooks and meters are gone, and of the keys all but the one that asks. Where it is not allowed there is no such route.")
        .body(Body::Optional("EmptyBody"))
        .answers("200", counted("As it stands now.", schema("TenantView"), REPLAYED))
        .refuses([Problem::new(404, "not_found", "")])
        .refuses(refuses(&[R::LastAdminKey]))
}

fn configuration() -> Operation {
    admin("get", "getConfig", "See what is set")
        .answers("200", counted("What is set.", schema("ConfigView"), &["ETag"]))
}

fn configure() -> Operation {
    admin("patch", "changeConfig", "Set something")
        .about("What is left out stays. If-Match says that you have seen what you change.")
        .named(&["NeededIfMatch"])
        .body(Body::Needed("ConfigBody"))
        .answers("200", counted("What is set now.", schema("ConfigView"), &["ETag", "Idempotency-Replayed"]))
        .refuses(refuses(&[
            R::RevisionChanged { revision: 0 },
            R::InvalidConfiguration { field: String::new() },
        ]))
        .refuses([seen_revision(None).err(), seen_revision(Some("")).err()].into_iter().flatten())
}

fn metrics() -> Operation {
    let mut text = counted("Figures, in the text format of Prometheus 0.0.4.", Value::Null, &[]);
    if let Some(fields) = text.as_object_mut() {
        fields.insert("content".to_owned(), json!({ "text/plain": { "schema": { "type": "string" } } }));
    }
    keyed("get", TAG, "getMetrics", "Read figures as a monitor does", Some(Scope::UsageRead))
        .about("Those of the tenant outlive everything; those that say `isolate` count what the isolate that answers has answered since it began.")
        .answers("200", text)
        .refuses([malformed()])
}

fn stats() -> Operation {
    keyed("get", TAG, "getStats", "See yourself in figures", Some(Scope::UsageRead))
        .answers("200", counted("The figures.", schema("StatsAnswer"), &[]))
        .refuses([malformed()])
}

fn open(id: &'static str, summary: &'static str, kind: &str) -> Operation {
    Operation::new("get", TAG, id, summary, Access::Open).answers("200", answer("It.", schema(kind), &[]))
}

fn ready() -> Operation {
    open("getReadiness", "See whether new traffic should come here", "ReadyAnswer")
        .answers("503", answer("It should go elsewhere.", schema("ReadyAnswer"), &["Retry-After"]))
}

fn deep() -> Operation {
    open("getDeepHealth", "See whether everything answers", "DeepHealth").answers(
        "503",
        answer("Something does not; `checks` says what.", schema("DeepHealth"), &["Retry-After"]),
    )
}

fn drain() -> Operation {
    Operation::new(
        "post",
        TAG,
        "drain",
        "Send new traffic elsewhere, or back, as the operator",
        Access::Operator,
    )
    .about("Readiness says so; everything else goes on.")
    .body(Body::Needed("DrainBody"))
    .answers("200", answer("What readiness says now.", schema("ReadyAnswer"), super::RATE))
}
