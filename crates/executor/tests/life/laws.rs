//! What holds in every life, whatever happens in it and when.

use std::collections::BTreeSet;

use executor::{Command, Occasion, Order, Progress, Queue, deadline, limits};
use primitives::{Millis, UnixMillis};
use proptest::prelude::*;
use rehearsal::{Core, Wait, by_chance};

use crate::cast::*;
use crate::world::{World, is_sighting};

/// What happens next. An order is named by how many were made after it.
#[derive(Debug, Clone)]
enum Turn {
    /// A run makes an order that lasts so many seconds. It is on its way.
    Make(u64),
    Comes(usize),
    Renew(usize, Progress),
    Settle(usize),
    Withdraw(usize),
    Hears(Command),
}

fn turns() -> impl Strategy<Value = Vec<(Wait, Turn)>> {
    let wait = prop_oneof![
        6 => (0_u64..10_000).prop_map(Wait::For),
        3 => (0_u64..100_000).prop_map(Wait::For),
        1 => (0_u64..900_000).prop_map(Wait::For),
        4 => (0_u64..3).prop_map(Wait::UntilBeforeDeadline),
    ];
    let which = || prop_oneof![6 => Just(0_usize), 3 => 1_usize..4];
    let progress = prop_oneof![Just(Progress::Started), Just(Progress::NeedsUser)];
    let occasion =
        prop_oneof![4 => Just(Occasion::Poll), 1 => Just(Occasion::PollAll), 2 => Just(Occasion::Push)];
    let turn = prop_oneof![
        5 => prop_oneof![4 => 20_u64..900, 1 => 1_u64..20].prop_map(Turn::Make),
        6 => which().prop_map(Turn::Comes),
        5 => (which(), progress).prop_map(|(which, progress)| Turn::Renew(which, progress)),
        2 => which().prop_map(Turn::Settle),
        2 => which().prop_map(Turn::Withdraw),
        6 => (0_usize..4, occasion).prop_map(|(limit, occasion)| Turn::Hears(lease(limit, occasion))),
        2 => Just(Turn::Hears(Command::Seen)),
        3 => Just(Turn::Hears(Command::Wake)),
    ];
    prop::collection::vec((wait, turn), 1..80)
}

/// The command of a turn at `now`; `orders` are those that were made.
fn command(turn: &Turn, orders: &mut Vec<Order>, now: UnixMillis) -> Option<Command> {
    if let Turn::Make(seconds) = turn {
        let word = format!("O{}", orders.len());
        orders.push(order(&word, now.plus(Millis::from_seconds(*seconds))));
    }
    let about = |which: &usize| orders.iter().rev().nth(*which).cloned();
    Some(match turn {
        // Half of them arrive at once.
        Turn::Make(seconds) if seconds % 2 == 0 => Command::Enqueue { order: about(&0)? },
        Turn::Make(_) => Command::Wake,
        Turn::Comes(which) => Command::Enqueue { order: about(which)? },
        Turn::Renew(which, progress) => {
            Command::Renew { command_id: about(which)?.command_id, progress: *progress }
        }
        Turn::Settle(which) => {
            about(which).map(|Order { command_id, until, .. }| Command::Settle { command_id, until })?
        }
        Turn::Withdraw(which) => {
            about(which).map(|Order { command_id, until, .. }| Command::Withdraw { command_id, until })?
        }
        Turn::Hears(command) => command.clone(),
    })
}

/// Lives through the turns; `see` is shown the world after each, what was asked, and the moment.
fn live(turns: &[(Wait, Turn)], mut see: impl FnMut(&World, &Command, UnixMillis)) -> World {
    let (mut world, mut orders, mut now) = (World::registered(), Vec::new(), START);
    for (wait, turn) in turns {
        now = match wait {
            Wait::For(millis) => now.plus(Millis(*millis)),
            Wait::UntilBeforeDeadline(millis) => {
                deadline(&world.life.state).map_or(now, |at| at.minus(Millis(*millis))).max(now)
            }
        };
        let Some(command) = command(turn, &mut orders, now) else { continue };
        // An order that comes after its end is refused, and nothing else is.
        let refused = world.hears(command.clone(), now).err().map(|refusal| refusal.code());
        assert!(refused.is_none_or(|code| code == "order_over"), "{refused:?}");
        see(&world, &command, now);
    }
    world
}

