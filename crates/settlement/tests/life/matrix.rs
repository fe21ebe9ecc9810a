//! Every state × every command, as one picture that a reader can check and a change cannot slip past.

use expect_test::expect_file;
use primitives::Millis;
use settlement::{Asker, Command, Sighting, State, Tier, Window, is_open_to};

use crate::cast::*;

/// A life in which every command was heard at `START`, then a look was made for each sighting.
fn life(commands: &[Command], sightings: &[Sighting]) -> Life {
    let mut life = Life::of(commands.iter().cloned());
    for sighting in sightings {
        life.hears(Command::LookNow, START).unwrap();
        sees(&mut life, sighting.clone(), START);
    }
    life
}

/// One state of every kind, at a moment before any of its deadlines.
fn states() -> Vec<(&'static str, Life)> {
    let submitted = [start("R1", Tier::Safe)];
    let sent = [start("R1", Tier::Safe), announce("0xfeed")];
    let stands = |tier| transferred("0xfeed", 7, "a", tier);
    vec![
        ("NEW", Life::default()),
        ("DECLINED", life(&[start("R1", Tier::Safe), decline("busy")], &[])),
        ("SUBMITTED", life(&submitted, &[unused(None, Window::Open)])),
        ("SUBMITTED, after a settlement that was undone", {
            life(&submitted, &[stands(Tier::Safe), unused(None, Window::Open)])
        }),
        ("SENT", life(&sent, &[unused(None, Window::Open)])),
        ("REVERTED", life(&sent, &[unused(Some("0xfeed"), Window::Open)])),
        ("INCLUDED", life(&sent, &[stands(Tier::Included)])),
        ("SETTLED, safe", life(&sent, &[stands(Tier::Safe)])),
        ("SETTLED, safe and collected", {
            let mut life = life(&sent, &[stands(Tier::Safe)]);
            life.hears(collect(Asker::Anonymous, "R1"), START).unwrap();
            life
        }),
        ("SETTLED, safe, begun with a key", {
            life(&[start_by(key("K1"), "R1", Tier::Safe), announce("0xfeed")], &[stands(Tier::Safe)])
        }),
        ("SETTLED, final", life(&sent, &[stands(Tier::Final)])),
        ("FAILED", life(&sent, &[unused(None, Window::Closed)])),
    ]
}

fn commands(life: &Life) -> Vec<(&'static str, Command)> {
    let number = life.state.unfinished().map_or(0, |pursuit| pursuit.looks);
    let see = |sighting| Command::See { look: number, sighting };
    vec![
        ("start", start("R1", Tier::Safe)),
        ("start, other request", start("R2", Tier::Safe)),
        ("start, with a key", start_by(key("K1"), "R1", Tier::Safe)),
        ("collect", collect(Asker::Anonymous, "R1")),
        ("collect, other request", collect(Asker::Anonymous, "R2")),
        ("collect, with a key", collect(key("K1"), "R1")),
        ("collect, other key", collect(key("K2"), "R1")),
        ("announce, known", announce("0xfeed")),
        ("announce, new", announce("0xf00d")),
        ("decline", decline("gas_budget")),
        ("look now", Command::LookNow),
        ("see transfer, included", see(transferred("0xfeed", 7, "a", Tier::Included))),
        ("see transfer, final", see(transferred("0xfeed", 7, "a", Tier::Final))),
        ("see transfer elsewhere", see(transferred("0xfeed", 8, "b", Tier::Included))),
        ("see used otherwise", see(used_otherwise("0xbad", Tier::Safe))),
        ("see used, final", see(used_otherwise("0xbad", Tier::Final))),
        ("see unused", see(unused(None, Window::Open))),
        ("see unused, closed", see(unused(None, Window::Closed))),
        ("see mined", see(unused(Some("0xfeed"), Window::Open))),
        ("see mined, closed", see(unused(Some("0xfeed"), Window::Closed))),
        ("see, by a stale look", {
            let sighting = unused(None, Window::Closed);
            Command::See { look: number.wrapping_sub(1), sighting }
        }),
        ("wake", Command::Wake),
    ]
}

/// Whose requests are still good.
fn open_to(state: &State) -> String {
    let askers = [
        ("no key", "R1", Asker::Anonymous),
        ("K1", "R1", key("K1")),
        ("K2", "R1", key("K2")),
        ("other request", "R2", Asker::Anonymous),
    ];
    let open = askers.iter().filter(|(_, request, asker)| is_open_to(state, &fingerprint(request), asker));
    let words: Vec<&str> = open.map(|(word, _, _)| *word).collect();
    if words.is_empty() { "nobody".to_owned() } else { words.join(", ") }
}

/// T1 to T10
#[test]
fn every_state_answers_every_command() {
    let mut picture = String::new();
    for (state_name, life) in states() {
        picture.push_str(&format!("{state_name}\n"));
        for (command_name, command) in commands(&life) {
            let outcome = life.tried(command, START.plus(Millis(1)));
            picture.push_str(&format!("  {command_name:22} {outcome}\n"));
        }
        picture.push_str(&format!("  is open to             {}\n\n", open_to(&life.state)));
    }
    expect_file!["matrix.txt"].assert_eq(&picture);
}
