//! Every state × every command, as one picture that a reader can check and a change cannot slip past.

use expect_test::expect_file;
use gig::{Bearer, Command, Completion, Event, Fact, Role, State, apply, decide};
use primitives::Millis;
use rehearsal::Core;

use crate::cast::*;

/// One state of every kind, at a moment before any of its deadlines.
fn states() -> Vec<(&'static str, State)> {
    let posted = || vec![reserve(payer("P1", 1), "b1")];
    let discoverable = || [posted(), vec![fund(payer("P1", 1))]].concat();
    let granted = || [discoverable(), vec![claim("W", "m1", "w1")]].concat();
    let working = || [granted(), vec![join("W", "w1")]].concat();
    let delivered = || [working(), vec![deliver("W", "w1")]].concat();
    let revised = || [delivered(), vec![revise("B", "b1")]].concat();
    let thrice = || {
        let round = [revise("B", "b1"), deliver("W", "w1")];
        [delivered(), round.to_vec(), round.to_vec(), round.to_vec()].concat()
    };
    let life = |commands: Vec<Command>| Life::of(commands).state;
    let with = |state: State, fact: Fact| apply(state, &Event { at: START, fact }).unwrap();
    let claimed = Fact::Claimed { by: who("W"), message_id: message("m1") };
    let completed = Fact::Completed { completion: Completion::Accepted, reason: None };
    let ticket = Command::IssueTicket { by: who("B"), grant: secret("b1"), ticket: secret("t1") };
    vec![
        ("UNPOSTED", State::Unposted),
        ("POSTED, held", life(posted())),
        ("POSTED, let go", life([posted(), vec![release()]].concat())),
        ("FAILED, never funded", with(life(posted()), Fact::NeverFunded)),
        ("DISCOVERABLE", life(discoverable())),
        ("CLAIMED, between two events", with(life(discoverable()), claimed)),
        ("TUNNEL_GRANTED", life(granted())),
        ("TUNNEL_GRANTED, buyer joined", life([granted(), vec![join("B", "b1")]].concat())),
        ("TUNNEL_GRANTED, buyer has a ticket", life([granted(), vec![ticket]].concat())),
        ("IN_PROGRESS", life(working())),
        ("IN_PROGRESS, sent back", life(revised())),
        ("DELIVERED", life(delivered())),
        ("DELIVERED, sent back three times", life(thrice())),
        ("COMPLETED, between two events", with(life(delivered()), completed)),
        ("CLOSED", life([delivered(), vec![accept("B", "b1")]].concat())),
        ("CANCELLED", life([granted(), vec![cancel("B", "b1")]].concat())),
        ("FAILED, abandoned", life([working(), vec![abandon("W", "w1")]].concat())),
        ("EXPIRED", with(life(working()), Fact::Expired { why: gig::Expiry::NotDelivered })),
    ]
}

fn release() -> Command {
    Command::Release { payer: payer("P1", 1), reason: "refused".to_owned() }
}

/// Every command by the party that may send it, and the ways in which it can be wrong.
fn commands() -> Vec<(&'static str, Command)> {
    let ticket = |by, grant| Command::IssueTicket { by: who(by), grant: secret(grant), ticket: secret("t9") };
    vec![
        ("reserve, same payment", reserve(payer("P1", 1), "b9")),
        ("reserve, other payment", reserve(payer("P2", 1), "b9")),
        (
            "reserve, other body",
            Command::Reserve { terms: other_terms(), payer: payer("P1", 1), grant: secret("b9") },
        ),
        ("release", release()),
        ("fund", fund(payer("P1", 1))),
        ("fund, other payment", fund(payer("P2", 1))),
        ("claim", claim("V", "m9", "v9")),
        ("claim, repeated", claim("W", "m1", "w9")),
        ("claim by the buyer", claim("B", "m9", "b9")),
        ("ticket, buyer", ticket("B", "b1")),
        ("ticket, worker", ticket("W", "w1")),
        ("join, buyer", join("B", "b1")),
        ("join, worker", join("W", "w1")),
        ("join, stranger", join("V", "v1")),
        ("join, ticket", Command::Join { bearer: Bearer::Ticket { ticket: secret("t1") } }),
        ("reconnect, buyer", reconnect("B", Role::Buyer, "b1", "r1", "b9")),
        ("reconnect, worker", reconnect("W", Role::Worker, "w1", "r1", "w9")),
        ("deliver", deliver("W", "w1")),
        ("deliver by the buyer", deliver("B", "b1")),
        ("accept", accept("B", "b1")),
        ("accept by the worker", accept("W", "w1")),
        ("revise", revise("B", "b1")),
        ("cancel", cancel("B", "b1")),
        ("cancel by the worker", cancel("W", "w1")),
        ("abandon", abandon("W", "w1")),
        ("abandon by the buyer", abandon("B", "b1")),
        ("wake", Command::Wake),
    ]
}

#[test]
fn every_state_answers_every_command() {
    let mut picture = String::new();
    for (state_name, state) in states() {
        picture.push_str(&format!("{state_name}\n"));
        for (command_name, command) in commands() {
            let outcome = match decide(&state, command, START.plus(Millis(1))) {
                Err(refusal) => format!("- {}", refusal.code()),
                Ok(events) if events.is_empty() => "nothing".to_owned(),
                Ok(events) => events.iter().map(Gig::name).collect::<Vec<_>>().join(" "),
            };
            picture.push_str(&format!("  {command_name:24} {outcome}\n"));
        }
        picture.push('\n');
    }
    expect_file!["matrix.txt"].assert_eq(&picture);
}
