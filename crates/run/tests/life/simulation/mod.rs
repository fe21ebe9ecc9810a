//! A seeded world around one run: everything that can be lost, late, doubled or out of order is, and the books agree in the
//! end all the same.

mod calls;
mod dice;
mod ports;
mod world;

use std::collections::BTreeMap;
use std::panic::catch_unwind;

use world::World;

/// How many worlds are played. A failure names its seed.
const WORLDS: u64 = 250;

/// R4, R5, R7, R8
#[test]
fn whatever_the_world_does_a_run_pays_at_most_once_and_everybody_knows() {
    let mut endings = BTreeMap::<&str, u32>::new();
    for seed in 0..WORLDS {
        let ending = catch_unwind(|| World::new(seed).lives(160));
        let ending = ending.unwrap_or_else(|_| panic!("the world of seed {seed} came to harm"));
        *endings.entry(ending.name()).or_default() += 1;
    }
    // Worlds in which nobody ever pays would prove little.
    let often = |name: &str| endings.get(name).is_some_and(|count| *count >= 10);
    assert!(often("ORDER_CONFIRMED") && often("FAILED") && often("CANCELLED"), "{endings:?}");
    assert!(endings.len() >= 5, "{endings:?}");
}
