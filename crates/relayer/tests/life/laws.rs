//! What holds in every life, whatever the chain does and whenever the process dies.

use std::collections::BTreeSet;

use primitives::{Digest, Millis};
use proptest::prelude::*;
use rehearsal::{Core, by_chance};
use relayer::{Command, Outcome, Purpose, Verdict, deadline};

use crate::cast::*;
use crate::chain::{Orphans, Receipts};
use crate::world::{Step, World};

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let pick = || 0_usize..8;
    let shell = prop_oneof![
        6 => (0_u8..10, 1_u64..90).prop_map(|(number, seconds)| Step::Submit(number, seconds)),
        6 => Just(Step::Drive),
        1 => Just(Step::DriveAndDie),
        8 => Just(Step::Alarm),
        2 => Just(Step::List),
        3 => Just(Step::Ask),
        1 => Just(Step::Die),
        8 => (0_u64..3_000).prop_map(Step::Pass),
        4 => (3_000_u64..30_000).prop_map(Step::Pass),
    ];
    let orphans = prop_oneof![Just(Orphans::Pending), Just(Orphans::Forgotten)];
    let chain = prop_oneof![
        8 => pick().prop_map(Step::Mine),
        2 => pick().prop_map(Step::Forget),
        1 => Just(Step::Intrude),
        2 => prop_oneof![Just(10_u128), 1_u128..150].prop_map(Step::BaseFee),
        2 => prop_oneof![2 => Just(Receipts::Served), 1 => Just(Receipts::Withheld)].prop_map(Step::Serve),
        1 => (0_u64..3).prop_map(Step::Lag),
        1 => (1_usize..4, orphans).prop_map(|(depth, orphans)| Step::Reorganize(depth, orphans)),
    ];
    prop::collection::vec(prop_oneof![2 => shell, 1 => chain], 1..120)
}

fn live(steps: &[Step]) -> World {
    let mut world = World::new();
    for step in steps {
        world.takes(step);
    }
    world
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    // R1 to R8 hold at every step; the world checks them.
    #[test]
    fn on_a_chain_that_does_what_it_likes_every_job_ends_as_it_is_reported(steps in steps()) {
        live(&steps).ends();
    }

    // R2, R3: what was given is kept with its bytes until the chain has used it or is seen to have.
    #[test]
    fn a_nonce_that_was_given_stays_until_it_is_used(steps in steps()) {
        let world = live(&steps);
        for (before, event) in &world.life.journal {
            let after = relayer::apply(before.clone(), event).unwrap();
            let closes = matches!(Relayer::name(event), "Mined" | "Displaced");
            let closed = before.open.keys().filter(|nonce| !after.open.contains_key(nonce)).count();
            prop_assert_eq!(closed, usize::from(closes));
            for open in after.open.values() {
                let latest = open.attempts.last().map(|attempt| attempt.hash.0);
                prop_assert_eq!(Some(Digest::of(&[&open.raw.0]).0), latest);
            }
        }
    }

    // R6
    #[test]
    fn a_replacement_raises_both_fees_and_once_given_up_a_job_stays_so(steps in steps()) {
        let world = live(&steps);
        for (before, event) in &world.life.journal {
            if let relayer::Fact::Signed(signed) = &event.fact
                && let Some(open) = before.open.get(&signed.nonce)
            {
                for (old, new) in [
                    (open.fees.max_fee.0, signed.fees.max_fee.0),
                    (open.fees.priority_fee.0, signed.fees.priority_fee.0),
                ] {
                    prop_assert!(new > old && new * 8 >= old * 9, "{} after {}", new, old);
                }
                let given_up = open.attempts.iter().any(|attempt| attempt.purpose == Purpose::Void);
                prop_assert!(!given_up || signed.purpose == Purpose::Void);
            }
        }
    }

    // R8
    #[test]
    fn a_wake_is_harmless_before_the_deadline_and_the_second_time(steps in steps()) {
        let mut world = World::new();
        for step in &steps {
            world.takes(step);
            let mut life = Life { state: world.life.state.clone(), ..Life::default() };
            if let Some(at) = deadline(&life.state) {
                prop_assert_ne!(life.hears(Command::Wake, at).unwrap(), Heard::default());
                prop_assert_eq!(life.hears(Command::Wake, at).unwrap(), Heard::default());
                let just_before = deadline(&life.state).map(|at| at.minus(Millis(1)));
                let early = just_before.filter(|early| life.state.waiting.iter().all(|it| *early < it.job.not_after));
                if let Some(early) = early {
                    prop_assert_eq!(life.hears(Command::Wake, early).unwrap(), Heard::default());
                }
            }
        }
    }
}

/// Laws over lives in which nothing much happens would prove little.
#[test]
fn the_lives_by_chance_see_every_fact_and_every_outcome() {
    let (mut facts, mut outcomes) = (BTreeSet::new(), BTreeSet::new());
    let (mut replaced, mut filled) = (0, 0);
    for steps in by_chance(steps(), 200) {
        let mut world = live(&steps);
        world.ends();
        facts.extend(world.life.facts());
        outcomes.extend(world.reported.values().map(|outcome| match outcome {
            Outcome::Mined(receipt) if receipt.verdict == Verdict::Reverted => "reverted",
            Outcome::Mined(_) => "mined",
            Outcome::Expired => "expired",
            Outcome::Displaced => "displaced",
        }));
        for (before, event) in &world.life.journal {
            if let relayer::Fact::Signed(signed) = &event.fact {
                replaced += u32::from(before.open.contains_key(&signed.nonce));
                filled += u32::from(before.next_nonce.is_some_and(|next| signed.nonce < next));
            }
        }
    }
    assert_eq!(facts.len(), Relayer::FACTS, "{facts:?}");
    assert_eq!(outcomes.len(), 4, "{outcomes:?}");
    assert!(replaced > 100 && filled > replaced, "{replaced} replaced, {filled} below the next nonce");
}
