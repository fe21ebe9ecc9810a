//! What a port may tell: each event once and in order, on one history.

use mandate::mirror::{Block, Command, Ground, News, Observation, Refusal, deadline};
use primitives::UnixMillis;

use crate::cast::*;

fn observe(life: &Life, to: u64, news: impl IntoIterator<Item = News>) -> Observation {
    let after = mirror(life).tip.block;
    *observation(after, block_of(to, 0, START), genesis(), news)
}

#[track_caller]
fn refused(life: &Life, observation: Observation, wanted: &str) {
    let mut tried = life.clone();
    let heard = tried.hears(Command::Observe(Box::new(observation)), START);
    assert_eq!(code(&heard), wanted);
    assert_eq!(tried.state, life.state);
}

// MR1
#[test]
fn events_out_of_order_or_outside_of_the_span_are_refused() {
    let life = alive([]);
    let good = || observe(&life, 105, [funded(1), funded(2)]);
    assert!(life.clone().hears(Command::Observe(Box::new(good())), START).is_ok());

    let mut swapped = good();
    swapped.told.swap(0, 1);
    refused(&life, swapped, "observation_disordered");

    let mut doubled = good();
    doubled.told[1] = doubled.told[0].clone();
    refused(&life, doubled, "observation_disordered");

    let mut two_histories = good();
    two_histories.told[1].place.block = block_of(105, 1, START);
    refused(&life, two_histories, "observation_disordered");

    let mut before = good();
    before.told[0].place.block = before.after;
    refused(&life, before, "observation_disordered");

    let mut beyond = good();
    beyond.told[1].place.block = block_of(106, 0, START);
    refused(&life, beyond, "observation_disordered");

    let mut back_in_time = good();
    back_in_time.told[0].place.block = block_of(104, 0, at(1));
    refused(&life, back_in_time, "observation_disordered");

    let mut backwards = good();
    (backwards.to, backwards.told) = (block_of(100, 3, START), Vec::new());
    refused(&life, backwards, "observation_disordered");

    let mut two_heads = good();
    two_heads.sealed = block_of(105, 9, START);
    refused(&life, two_heads, "observation_disordered");
}

// MR1
#[test]
fn a_gap_another_history_and_what_is_old_are_told_apart() {
    let mut life = alive([]);
    let command = next(&life, at(1), [funded(1)]);
    life.hears(command, at(1)).unwrap();
    let tip = mirror(&life).tip.block;
    let mut ahead = observe(&life, 110, []);
    ahead.after = block_of(105, 0, START);
    refused(&life, ahead, "observation_gap");
    let mut behind = observe(&life, 110, [funded(3)]);
    behind.after = block_of(101, 0, START);
    refused(&life, behind, "observation_gap");
    let mut forked = observe(&life, 110, []);
    forked.after = block_of(tip.number, 1, START);
    refused(&life, forked, "observation_forked");
    let old = *observation(born_in(), block_of(101, 0, START), genesis(), [funded(500)]);
    assert_eq!(life.hears(Command::Observe(Box::new(old.clone())), at(2)).unwrap(), Heard::default());
    let mut other = old;
    other.told.clear();
    other.to = block_of(101, 7, START);
    refused(&life, other, "observation_forked");
}

// MR1
#[test]
fn what_stands_between_blocks_that_tell_nothing_is_one_span() {
    let mut life = alive([]);
    let mut wide = observe(&life, 300, [funded(1)]);
    wide.told[0].place.block = block_of(200, 0, START);
    life.hears(Command::Observe(Box::new(wide)), START).unwrap();
    assert_eq!(mirror(&life).tip.block, block_of(300, 0, START));
    assert_eq!(mirror(&life).tip.mandate.funds.balance, units(501));
}

