//! Browser executors, and what else is looked at for runs.

use run::{Refusal, Value as Given};
use serde_json::{Map, Value, json};

use super::operation::{Access, Body, Operation};
use super::parts::{answer, schema, with_correlation};
use super::runs::upgrade_required;
use crate::inbound::run::{balances as asked_for, poll, socket as wanted};
use crate::outbound::run::{demo as plays, no_such_secret, refused};

const TAG: &str = "executors";

pub(super) fn paths() -> Map<String, Value> {
    let mut all = Map::new();
    for (path, operation) in [
        ("/executors", register()),
        ("/executors/me", show()),
        ("/executors/me/commands", commands()),
        ("/chain/balances", balances()),
        ("/demo", demo()),
    ] {
        all.insert(format!("/v1{path}"), Value::Object(operation.clone().item()));
        all.insert(format!("/agent{path}"), Value::Object(operation.by_agent_path()));
    }
    for (path, operation) in [
        ("/v1/executors/me/socket", socket()),
        ("/v1/executors/me/ticket", ticket()),
        ("/v1/executors/protocol.json", protocol()),
    ] {
        all.insert(path.to_owned(), Value::Object(operation.item()));
    }
    all
}

fn mine(method: &'static str, id: &str, summary: &'static str) -> Operation {
    Operation::new(method, TAG, id, summary, Access::Executor).refuses([no_such_secret()])
}

fn register() -> Operation {
    Operation::new("post", TAG, "registerExecutor", "Set up a browser executor", Access::Open)
        .about("A few in ten minutes and some dozens in a day from one address; then 429 with Retry-After.")
        .body(Body::Optional("Registration"))
        .answers("201", answer("Its id and its secret.", schema("ExecutorRegistered"), &[]))
}

fn show() -> Operation {
    mine("get", "getExecutor", "Look at yourself, as an executor")
        .answers("200", answer("As it stands.", schema("ExecutorAnswer"), &[]))
}

fn commands() -> Operation {
    mine("get", "pollCommands", "Take commands")
        .about(
            "Waits for one if there is none, as long as `wait` says. What is given out is given out again unless STARTED or \
             another result comes within half a minute.",
        )
        .named(&["Wait", "CommandLimit"])
        .filter(
            "parked",
            "Whether those that wait for the user are meant, too.",
            json!({ "type": "boolean", "default": false }),
        )
        .answers("200", answer("The commands, perhaps none.", schema("CommandsAnswer"), &[]))
        .refuses(poll([("", String::new())].into_iter()).err())
}

fn socket() -> Operation {
    let open = json!({
        "description": "The socket is open. Each message is an ExecutorFrame. `{\"type\":\"ping\"}` says that you are there, and is answered with `{\"type\":\"pong\"}`; results go to the run.",
        "headers": with_correlation(&[]),
    });
    Operation::new(
        "get",
        TAG,
        "openExecutorSocket",
        "Be sent commands over a WebSocket",
        Access::ExecutorSocket,
    )
    .about("Offer the subprotocol guildhall.executor.v1, or none.")
    .named(&["Upgrade"])
    .filter("executor", "Beside a ticket: the executor that it was issued to.", schema("ExecutorId"))
    .named(&["Ticket"])
    .answers("101", open)
    .refuses([upgrade_required()])
    .refuses(wanted([("", String::new())].into_iter()).err())
}

fn ticket() -> Operation {
    mine("post", "issueExecutorTicket", "Get a one-time ticket to the socket")
        .about("For browsers, whose sockets send no headers. It opens one socket within a minute.")
        .answers("201", answer("The ticket.", schema("StreamTicket"), &[]))
}

fn protocol() -> Operation {
    let schemas = json!({
        "description": "JSON Schema 2020-12 of AgentBrowserCommand and BrowserResult.",
        "headers": with_correlation(&[]),
        "content": { "application/schema+json": { "schema": { "type": "object" } } },
    });
    Operation::new("get", TAG, "getExecutorProtocol", "The browser command protocol", Access::Open)
        .answers("200", schemas)
}

fn balances() -> Operation {
    Operation::new("get", TAG, "getBalances", "Say what an address holds", Access::Open)
        .about("Read from the chain that payments are looked for on; in development without one, simulated.")
        .filter(
            "address",
            "Whose.",
            json!({ "type": "string", "minLength": 1, "maxLength": run::limits::ADDRESS_BYTES }),
        )
        .answers("200", answer("What it holds.", schema("BalancesAnswer"), &[]))
        .refuses([refused(&Refusal::Malformed(Given::Wallet))])
        .refuses(asked_for([("", String::new())].into_iter()).err())
}

fn demo() -> Operation {
    Operation::new("get", TAG, "getDemo", "Name the executor that plays its part", Access::Open)
        .answers("200", answer("It is here.", schema("DemoAnswer"), &[]))
        .refuses(plays(None).err())
}
