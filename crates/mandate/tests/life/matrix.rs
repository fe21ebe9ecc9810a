//! Every state × every command, as one picture that a reader can check and a change cannot slip past.

use alloy_primitives::{B256, Bytes, U256};
use expect_test::expect_file;
use mandate::life::{Act, Change, Command};
use mandate::{Policy, Signature, SignedApproval};
use primitives::{Millis, UnixMillis};

use crate::cast::*;

/// One state of every kind, with a moment before any of its deadlines.
fn states() -> Vec<(&'static str, Life, UnixMillis)> {
    let waiting = || vec![ask(request("A", 80))];
    let approved = || vec![ask(request("A", 80)), approve("A", at(HOUR))];
    let escrowed = || vec![ask(request("A", 40))];
    let delivered = || vec![ask(request("A", 40)), deliver("A")];
    let disputed = || [delivered(), vec![dispute("A")]].concat();
    let and = |mut commands: Vec<Command>, last: Command| {
        commands.push(last);
        alive(commands)
    };
    let held = || vec![reserve("R", hold(50, at(HOUR)))];
    let later = |mut life: Life, command: Command, seconds: u64| {
        hears(&mut life, command, at(seconds)).unwrap();
        (life, at(seconds))
    };
    let (captured, captured_at) = later(alive(delivered()), capture("A", 10), HOUR);
    let (silent, silent_at) = later(alive(disputed()), Command::Wake, 2 * HOUR);
    let (refunded, refunded_at) = later(alive(escrowed()), Command::Wake, 2 * HOUR);
    let (lapsed, lapsed_at) = later(alive(held()), Command::Wake, HOUR);
    let policy = |policy: Policy| change(Change::Amend(amendment(policy, 1)), OWNER);
    vec![
        ("unborn", Life::default(), START),
        ("empty", Life::of([create()]), START),
        ("funded", alive([]), START),
        ("paused", alive([change(Change::Pause, OWNER)]), START),
        ("revoked", alive([change(Change::Revoke, OWNER)]), START),
        ("an amendment waits", alive([policy(looser())]), START),
        ("an amendment can be applied", alive([policy(looser())]), at(HOUR)),
        ("A awaits approval", alive(waiting()), START),
        ("A is approved", alive(approved()), START),
        ("A is rejected", and(waiting(), reject("A")), START),
        ("A is expired", and(approved(), policy(tighter())), START),
        ("A is cancelled", and(approved(), cancel(request("A", 80), OWNER)), START),
        ("A is escrowed", alive(escrowed()), START),
        ("A is delivered", alive(delivered()), START),
        ("A is delivered, and the challenge period is over", alive(delivered()), at(HOUR)),
        ("A is delivered and captured in part", captured, captured_at),
        ("A is disputed", alive(disputed()), START),
        ("A is settled", and(delivered(), act("A", Act::Accept, OWNER)), START),
        ("A is refunded", refunded, refunded_at),
        ("A is voided", and(escrowed(), act("A", Act::Void, PROVIDER)), START),
        ("A is timed out", silent, silent_at),
        ("A is escrowed, and its time is over", alive(escrowed()), at(2 * HOUR)),
        ("R is held", alive(held()), START),
        ("R is committed", and(held(), commit("R", 30)), START),
        ("R is released", and(held(), release("R")), START),
        ("R is expired", lapsed, lapsed_at),
        ("R was given back before it was held", alive([release("R")]), START),
        ("R is held, and its time is over", alive(held()), at(HOUR)),
    ]
}

