//! Metering and billing. Paths of the earlier service, under `/api/v1`, refer to the same path under `/v1`.

mod billing;
mod kinds;
mod lists;
mod operations;
mod parts;
mod schemas;
mod services;
mod tenants;
mod usage;

use serde_json::{Map, Value, json};
use tenant::{Refusal, Scope};

use super::operation::{Access, Operation};
use super::parts::answer;
use super::refusals::no_such_path;
use crate::inbound::metering as inbound;
use crate::outbound::metering::{key_reused, tenant_problem};
use crate::problem::Problem;

pub(super) use parts::{headers, parameters, security_schemes};
pub(super) use schemas::schemas;

/// Beside every answer to a key.
const RATE: &[&str] = &["RateLimit", "RateLimit-Policy"];

/// One path: its operations, and whether the earlier service has it, too.
struct Path {
    path: &'static str,
    is_published: bool,
    operations: Vec<Operation>,
}

/// A path of ours alone.
fn ours(path: &'static str, operations: impl IntoIterator<Item = Operation>) -> Path {
    Path { path, is_published: false, operations: operations.into_iter().collect() }
}

/// A path that the earlier service has, too.
fn both(path: &'static str, operations: impl IntoIterator<Item = Operation>) -> Path {
    Path { path, is_published: true, operations: operations.into_iter().collect() }
}

pub(super) fn paths() -> Map<String, Value> {
    let mut all = Map::new();
    let paths = [tenants::paths(), services::paths(), usage::paths(), billing::paths(), lists::paths()];
    for Path { path, is_published, operations } in paths.into_iter().flatten().chain(operations::paths()) {
        let item: Map<String, Value> = operations.into_iter().flat_map(Operation::item).collect();
        all.insert(format!("/v1{path}"), Value::Object(item));
        if is_published {
            all.insert(format!("/api/v1{path}"), same_as(&format!("/v1{path}")));
        }
    }
    all.insert("/api/v1/agents".to_owned(), Value::Object(lists::agents().item()));
    all.insert("/api/v1/openapi.json".to_owned(), same_as("/v1/openapi.json"));
    all
}

/// The path item of another path.
fn same_as(path: &str) -> Value {
    let pointer = path.replace('~', "~0").replace('/', "~1");
    json!({ "$ref": format!("#/paths/{pointer}") })
}

/// What a key with this scope may ask; with none, every key.
fn keyed(
    method: &'static str,
    tag: &'static str,
    id: &'static str,
    summary: &'static str,
    scope: Option<Scope>,
) -> Operation {
    let missing = scope.map(|scope| tenant_problem(&Refusal::MissingScope { scope }));
    Operation::new(method, tag, id, summary, Access::Key).refuses(missing)
}

/// An answer to a key.
fn counted(description: &str, schema: Value, headers: &[&'static str]) -> Value {
    answer(description, schema, &[headers, RATE].concat())
}

/// What a tenant refuses with these.
fn refuses(refusals: &[Refusal]) -> Vec<Problem> {
    refusals.iter().map(tenant_problem).collect()
}

/// A path whose parts can be none of their kind.
fn placed(operation: Operation, names: &[&str]) -> Operation {
    operation.named(names).refuses([no_such_path()])
}

/// What is done once under one key.
fn once(operation: Operation) -> Operation {
    operation
        .named(&["IdempotencyKey"])
        .refuses([key_reused()])
        .refuses(inbound::operation(Some(""), "", "", &Value::Null).err())
}
