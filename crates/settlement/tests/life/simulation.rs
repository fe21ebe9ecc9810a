//! The world by chance, and the world exhaustively.

use std::collections::BTreeSet;

use proptest::prelude::*;
use rehearsal::{Core, by_chance};
use settlement::Tier;

use crate::cast::Settlement;
use crate::chain::Return;
use crate::world::{Copies, Step, Verdict, World};

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let copies = || prop_oneof![3 => Just(Copies::One), 1 => Just(Copies::More)];
    let step = prop_oneof![
        2 => (0_u8..2, 0_u8..3).prop_map(|(of, by)| Step::Start(of, by)),
        3 => (0_u8..2, 0_u8..3).prop_map(|(of, by)| Step::Collect(of, by)),
        2 => (prop_oneof![2 => Just(Verdict::Take), 1 => Just(Verdict::Decline)], copies())
            .prop_map(|(verdict, copies)| Step::Submit(verdict, copies)),
        2 => Just(Step::Sign),
        2 => Just(Step::Notice),
        4 => (any::<u8>(), copies()).prop_map(|(index, copies)| Step::Post(index, copies)),
        4 => any::<u8>().prop_map(Step::Mine),
        2 => (1_u8..4, prop_oneof![Just(Return::ToThePool), Just(Return::Nowhere)])
            .prop_map(|(depth, returns)| Step::Reorganise(depth, returns)),
        1 => Just(Step::ForgetPool),
        1 => Just(Step::Stranger),
        1 => Just(Step::Cancel),
        1 => Just(Step::SpendOrEarn),
        1 => prop_oneof![0_u32..5_000, 0_u32..200_000].prop_map(Step::Wait),
        4 => Just(Step::Wake),
        5 => any::<u8>().prop_map(Step::Read),
        4 => any::<u8>().prop_map(Step::Tell),
        1 => Just(Step::Restart),
    ];
    prop::collection::vec(step, 1..90)
}

fn tier() -> impl Strategy<Value = Tier> {
    prop_oneof![Just(Tier::Included), Just(Tier::Safe), Just(Tier::Final)]
}

/// Lives through the steps from a start by that asker on, then until everything has ended.
fn live(steps: &[Step], beginner: u8, tier: Tier) -> World {
    let mut world = World::new(tier);
    world.take(Step::Start(0, beginner));
    for step in steps {
        world.take(*step);
    }
    world.settle_down();
    world
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    // T1 to T10, as the world checks them after every step.
    #[test]
    fn the_laws_hold_and_everything_ends(steps in steps(), beginner in 0_u8..2, tier in tier()) {
        live(&steps, beginner, tier);
    }
}

/// Laws over lives in which nothing much happens would prove little.
#[test]
fn the_worlds_by_chance_see_every_fact_and_every_end() {
    let (mut facts, mut ends) = (BTreeSet::new(), BTreeSet::new());
    for (steps, beginner, tier) in by_chance((steps(), 0_u8..2, tier()), 300) {
        let world = live(&steps, beginner, tier);
        facts.extend(world.past.iter().map(|event| Settlement::name(event)));
        ends.insert(world.life.state.lifecycle().name());
    }
    // `WatchEnded` needs two hours without a final block; a test of its own has it.
    assert_eq!(facts.len(), Settlement::FACTS - 1, "{facts:?}");
    assert_eq!(ends, BTreeSet::from(["FAILED", "SETTLED", "DECLINED"]));
}

/// What can happen, each thing once per place.
const ALPHABET: [Step; 12] = [
    Step::Collect(0, 0),
    Step::Sign,
    Step::Post(0, Copies::One),
    Step::Mine(u8::MAX),
    Step::Reorganise(2, Return::Nowhere),
    Step::Stranger,
    Step::Cancel,
    Step::Wake,
    Step::Read(0),
    Step::Tell(0),
    Step::Tell(1),
    Step::Restart,
];

/// Every sequence of `depth` steps from `world` on; all of them end lawfully.
fn every(world: &World, depth: u32, lived: &mut u32) {
    if depth == 0 {
        *lived += 1;
        world.clone().settle_down();
        return;
    }
    for step in ALPHABET {
        let mut world = world.clone();
        world.take(step);
        every(&world, depth - 1, lived);
    }
}

/// T1 to T10. The beginning is one of the places where most can come next: signed and not mined, mined and not looked at,
/// looked at twice and not told, settled.
#[test]
fn every_interleaving_is_lawful() {
    let mut lived = 0;
    let submitted = [Step::Start(0, 0), Step::Submit(Verdict::Take, Copies::One), Step::Sign];
    let mined = [Step::Mine(u8::MAX), Step::Wake];
    let looked = [Step::Read(0), Step::Wake, Step::Read(0)];
    let settled = [Step::Read(0), Step::Tell(0)];
    for beginning in [
        submitted.to_vec(),
        [&submitted[..], &mined[..]].concat(),
        [&submitted[..], &mined[..], &looked[..]].concat(),
        [&submitted[..], &mined[..], &settled[..]].concat(),
    ] {
        let mut world = World::new(Tier::Included);
        for step in beginning {
            world.take(step);
        }
        every(&world, 4, &mut lived);
    }
    assert_eq!(lived, 4 * 12_u32.pow(4));
}