/// Every command by the party that may send it, and the ways in which it can be wrong.
fn commands(life: &Life, now: UnixMillis) -> Vec<(&'static str, Command)> {
    let known = life.state.book().and_then(|book| book.requests.get(&named("A"))).map(|ask| ask.request);
    let on_file = filed(life, named("A")).map(|filed| filed.request);
    let a = known.or(on_file).unwrap_or(request("A", 80));
    let until = now.plus(Millis::from_minutes(30));
    let approval = SignedApproval { valid_before: until.into(), signature: Signature::Of(STRANGER) };
    let asks = |change_of: Change, by| change(change_of, by);
    let withdraw = |amount: u64| Change::Withdraw { amount: U256::from(amount) };
    let other = Command::Commit {
        reservation: named("R"),
        asker: "meter".to_owned(),
        amount: units(30),
        closed: None,
    };
    vec![
        ("create", create()),
        ("amend, tighter", asks(Change::Amend(amendment(tighter(), 1)), OWNER)),
        ("amend, looser", asks(Change::Amend(amendment(looser(), 1)), OWNER)),
        ("amend by the agent", asks(Change::Amend(amendment(tighter(), 1)), AGENT)),
        ("apply the amendment", asks(Change::ApplyAmendment(amendment(looser(), 1)), STRANGER)),
        ("cancel the amendment", asks(Change::CancelAmendment, OWNER)),
        ("pause", asks(Change::Pause, OWNER)),
        ("unpause", asks(Change::Unpause, OWNER)),
        ("revoke", asks(Change::Revoke, OWNER)),
        ("renounce", asks(Change::Renounce, AGENT)),
        ("fund", fund(10)),
        ("fund by the agent", asks(Change::Fund { amount: U256::from(10) }, AGENT)),
        ("withdraw", asks(withdraw(10), OWNER)),
        ("withdraw all of 500", asks(withdraw(500), OWNER)),
        ("withdraw by the agent", asks(withdraw(10), AGENT)),
        ("request A", ask(a)),
        ("request B, small", ask(request_at("B", 40, now))),
        ("request B, above the threshold", ask(request_at("B", 80, now))),
        ("request B, above the cap", ask(request_at("B", 91, now))),
        ("cancel A", cancel(a, AGENT)),
        ("cancel A by a stranger", cancel(a, STRANGER)),
        ("approve A", approve("A", until)),
        ("approve A, forged", act("A", Act::Approve { approval, bytes: Bytes::new() }, STRANGER)),
        ("approve A, out of date", approve("A", now)),
        ("reject A", reject("A")),
        ("reject A by the agent", act("A", Act::Reject { note: String::new() }, AGENT)),
        ("submit A", act("A", Act::Submit, AGENT)),
        ("submit A by the owner", act("A", Act::Submit, OWNER)),
        ("deliver A", deliver("A")),
        ("deliver A by the agent", act("A", Act::Deliver { receipt: B256::ZERO }, AGENT)),
        ("accept A", act("A", Act::Accept, OWNER)),
        ("accept A by the provider", act("A", Act::Accept, PROVIDER)),
        ("dispute A", dispute("A")),
        ("capture a part of A", capture("A", 20)),
        ("claim A", act("A", Act::Claim, STRANGER)),
        ("void A", act("A", Act::Void, PROVIDER)),
        ("resolve A", resolve("A", 15)),
        ("resolve A to nothing", resolve("A", 0)),
        ("time A out", act("A", Act::TimeOut, STRANGER)),
        ("expire A", act("A", Act::Expire, STRANGER)),
        ("refund a part of A", refund("A", 5)),
        ("reserve R", reserve("R", hold(50, at(HOUR)))),
        ("reserve R, otherwise", reserve("R", hold(49, at(HOUR)))),
        ("reserve S", reserve("S", hold(50, until))),
        ("reserve S, above the threshold", reserve("S", hold(61, until))),
        ("reserve S, approved", reserve("S", approved(61, until))),
        ("reserve S, approved, too much", reserve("S", approved(91, until))),
        ("commit a part of R", commit("R", 30)),
        ("commit more than R", commit("R", 51)),
        ("commit R by another", other),
        ("release R", release("R")),
        ("wake", Command::Wake),
    ]
}

/// L3, L6, L7, L8
#[test]
fn every_state_answers_every_command() {
    let mut picture = String::new();
    for (state, life, now) in states() {
        picture.push_str(&format!("{state}\n"));
        for (name, command) in commands(&life, now) {
            let outcome = life.tried(informed(&life, command), now.plus(Millis(1)));
            picture.push_str(&format!("  {name:32} {outcome}\n"));
        }
        picture.push('\n');
    }
    expect_file!["matrix.txt"].assert_eq(&picture);
}
