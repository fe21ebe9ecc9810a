//! Mandates as a whole: made, looked at and changed by their owners.

use mandate::Reason;
use mandate::life::Bound;
use serde_json::{Map, Value};

use super::operation::{Access, Body, Operation};
use super::parts::{answer, schema};
use super::refusals::{beyond, by_contract, malformed, no_mandate, policy, rules};
use crate::inbound::mandate::{idempotency_key, key_reused, mandate_missing, no_contract, not_on_chain};
use crate::problem::Problem;

const TAG: &str = "mandates";
/// Beside an answer that may repeat an earlier one.
const REPLAYED: &[&str] = &["Idempotency-Replayed"];

pub(super) fn paths() -> Map<String, Value> {
    let of_one = |path: &str| format!("/v1/mandates/{{mandate}}{path}");
    let mut all: Vec<(String, Map<String, Value>)> = vec![
        ("/v1/status".to_owned(), status().item()),
        ("/api/status".to_owned(), status().older()),
        ("/v1/mandates".to_owned(), list().item().into_iter().chain(create().item()).collect()),
        ("/api/mandates".to_owned(), list().older().into_iter().chain(create().older()).collect()),
        ("/v1/mandates/adopt".to_owned(), adopt().item()),
        (of_one(""), show().item()),
        ("/api/mandates/{mandate}".to_owned(), show().older()),
        (of_one("/entries"), entries().item()),
        (of_one("/budget"), budget().item()),
        (of_one("/evaluate"), evaluate().item()),
        ("/v1/agent/evaluate".to_owned(), agent_evaluate("evaluateAsAgent").item()),
        ("/api/agent/evaluate".to_owned(), agent_evaluate("evaluateAsAgent").older()),
    ];
    all.extend(changes().into_iter().map(|(path, change)| (of_one(path), change.item())));
    all.into_iter().map(|(path, item)| (path, Value::Object(item))).collect()
}

fn mandate(description: &str) -> Value {
    answer(description, schema("Mandate"), REPLAYED)
}

fn status() -> Operation {
    Operation::new("get", TAG, "getStatus", "Say what is to be known before anything is signed", Access::Open)
        .about("The chain, the token, the domain of what is signed (EIP-712), and what one mandate can hold.")
        .answers("200", answer("This deployment.", schema("StatusReport"), &[]))
}

fn create() -> Operation {
    Operation::new("post", TAG, "createMandate", "Make a mandate for an agent", Access::Account)
        .about(
            "Whoever asks is its owner. The owner and the salt make its id, and without a salt Idempotency-Key does: the \
             same body with the same salt or key is the same mandate. It holds no money until it is funded.",
        )
        .named(&["IdempotencyKey"])
        .body(Body::Needed("CreateMandate"))
        .answers("201", answer("It is made.", schema("Mandate"), &[]))
        .answers("200", mandate("It was made before by the same body."))
        .refuses(no_key())
        .refuses([key_reused()])
        .refuses(policy())
        .refuses(rules(&[Reason::MandateExists, Reason::ZeroAgent, Reason::AgentIsOwner, Reason::AmendDelay]))
}

fn adopt() -> Operation {
    Operation::new("post", TAG, "adoptMandate", "Have a mandate of the contract shown and served here", Access::Account)
        .about(
            "For its owner, where /v1/status names `contract` among the custodies. The contract keeps the money and the last \
             word; here it is asked beforehand, requests are signed and sent on, and what only a transaction does is \
             refused as custody_of_contract, with the call to send.",
        )
        .body(Body::Needed("Adopt"))
        .answers("201", answer("It is served from now on.", schema("Mandate"), &[]))
        .answers("200", mandate("It was adopted before."))
        .refuses([no_contract(), not_on_chain()])
        .refuses(rules(&[Reason::NotPermitted]))
}

fn no_key() -> Option<Problem> {
    idempotency_key(None).err()
}

fn list() -> Operation {
    Operation::new("get", TAG, "listMandates", "List your mandates, newest first", Access::Account)
        .about(super::PAGES)
        .filter("status", "Only those that stand so.", schema("MandateStatus"))
        .named(&["PageLimit", "PageCursor"])
        .answers("200", answer("A page.", schema("MandatesAnswer"), &[]))
        .refuses([malformed()])
}

fn show() -> Operation {
    Operation::new("get", TAG, "getMandate", "Look at a mandate", Access::Seen)
        .about("Its label is shown to its owner alone.")
        .named(&["MandateId"])
        .answers("200", answer("As it stands.", schema("Mandate"), &[]))
        .refuses(no_mandate())
}

fn entries() -> Operation {
    Operation::new("get", TAG, "listEntries", "List whom the agent may pay for what", Access::Seen)
        .about("Of the entries that fit a recipient and a service, the most specific one counts.")
        .named(&["MandateId", "PageLimit", "PageCursor"])
        .answers("200", answer("A page.", schema("EntriesAnswer"), &[]))
        .refuses(no_mandate())
        .refuses([malformed()])
}

