//! Purchase runs.

use run::Refusal;
use serde_json::{Map, Value, json};

use super::operation::{Access, Body, Operation};
use super::parts::{answer, schema, with_correlation};
use super::refusals::no_such_path;
use crate::inbound::run::{new_run, reading, watching};
use crate::outbound::run::{no_such_executor, refused};
use crate::problem::Problem;

const TAG: &str = "runs";
/// Beside an answer that may repeat an earlier one.
const REPLAYED: &[&str] = &["Idempotency-Replayed"];

pub(super) fn paths() -> Map<String, Value> {
    let mut all = Map::new();
    for (path, operation) in [
        ("/runs", create()),
        ("/runs/{run}", show()),
        ("/runs/{run}/events", events()),
        ("/runs/{run}/ticket", ticket()),
        ("/runs/{run}/browser-result", browser_result()),
        ("/runs/{run}/wallet-state", wallet_state()),
        ("/runs/{run}/confirm", confirm()),
        ("/runs/{run}/payment", payment()),
        ("/runs/{run}/cancel", cancel()),
        ("/runs/{run}/executor", rebind()),
        ("/runs/{run}/journal", journal()),
    ] {
        all.insert(format!("/v1{path}"), Value::Object(operation.clone().item()));
        all.insert(format!("/agent{path}"), Value::Object(operation.by_agent_path()));
    }
    all.insert("/v1/runs/{run}/socket".to_owned(), Value::Object(socket().item()));
    all
}

/// What a run refuses with these.
fn refuses(refusals: &[Refusal]) -> Vec<Problem> {
    refusals.iter().map(refused).collect()
}

/// There is no such run, or it is another's.
fn no_run() -> Vec<Problem> {
    vec![refused(&Refusal::Unknown), no_such_path()]
}

fn of_one(method: &'static str, id: &str, summary: &'static str, access: Access) -> Operation {
    Operation::new(method, TAG, id, summary, access).named(&["RunId"]).refuses(no_run())
}

/// What its owner has it do.
fn act(id: &str, summary: &'static str) -> Operation {
    of_one("post", id, summary, Access::RunOwner)
        .answers("200", answer("Done, now or before.", schema("RunAnswer"), REPLAYED))
}

/// It is over, or so near to it that nothing can be done.
fn over() -> Refusal {
    Refusal::Over(run::RunState::Cancelled)
}

fn create() -> Operation {
    Operation::new("post", TAG, "createRun", "Have something bought", Access::Buyer)
        .about(
            "The run goes on by itself as far as it can: it searches the market, has its executor look at the cheapest \
             offer, prepares the checkout, and asks for a wallet and for a yes; `nextAction` says what is to be done, and by \
             whom. With Idempotency-Key it is one run however often it is sent, and its token is issued anew until it is \
             used; whoever knows the key is given it, so choose one that nobody guesses. Under a mandate the request is \
             signed by its agent or its owner, and below its approval threshold nobody is asked.",
        )
        .named(&["RunKey"])
        .body(Body::Needed("CreateRun"))
        .answers("201", answer("The run, and its token.", schema("RunCreated"), REPLAYED))
        .refuses(new_run(Some(""), [0; 16]).err())
        .refuses(refuses(&[Refusal::AnotherCreation, Refusal::TokenUsed, Refusal::RealNotAvailable]))
        .refuses([
            no_such_executor(&primitives::ExecutorId::derive(&[])),
            Problem::new(422, "simulated_wallet_off", ""),
            Problem::new(422, "custody_unsupported", ""),
            Problem::new(403, "not_party", ""),
            Problem::new(404, "unknown_mandate", ""),
        ])
}

fn show() -> Operation {
    of_one("get", "getRun", "Look at a run with what has happened to it", Access::RunOwner)
        .about("Without `after` its newest events.")
        .named(&["After", "EventLimit"])
        .answers("200", answer("As it stands.", schema("RunHistory"), &[]))
        .refuses(reading([("", String::new())].into_iter()).err())
}

fn events() -> Operation {
    let mut both = answer(
        "A page of events; or with `Accept: text/event-stream`, or a ticket, all of them as they happen. Each server-sent \
         event is `event: run-event` with the event's number as its id, or `event: reset` without one where the reader's \
         place is none of this run's. Comments keep the stream open; it ends after five minutes, and the reader goes on \
         with Last-Event-ID.",
        schema("RunEventsAnswer"),
        &[],
    );
    if let Some(content) = both.get_mut("content").and_then(Value::as_object_mut) {
        let data = json!({ "type": "string", "contentMediaType": "application/json", "contentSchema": schema("RunFrame") });
        content.insert("text/event-stream".to_owned(), json!({ "schema": data }));
    }
    let done = json!({
        "description": "The run is over, and the reader of the stream has all of it: no need to connect again.",
        "headers": with_correlation(&[]),
    });
    of_one("get", "watchRun", "Read a run's events, or watch them", Access::Watcher)
        .named(&["After", "EventLimit", "LastEventId", "Ticket"])
        .answers("200", both)
        .answers("204", done)
        .refuses(watching([("", String::new())].into_iter(), None).err())
}