/// The state without names that say nothing any more, which go with the next event.
fn as_of(life: &Life, now: UnixMillis) -> Queue {
    let mut queue = life.state.queue().unwrap().clone();
    queue.closed.retain(|_, until| *until > now);
    queue
}

/// One command of every kind about what is there and what is not.
fn tries(now: UnixMillis) -> Vec<Command> {
    let end = now.plus(Millis::from_seconds(60));
    let mut tries = vec![register("S1"), enqueue("new", end), POLL, POLL_ALL, PUSH, lease(1, Occasion::Poll)];
    for word in ["O0", "O1", "O2", "new"] {
        tries.extend([started(word), needs_user(word), settle(word, end), withdraw(word, end)]);
    }
    tries.extend([register("S2"), Command::Seen, Command::Wake]);
    tries
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    // X2, X3, X4, X6, X7, X8: the world compares with the queue on paper at each turn. What is decided applies, or
    // `Life::hears` panics.
    #[test]
    fn a_queue_does_as_on_paper_and_its_journal_replays_to_the_same_state(turns in turns()) {
        live(&turns, |_, _, _| {}).life.replays();
    }

    // X5
    #[test]
    fn what_is_said_again_at_once_changes_nothing(turns in turns()) {
        live(&turns, |world, command, now| {
            let mut again = world.life.clone();
            let heard = again.hears(command.clone(), now);
            let gives = matches!(command, Command::Lease { .. });
            assert!(gives || heard.is_err() || heard == Ok(Heard::default()), "{command:?}: {heard:?}");
        });
    }

    // X7
    #[test]
    fn a_wake_is_harmless_before_the_deadline_and_the_second_time(turns in turns()) {
        live(&turns, |world, _, now| drop(world.life.woken(now)));
    }

    // X7
    #[test]
    fn no_answer_depends_on_whether_the_alarm_was_in_time(turns in turns(), late in 0_u64..700_000) {
        live(&turns, |world, _, now| {
            let life = &world.life;
            let Some(due) = deadline(&life.state) else { return };
            let (woken, late) = (life.woken(now), due.max(now).plus(Millis(late)));
            for command in tries(late) {
                let (mut one, mut other) = (Life { state: life.state.clone(), ..Life::default() }, woken.clone());
                let outcomes = (one.hears(command.clone(), late), other.hears(command.clone(), late));
                assert_eq!(outcomes.0.as_ref().err(), outcomes.1.as_ref().err());
                if outcomes.0.is_ok() {
                    assert_eq!(as_of(&one, late), as_of(&other, late), "{command:?}");
                }
            }
        });
    }

    // X9
    #[test]
    fn nothing_is_kept_that_was_over_at_the_last_event(turns in turns()) {
        live(&turns, |world, _, _| {
            let last = world.life.journal.last().map_or(START, |(_, event)| event.at);
            let queue = world.life.state.queue().unwrap();
            let names: BTreeSet<_> = queue.orders.iter().map(|pending| &pending.order.command_id).collect();
            assert!(queue.closed.values().all(|until| *until > last));
            assert!(queue.closed.keys().all(|command_id| !names.contains(command_id)));
            assert!(queue.lost.iter().all(|command_id| names.contains(command_id)));
        });
    }

    // X10
    #[test]
    fn signs_of_life_alone_are_recorded_at_most_twice_a_minute(turns in turns()) {
        let world = live(&turns, |_, _, _| {});
        let mut last = START;
        for (_, event) in &world.life.journal[1..] {
            if event.fact == executor::Fact::Seen {
                prop_assert!(event.at.since(last) >= limits::SEEN_EVERY);
            }
            last = if is_sighting(&event.fact) { event.at } else { last };
        }
    }
}

/// Laws over lives in which nothing much happens would prove little.
#[test]
fn the_lives_by_chance_see_every_fact_and_every_state() {
    let (mut facts, mut states, mut marks) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for turns in by_chance(turns(), 200) {
        let world = live(&turns, |world, _, now| {
            states.insert(world.life.state.lifecycle().name());
            states.insert(status(&world.life, now));
            let mark = Executor::mark(&world.life.state);
            marks.extend(
                ["waiting", "leased", "started", "parked"].into_iter().filter(|word| mark.contains(word)),
            );
        });
        facts.extend(world.life.facts());
    }
    assert_eq!(facts.len(), Executor::FACTS, "{facts:?}");
    assert_eq!((states.len(), marks.len()), (3, 4), "{states:?} {marks:?}");
}