fn budget() -> Operation {
    Operation::new("get", TAG, "getBudget", "Say how much may still be authorized", Access::Seen)
        .named(&["MandateId"])
        .filter("recipient", "For payments to this recipient.", schema("Address"))
        .filter("service", "For this service.", schema("Service"))
        .answers("200", answer("Rule by rule.", schema("BudgetAnswer"), &[]))
        .refuses(no_mandate())
        .refuses([malformed()])
}

fn evaluate() -> Operation {
    Operation::new("post", TAG, "evaluate", "Ask beforehand what would become of a payment", Access::Seen)
        .about(
            "Judged as if the agent had signed and, where one is needed, the owner had approved. Changes and reserves \
             nothing. Of recipient, service and amount it makes a whole request, and shows what the agent signs.",
        )
        .named(&["MandateId"])
        .body(Body::Needed("Ask"))
        .answers("200", answer("Every rule with its numbers, and the whole request.", schema("Evaluation"), &[]))
        .refuses(no_mandate())
}

fn agent_evaluate(id: &str) -> Operation {
    Operation::new("post", "agents", id, "Ask beforehand, with the mandate in the body", Access::Seen)
        .about("As evaluate; `mandate` or `request.mandate` names the mandate.")
        .body(Body::Needed("Ask"))
        .answers(
            "200",
            answer("Every rule with its numbers, and the whole request.", schema("Evaluation"), &[]),
        )
        .refuses(rules(&[Reason::UnknownMandate]))
        .refuses([mandate_missing()])
}

/// What changes a mandate as a whole, by the last part of its path.
fn changes() -> Vec<(&'static str, Operation)> {
    vec![
        ("/fund", fund()),
        ("/withdraw", withdraw()),
        (
            "/pause",
            stop("pauseMandate", "Stop authorizations until further notice", Access::Account)
                .refuses(rules(&[Reason::NotPermitted, Reason::Paused, Reason::Revoked])),
        ),
        (
            "/unpause",
            stop("unpauseMandate", "Let authorizations go on", Access::Account).refuses(rules(&[
                Reason::NotPermitted,
                Reason::NotPaused,
                Reason::Revoked,
            ])),
        ),
        (
            "/revoke",
            stop("revokeMandate", "Stop authorizations for ever, as the owner", Access::Account)
                .about("What is escrowed goes its way; what is free can be withdrawn.")
                .refuses(rules(&[Reason::NotPermitted, Reason::Revoked])),
        ),
        (
            "/renounce",
            stop("renounceMandate", "Stop authorizations for ever, as the agent", Access::Signature)
                .refuses(rules(&[Reason::NotPermitted, Reason::Revoked])),
        ),
        ("/amend", amend()),
        ("/apply-amendment", apply_amendment()),
        (
            "/cancel-amendment",
            stop("cancelAmendment", "Forget the amendment that waits", Access::Account)
                .refuses(rules(&[Reason::NotPermitted, Reason::NoAmendment])),
        ),
    ]
}

fn change(id: &str, summary: &'static str, access: Access) -> Operation {
    Operation::new("post", TAG, id, summary, access)
        .named(&["MandateId"])
        .refuses(no_mandate())
        .refuses([by_contract()])
}

fn stop(id: &str, summary: &'static str, access: Access) -> Operation {
    change(id, summary, access).body(Body::Optional("EmptyBody")).answers("200", mandate("Done."))
}

fn money(id: &str, summary: &'static str) -> Operation {
    change(id, summary, Access::Account)
        .named(&["NeededIdempotencyKey"])
        .body(Body::Needed("Amount"))
        .answers("200", mandate("Done, now or before under the same key."))
        .refuses(no_key())
        .refuses([key_reused()])
        .refuses(rules(&[Reason::NotPermitted, Reason::ZeroAmount]))
}

fn fund() -> Operation {
    money("fundMandate", "Say that money came in").refuses(rules(&[Reason::AmountTooLarge]))
}

fn withdraw() -> Operation {
    money("withdrawFromMandate", "Take out money that nothing has reserved")
        .refuses(rules(&[Reason::Withdrawal]))
}

fn amend() -> Operation {
    change("amendMandate", "Replace the policy, and add or change entries", Access::Account)
        .about(
            "What only tightens is in force at once. All else waits for amendDelaySeconds, during which the agent's \
             providers can rely on the policy that they saw; the same body then goes to apply-amendment. Requests that \
             wait under the former policy expire.",
        )
        .body(Body::Needed("Amend"))
        .answers("200", mandate("It is in force."))
        .answers("202", mandate("It waits until pendingAmendment.effectiveAt."))
        .refuses(written())
        .refuses(rules(&[Reason::NotPermitted]))
}

fn apply_amendment() -> Operation {
    change("applyAmendment", "Put the amendment that waits in force", Access::Account)
        .about("The body is that of amend. Anyone who proves an account may do it.")
        .body(Body::Needed("Amend"))
        .answers("200", mandate("It is in force."))
        .refuses(written())
        .refuses(rules(&[Reason::NoAmendment, Reason::AmendmentEarly]))
}

/// What is refused of a policy that is to take another's place.
fn written() -> Vec<Problem> {
    let mut all = policy();
    all.extend(rules(&[Reason::PolicyVersion, Reason::Revoked]));
    all.extend(beyond(&[Bound::Entries]));
    all
}