fn socket() -> Operation {
    let open = json!({
        "description": "The socket is open. Each message is a RunFrame; nothing that is sent to it is read. It is closed with 1000 once the run is over.",
        "headers": with_correlation(&[]),
    });
    of_one("get", "openRunSocket", "Watch a run over a WebSocket", Access::Watcher)
        .about("Offer the subprotocol guildhall.run.v1, or none. Of more than 500 events only where the run stands is sent.")
        .named(&["Upgrade", "After", "Ticket"])
        .answers("101", open)
        .refuses([upgrade_required()])
        .refuses(watching([("", String::new())].into_iter(), None).err())
}

/// The request is none for a WebSocket.
pub(super) fn upgrade_required() -> Problem {
    Problem::new(426, "upgrade_required", "")
}

fn ticket() -> Operation {
    of_one("post", "issueRunTicket", "Get a one-time ticket to a stream", Access::RunOwner)
        .about("For readers that send no headers: EventSource and WebSocket of browsers. It opens one stream within a minute.")
        .answers("201", answer("The ticket.", schema("StreamTicket"), &[]))
}

fn browser_result() -> Operation {
    of_one(
        "post",
        "reportBrowserResult",
        "Come back with the result of a command, as the executor",
        Access::Executor,
    )
    .about("The same result again is a replay. STARTED and NEEDS_USER leave the command pending.")
    .body(Body::Needed("BrowserResult"))
    .answers("200", answer("It is taken.", schema("ResultAccepted"), REPLAYED))
    .refuses(refuses(&[
        Refusal::WrongExecutor,
        Refusal::UnknownCommand,
        Refusal::CommandAnswered,
        Refusal::CommandWithdrawn,
        Refusal::WrongResult { expected: String::new() },
        Refusal::TooManyAsks,
        Refusal::Malformed(run::Value::Cart),
        over(),
    ]))
}

fn wallet_state() -> Operation {
    act("reportWallet", "Say what the wallet says of itself")
        .about("Another wallet before the payment is authorized has the checkout read again.")
        .body(Body::Needed("WalletBody"))
        .refuses(refuses(&[
            Refusal::Malformed(run::Value::Wallet),
            Refusal::WalletReportStale,
            Refusal::TooManyChecks,
            over(),
        ]))
}

fn confirm() -> Operation {
    of_one("post", "confirmRun", "Agree to exactly what is asked, or to nothing", Access::Consenter)
        .about(
            "`payment.confirmation` says what is asked, and whom: `run_owner` answers with the run's token, `mandate_owner` \
             with a signed request and without one. A yes that comes before its question is kept for it.",
        )
        .body(Body::Needed("ConfirmBody"))
        .answers("200", answer("Done, now or before.", schema("RunAnswer"), REPLAYED))
        .refuses(refuses(&[
            Refusal::ConfirmationMismatch,
            Refusal::ConfirmationOver,
            Refusal::NothingToConfirm,
            Refusal::OwnerSignatureRequired,
            over(),
        ]))
}

fn payment() -> Operation {
    act("submitPayment", "Say that the wallet has paid")
        .about(
            "A transaction pays for one run. One that comes before the payment is authorized is kept for it.",
        )
        .body(Body::Needed("PaymentBody"))
        .refuses(refuses(&[
            Refusal::Malformed(run::Value::Signature),
            Refusal::NothingToPay,
            Refusal::SignatureUsed,
            Refusal::PaymentUnderWay,
            Refusal::AlreadyPaid,
            over(),
        ]))
}

fn cancel() -> Operation {
    act("cancelRun", "Stop a run")
        .about(
            "Nothing is charged. While the wallet may be paying, the payment is looked for first; if it is found, the run \
             goes on.",
        )
        .body(Body::Optional("EmptyBody"))
        .refuses(refuses(&[Refusal::PaymentUnderWay, Refusal::AlreadyPaid, over()]))
}

fn rebind() -> Operation {
    act("rebindRun", "Have another executor look at the shops")
        .about("What the first one read is dropped, unless it was paid.")
        .body(Body::Needed("RebindBody"))
        .refuses([no_such_executor(&primitives::ExecutorId::derive(&[]))])
        .refuses(refuses(&[over()]))
}

fn journal() -> Operation {
    of_one("get", "getRunJournal", "Read all that was recorded, with its hash chain", Access::RunOwner)
        .about(
            "Each hash is SHA-256 of the previous hash (32 bytes, zero before the first) and the JSON of {at, \
             correlation_id, event, seq} with sorted keys and without spaces. An event is shown as it was recorded, so its \
             fields have the names of the journal.",
        )
        .answers("200", answer("Every event, oldest first.", schema("RunJournalAnswer"), &[]))
}