// MR2
#[test]
fn a_final_block_is_never_taken_back_and_the_creation_can_be() {
    let mut life = alive([]);
    assert_eq!(mirror(&life).ground, Ground::Creation);
    let below =
        |number| observation(block_of(number, 0, START), block_of(number + 1, 1, START), genesis(), []);
    let orphaned = life.clone().hears(Command::Rewind(below(99)), START).unwrap();
    assert_eq!(orphaned.told(), "orphaned +undo:99");

    let sealed = seal(&life);
    life.hears(sealed, START).unwrap();
    assert_eq!((mirror(&life).ground, mirror(&life).tail.len()), (Ground::Final, 0));
    for number in [99, 100] {
        let heard = life.clone().hears(Command::Rewind(below(number)), START);
        assert_eq!(heard, Err(Refusal::Sealed(block_of(101, 0, START))));
    }
    let other = observation(block_of(101, 5, START), block_of(102, 1, START), genesis(), []);
    let heard = life.hears(Command::Rewind(other), START);
    assert_eq!(code(&heard), "observation_sealed");
}

// MR2: the port knows of a final block above what it tells.
#[test]
fn what_is_told_late_is_final_at_once() {
    let mut life = alive([]);
    let mut late = observe(&life, 150, [funded(7)]);
    late.sealed = block_of(1_000, 0, at(DAY));
    life.hears(Command::Observe(Box::new(late)), START).unwrap();
    assert_eq!(mirror(&life).sealed.block, block_of(150, 0, START));
    assert_eq!(mirror(&life).sealed, mirror(&life).tip);
}

// MR2: a port that was answered nothing rewinds again.
#[test]
fn a_rewind_is_heard_once() {
    let mut life = alive([]);
    for news in [funded(1), funded(2)] {
        let command = next(&life, START, [news]);
        life.hears(command, START).unwrap();
    }
    let rewind = || {
        let after = block_of(101, 0, START);
        Command::Rewind(observation(after, block_of(102, 1, START), genesis(), [funded(4)]))
    };
    assert_eq!(life.hears(rewind(), START).unwrap().told(), "rewound +undo:101 *fund:done");
    assert_eq!(mirror(&life).tip.mandate.funds.balance, units(504));
    assert_eq!(life.hears(rewind(), START).unwrap(), Heard::default());
}

// MR7: time alone ends nothing that the contract could take; the deadline is only for looking.
#[test]
fn the_clock_alone_never_ends_what_is_on_its_way() {
    let mut life = alive([ask(request("A", 40))]);
    for _ in 0..200 {
        let at = deadline(&life.state).unwrap();
        life.hears(Command::Wake, at).unwrap();
    }
    assert!(deadline(&life.state).unwrap() > at(10 * HOUR), "the pauses grow");
    assert!(mirror(&life).asks.contains_key(&named("A")));
    let late = Block { at: UnixMillis(at(2 * HOUR).0).into(), ..block_of(102, 0, START) };
    let observed = observation(mirror(&life).tip.block, late, late, []);
    life.hears(Command::Observe(observed), at(11 * HOUR)).unwrap();
    assert!(mirror(&life).asks.is_empty());
}

// MR1: the event of a change does not say whether it had waited; its content does.
#[test]
fn an_amendment_that_waited_is_put_to_work_by_the_event_with_its_content() {
    let mut life = alive([]);
    let looser = amendment(mandate::Policy { day_cap: units(300), ..policy() }, 1);
    let scheduled = News::AmendmentScheduled { hash: looser.hash, effective_at: at(HOUR).into() };
    let command = next(&life, START, [scheduled]);
    life.hears(command, START).unwrap();
    let mut other = life.clone();
    let command = next(&other, START, [News::Amended(amendment(tighter(), 1))]);
    other.hears(command, START).unwrap();
    assert!(mirror(&other).tip.mandate.pending.is_some());
    let command = next(&life, at(HOUR), [News::Amended(looser)]);
    life.hears(command, at(HOUR)).unwrap();
    assert_eq!((mirror(&life).tip.mandate.pending, mirror(&life).tip.mandate.policy_version), (None, 2));
}
