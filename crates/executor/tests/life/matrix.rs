//! Every state × every command, as one picture that a reader can check and a change cannot slip past.

use executor::{Command, Occasion, deadline};
use expect_test::expect_file;
use primitives::{Millis, UnixMillis};

use crate::cast::*;

const END: UnixMillis = after(600);

/// One state of every kind, as it stands at its start.
fn states() -> Vec<(&'static str, Life)> {
    let busy = |more: Vec<Command>| Life::of([vec![register("S1"), enqueue("O1", END)], more].concat());
    let mut offline = busy(vec![]);
    offline.hears(Command::Wake, after(90)).unwrap();
    vec![
        ("UNREGISTERED", Life::default()),
        ("IDLE", Life::of([register("S1")])),
        ("IDLE, O1 settled", busy(vec![settle("O1", END)])),
        ("IDLE, O2 withdrawn before it came", Life::of([register("S1"), withdraw("O2", END)])),
        ("BUSY, O1 waiting", busy(vec![])),
        ("BUSY, O1 leased", busy(vec![POLL])),
        ("BUSY, O1 started", busy(vec![POLL, started("O1")])),
        ("BUSY, O1 parked", busy(vec![POLL, needs_user("O1")])),
        ("BUSY, O1 leased, O3 waiting", busy(vec![POLL, enqueue("O3", END)])),
        ("OFFLINE, O1 waiting", offline),
    ]
}

fn commands(now: UnixMillis) -> Vec<(&'static str, Command)> {
    vec![
        ("register S1", register("S1")),
        ("register S2", register("S2")),
        ("enqueue O1", enqueue("O1", END)),
        ("enqueue other O1", Command::Enqueue { order: other_order("O1", END) }),
        ("enqueue O1, later", enqueue("O1", END.plus(Millis(1)))),
        ("enqueue O2", enqueue("O2", END)),
        ("enqueue O2, over", enqueue("O2", now)),
        ("enqueue O2, longest", enqueue("O2", now.plus(executor::limits::ORDER_MAX))),
        ("enqueue O2, longer", enqueue("O2", now.plus(executor::limits::ORDER_MAX).plus(Millis(1)))),
        ("poll", POLL),
        ("poll for none", lease(0, Occasion::Poll)),
        ("poll for all", POLL_ALL),
        ("push", PUSH),
        ("started O1", started("O1")),
        ("needs user O1", needs_user("O1")),
        ("started O9", started("O9")),
        ("settle O1", settle("O1", END)),
        ("withdraw O1", withdraw("O1", END)),
        ("settle O2", settle("O2", END)),
        ("settle O2, over", settle("O2", now)),
        ("seen", Command::Seen),
        ("wake", Command::Wake),
    ]
}

#[test]
fn every_state_answers_every_command_at_once_and_when_time_has_done_something() {
    let mut picture = String::new();
    for (state_name, life) in states() {
        let due = deadline(&life.state);
        let first = life.journal.last().map_or(START, |(_, event)| event.at).plus(Millis::from_seconds(5));
        // At their end it does not matter how orders stand.
        let end = Some(END).filter(|_| state_name.contains("O3"));
        let moments = [("", Some(first)), (", at its deadline", due), (", at its orders' end", end)];
        for (suffix, now) in moments.into_iter().filter_map(|(suffix, now)| Some((suffix, now?))) {
            picture.push_str(&format!("{state_name}{suffix}\n"));
            for (command_name, command) in commands(now) {
                picture.push_str(&format!("  {command_name:20} {}\n", life.tried(command, now)));
            }
            picture.push('\n');
        }
    }
    expect_file!["matrix.txt"].assert_eq(&picture);
}
