//! A world of two orders, searched whole to a depth: whatever is said, in whatever order, and when.

use std::collections::BTreeSet;

use executor::{Command, deadline};
use primitives::{Millis, UnixMillis};

use crate::cast::*;
use crate::world::World;

const O1_END: UnixMillis = after(700);
const O2_END: UnixMillis = after(100);

fn commands() -> Vec<Command> {
    vec![
        enqueue("O1", O1_END),
        enqueue("O2", O2_END),
        POLL,
        POLL_ALL,
        PUSH,
        started("O1"),
        needs_user("O1"),
        settle("O1", O1_END),
        withdraw("O2", O2_END),
        Command::Seen,
        Command::Wake,
    ]
}

/// At once, after more than the pause between two records, and when time does something next.
fn moments(world: &World, now: UnixMillis) -> BTreeSet<UnixMillis> {
    let due = deadline(&world.life.state);
    [now, now.plus(Millis::from_seconds(31))].into_iter().chain(due).collect()
}

/// X2, X3, X4, X6, X7, X8: the world checks them at each step.
#[test]
fn a_small_world_holds_in_every_history_of_four_steps_from_either_start() {
    let mut busy = World::registered();
    for command in [enqueue("O1", O1_END), enqueue("O2", O2_END), POLL] {
        busy.hears(command, START).unwrap();
    }
    let (mut worlds, mut seen) = (vec![(World::registered(), START), (busy, START)], BTreeSet::new());
    for steps_left in (0..4).rev() {
        let mut next = Vec::new();
        for (world, before) in &worlds {
            for now in moments(world, *before) {
                for command in commands() {
                    let mut world = world.forgetful();
                    // An order that comes after its end is refused, and nothing else is.
                    let refused = world.hears(command.clone(), now).err().map(|refusal| refusal.code());
                    assert!(refused.is_none_or(|code| code == "order_over"), "{command:?}: {refused:?}");
                    if steps_left > 0 && seen.insert((now, world.key())) {
                        next.push((world, now));
                    }
                }
            }
        }
        worlds = next;
    }
    assert!(seen.len() > 3_000, "{}", seen.len());
}
