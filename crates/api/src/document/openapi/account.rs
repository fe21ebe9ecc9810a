//! What an owner keeps for itself: names of agents, and drafts of mandates.

use account::Refusal;
use serde_json::{Map, Value};

use super::operation::{Access, Body, Operation};
use super::parts::{answer, schema, with_correlation};
use super::refusals::no_such_path;
use crate::inbound::account::{new_draft, seen};
use crate::outbound::account::refused;
use crate::problem::Problem;

pub(super) fn paths() -> Map<String, Value> {
    let mut all = Map::new();
    for (ours, older, operations) in [
        ("/v1/agents", "/api/agents", vec![agents(), name_agent()]),
        ("/v1/agents/{agent}", "/api/agents/{agent}", vec![forget_agent()]),
        ("/v1/drafts", "/api/mandates/draft", vec![drafts(), create_draft()]),
        ("/v1/drafts/{draft}", "/api/mandates/draft/{draft}", vec![change_draft(), discard_draft()]),
    ] {
        let own: Map<String, Value> = operations.iter().cloned().flat_map(Operation::item).collect();
        all.insert(ours.to_owned(), Value::Object(own));
        all.insert(older.to_owned(), operations.into_iter().flat_map(Operation::older).collect());
    }
    all
}

fn operation(method: &'static str, id: &str, summary: &'static str) -> Operation {
    Operation::new(method, "owners", id, summary, Access::Account)
}

fn gone(description: &str) -> Value {
    serde_json::json!({ "description": description, "headers": with_correlation(&[]) })
}

fn agents() -> Operation {
    // Which it is, the key in the request says: an empty page is both.
    let either = serde_json::json!({ "anyOf": [schema("AgentsAnswer"), schema("UsedByAgents")] });
    operation("get", "listAgents", "List the agents to which you gave names")
        .about("With an API key instead it is listMeteredAgents: who has used anything of the tenant's.")
        .answers("200", answer("All of them, newest first; or a page of those who are metered.", either, &[]))
}

fn name_agent() -> Operation {
    operation("post", "nameAgent", "Give an agent a private name")
        .about("Another name for the same agent takes the place of the first.")
        .body(Body::Needed("AgentBody"))
        .answers("200", answer("The name is kept.", schema("AgentAnswer"), &[]))
        .refuses([refused(&Refusal::TooManyAgents)])
}

fn forget_agent() -> Operation {
    operation("delete", "forgetAgent", "Forget an agent's name")
        .about("Its mandates stay.")
        .named(&["AgentAddress"])
        .answers("204", gone("It is forgotten."))
        .refuses([refused(&Refusal::UnknownAgent), no_such_path()])
}

fn drafts() -> Operation {
    operation("get", "listDrafts", "List your drafts of mandates")
        .answers("200", answer("All of them, newest first.", schema("DraftsAnswer"), &[]))
}

fn create_draft() -> Operation {
    operation("post", "createDraft", "Keep a mandate that is being thought about")
        .about("It is kept and not judged. Idempotency-Key, if it is sent, makes it one draft however often it is sent.")
        .named(&["IdempotencyKey"])
        .body(Body::Needed("DraftBody"))
        .answers("201", answer("It is kept.", schema("DraftAnswer"), &["ETag"]))
        .answers("200", answer("It was kept before under this key.", schema("DraftAnswer"), &["ETag", "Idempotency-Replayed"]))
        .refuses([refused(&Refusal::TooManyDrafts), refused(&Refusal::KeyReused)])
        .refuses(no_key())
}

fn no_key() -> Option<Problem> {
    new_draft(Default::default(), Some(""), [0; 16]).err()
}

fn change_draft() -> Operation {
    operation("patch", "changeDraft", "Change a draft")
        .about("With If-Match only if nobody else has changed it.")
        .named(&["DraftId", "IfMatch"])
        .body(Body::Needed("DraftPatch"))
        .answers("200", answer("As it is now.", schema("DraftAnswer"), &["ETag"]))
        .refuses([refused(&Refusal::UnknownDraft), refused(&Refusal::VersionConflict { version: 1 })])
        .refuses(seen(Some("")).err())
}

fn discard_draft() -> Operation {
    operation("delete", "discardDraft", "Discard a draft")
        .named(&["DraftId"])
        .answers("204", gone("It is discarded."))
        .refuses([refused(&Refusal::UnknownDraft)])
}
