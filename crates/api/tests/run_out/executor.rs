//! Executors and their queues.

use api::outbound::run::{
    balances, commands, demo, executor as shown, gate_refused, order, queue_refused, queued, registered,
};
use api::settings::{Runs, Settings};
use executor::{Command, Refusal, State, apply, decide, gate};
use primitives::{BaseUnits, Digest, UnixMillis};
use run::Task;
use serde_json::json;

use crate::cast::*;

/// A queue after these commands.
fn lived(commands: Vec<(Command, UnixMillis)>) -> State {
    commands.into_iter().fold(State::default(), |state, (command, now)| {
        let events = decide(&state, command, now).unwrap();
        events.iter().fold(state, |state, event| apply(state, event).unwrap())
    })
}

fn registration() -> (Command, UnixMillis) {
    let label = Some("laptop".parse().unwrap());
    (Command::Register { secret: Digest::of(&[b"s"]), label }, START)
}

#[test]
fn an_executor_says_what_it_does() {
    assert_eq!(shown(&executor(), &State::default(), START), None);
    let idle = lived(vec![registration()]);
    let expected = |status: &str, pending| {
        json!({
            "executorId": executor(),
            "label": "laptop",
            "status": status,
            "lastSeenAt": "2027-01-01T00:00:00.000Z",
            "pending": pending,
        })
    };
    assert_eq!(json!(shown(&executor(), &idle, at(1))), expected("idle", 0));
    assert_eq!(json!(shown(&executor(), &idle, at(3_600))), expected("offline", 0));
    let enqueue = Command::Enqueue { order: order(&id(), &revalidation()).unwrap() };
    let busy = lived(vec![registration(), (enqueue, at(1))]);
    assert_eq!(json!(shown(&executor(), &busy, at(2))), expected("busy", 1));
    let text = json!(shown(&executor(), &busy, at(2))).to_string();
    assert!(!text.contains(&Digest::of(&[b"s"]).to_string()), "S4: {text}");
}

/// Commands are counted within their runs, and lie in one queue.
#[test]
fn orders_of_two_runs_have_two_names() {
    let other = primitives::RunId::derive(&[b"another run"]);
    let one = order(&id(), &revalidation()).unwrap();
    let two = order(&other, &revalidation()).unwrap();
    assert_ne!(one.command_id, two.command_id);
    assert_eq!(one.command_id, queued(&id(), "cmd_5").unwrap());
    assert_eq!(one.command_id.as_str(), format!("{}.cmd_5", id()));
    assert_eq!((&one.run, one.until), (&id(), at(600)));
    assert!(queued(&id(), "a command\u{7}").is_err());
}

#[test]
fn what_was_put_into_a_queue_is_given_out() {
    let asked = [revalidation(), command(Task::PrepareCheckout), command(Task::VerifyOrder)];
    let orders: Vec<_> = asked.iter().map(|asked| order(&id(), asked).unwrap()).collect();
    let given = commands(&orders.iter().collect::<Vec<_>>()).unwrap();
    assert_eq!(given.protocol_version, "1");
    let expected: Vec<_> = asked.iter().map(|asked| api::outbound::run::command(&id(), asked)).collect();
    assert_eq!(given.commands, expected);
    assert_eq!(json!(commands(&[]).unwrap()), json!({ "commands": [], "protocolVersion": "1" }));
}

#[test]
fn a_secret_is_shown_once_and_by_nothing_else() {
    let answer = registered(&executor(), "gld_executor_shown_once");
    assert_eq!(json!(answer)["executorSecret"], "gld_executor_shown_once");
    assert!(!format!("{answer:?}{answer:#?}").contains("shown_once"));
}

#[test]
fn refusals_of_queues_and_gates_say_how_long_to_wait() {
    let retry_at = UnixMillis(START.0 + 90_500);
    for (refusal, status, wait) in [
        (Refusal::NotRegistered, 404, None),
        (Refusal::AlreadyRegistered, 409, None),
        (Refusal::CommandIdReused, 409, None),
        (Refusal::OrderOver, 422, None),
        (Refusal::OrderTooLong, 422, None),
        (Refusal::QueueFull { retry_at }, 429, Some(91)),
    ] {
        let (problem, seconds) = queue_refused(&refusal, START);
        assert_eq!((problem.status, problem.code.as_str(), seconds), (status, refusal.code(), wait));
        assert_eq!(problem.retryable, refusal.may_retry());
    }
    let refusal = gate::Refusal::TooMany { retry_at };
    let (problem, seconds) = gate_refused(&refusal, START);
    assert_eq!((problem.status, problem.code.as_str(), seconds), (429, "too_many_registrations", 91));
    assert_eq!(gate_refused(&refusal, at(1_000)).1, 1, "never at once");
}

fn runs(set: &[(&str, &str)]) -> Runs {
    let read = |name: &str| {
        let all = set.iter().chain(&[("X402_PAY_TO", "0x209693Bc6afc0C5328bA36FaF03C514EF312287C")]);
        all.into_iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
    };
    Settings::read(&read).unwrap().runs
}

#[test]
fn balances_say_whether_they_are_so() {
    let shown = |runs: &Runs| json!(balances(WALLET, runs, BaseUnits(7), BaseUnits(9)));
    let expected = |network: &str, simulated: bool| json!({ "address": WALLET, "network": network, "publicUsdc": "7", "native": "9", "simulated": simulated });
    assert_eq!(shown(&runs(&[])), expected("simulated", true));
    let chain = runs(&[("RUN_SETTLEMENT", "eip155:8453"), ("EVM_RPC_URL", "https://rpc.example")]);
    assert_eq!(shown(&chain), expected("eip155:8453", false));
}

#[test]
fn an_executor_plays_its_part_or_none_does() {
    let shown = json!(demo(Some(&executor())).unwrap());
    assert_eq!(shown, json!({ "executorId": executor(), "simulated": true }));
    let problem = demo(None).unwrap_err();
    assert_eq!((problem.status, problem.code.as_str()), (404, "demo_off"));
}
