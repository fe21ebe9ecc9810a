//! Every state × every command, as one picture that a reader can check and a change cannot slip past; and beside it what
//! people are told to do next in each of these states.

use expect_test::expect_file;
use primitives::Millis;
use run::{Command, deadline, next_action};

use crate::purchase::*;
use crate::script::{command, walk};

/// What leads to a state, in the words of stories, a second between two of them.
pub(crate) fn states() -> Vec<(&'static str, String)> {
    let searched = "create; market A:1003 B:1049";
    let checkout = format!("{searched}; quote 1000");
    let pix = format!("{checkout}; quote 1000");
    let detected = format!("{pix}; pix 1000");
    let connected = format!("{detected}; wallet W");
    let asked = format!("{connected}; funds full");
    let authorized = format!("{asked}; confirm");
    let closed = format!("{authorized}; +700; wake");
    let settling = format!("{authorized}; pay S");
    let settled = format!("{settling}; look verified");
    let spending = asked.replace("create", "create mandate");
    let owner = format!("{spending}; budget approval");
    let held = format!("{spending}; budget held");
    vec![
        ("UNBORN", String::new()),
        ("the market is asked", "create".to_owned()),
        ("the market was down", "create; market down".to_owned()),
        ("a shop is to be looked at", searched.to_owned()),
        ("a shop is looked at", format!("{searched}; started")),
        ("the buyer has to log in", format!("{searched}; needs-user")),
        ("the cart is to be filled", checkout),
        ("the target is to be read", pix),
        ("no wallet is there", detected),
        ("funds are looked at", connected.clone()),
        ("funds could not be looked at", format!("{connected}; funds down")),
        ("funds are short", format!("{connected}; funds short")),
        ("funds are public", format!("{connected}; funds public")),
        ("the owner is asked", asked),
        ("the mandate is asked", spending),
        ("the mandate's owner is asked", owner.clone()),
        ("the mandate is asked again", format!("{owner}; confirm by:owner")),
        ("authorized", authorized.clone()),
        ("authorized by a mandate", held),
        ("the wallet said nothing in time", closed),
        ("the owner wants to stop", format!("{authorized}; cancel")),
        ("the wallet has paid", settling.clone()),
        ("nobody knows yet", format!("{settling}; look unknown")),
        ("the order is looked for", settled.clone()),
        ("the order is not there yet", format!("{settled}; order no")),
        ("ORDER_CONFIRMED", format!("{settled}; order yes")),
        ("NO_VALID_OPTION", "create; market nothing".to_owned()),
        ("CANCELLED", "create; cancel".to_owned()),
        ("SETTLEMENT_FAILED", format!("{settling}; look failed")),
        ("FAILED", format!("{}; funds refused", connected)),
    ]
}

const COMMANDS: [&str; 52] = [
    "create",
    "create token:2",
    "create max:4999",
    "market A:1003",
    "market down",
    "market A:1003 attempt:9",
    "started",
    "needs-user",
    "unavailable",
    "error",
    "quote 1000",
    "quote 1112",
    "pix 1000",
    "pix 1001",
    "order yes",
    "order no",
    "quote 1000 by:F",
    "quote 1000 for:cmd_1",
    "lost",
    "rebind E",
    "rebind F",
    "wallet W",
    "wallet V",
    "wallet off",
    "wallet W old:6",
    "funds full",
    "funds public",
    "funds short",
    "funds down",
    "funds refused",
    "funds full check:9",
    "confirm",
    "confirm by:owner",
    "confirm amount:999",
    "reject",
    "budget held",
    "budget approval",
    "budget refused",
    "lapsed",
    "pay S",
    "pay T",
    "pay S elsewhere",
    "look verified",
    "look failed",
    "look unknown",
    "trace found S",
    "trace found T",
    "trace absent",
    "trace unknown",
    "cancel",
    "wake",
    "wake, when due",
];

#[test]
fn every_state_answers_every_command() {
    let mut picture = String::new();
    for (name, path) in states() {
        let (life, now) = walk(&path);
        picture.push_str(&format!("{name}: {}\n", <Purchase as rehearsal::Core>::lifecycle(&life.state)));
        let mut nothing = Vec::new();
        for phrase in COMMANDS {
            let words: Vec<&str> = phrase.split_whitespace().collect();
            let is_due = phrase == "wake, when due";
            let (asked, at) = if is_due {
                (Command::Wake, deadline(&life.state).unwrap_or(now).max(now))
            } else {
                (command(&life, &words, now).unwrap_or(Command::Wake), now.plus(Millis(1)))
            };
            match life.tried(asked, at) {
                outcome if outcome.ends_with(": nothing") => nothing.push(phrase),
                outcome => picture.push_str(&format!("  {phrase:24} {outcome}\n")),
            }
        }
        picture.push_str(&format!("  nothing comes of: {}\n\n", nothing.join(", ")));
    }
    expect_file!["matrix.txt"].assert_eq(&picture);
}

#[test]
fn people_are_told_what_to_do_in_every_state() {
    let mut picture = String::new();
    for (name, path) in states() {
        let (life, now) = walk(&path);
        let Some(run) = life.state.run() else { continue };
        let next = next_action(run, now);
        let until = next.until.map_or_else(|| "for ever".to_owned(), |until| until.to_rfc3339());
        let line = format!("{name}: {:?} {} until {until}\n  {}\n", next.actor, next.action, next.message);
        picture.push_str(&line);
    }
    expect_file!["next_actions.txt"].assert_eq(&picture);
}
