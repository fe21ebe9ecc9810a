//! The object of a mandate, `mandate::life`, takes the contract's steps one by one and gives the contract's answers.
//!
//! The kept sequences are those that the bytecode has answered; more are played from one seed with the model alone, which
//! `tests/sequences.rs` holds against the bytecode. After each step reasons and their numbers, balances, reserved amounts,
//! counters, and the state of every payment must be equal. Where the object answers otherwise by design is listed in
//! `judge.rs`, with the reason; each of those must be seen, and nothing else is accepted.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::arithmetic_side_effects, reason = "small numbers of the tests' own")]
#![allow(clippy::wildcard_enum_match_arm, reason = "most of what looks at steps is about few of them")]

mod express;
mod judge;
mod shell;
mod side;

use differential::{Action, Dice, Player, Record, Signed, Step, start};
use mandate::{Reason, UnixSeconds};

use judge::DIFFERENCES;
use side::{Alarm, Sides, Tally};

const PLAYED: u64 = 1_500;
const STEPS: u64 = 45;
const SEED: u64 = 2_026;

/// The reasons that no answer of both sides can have.
const NEVER: [(Reason, &str); 11] = [
    (Reason::None, "it is no refusal"),
    (Reason::Gas, "neither the model nor the object knows of gas"),
    (Reason::Ceiling, "see the differences"),
    (Reason::TokenDelta, "see the differences"),
    (Reason::BatchSize, "the object has no batches"),
    (Reason::RequestUsed, "see the differences"),
    (Reason::RequestCancelled, "see the differences"),
    (Reason::ApprovalMissing, "see the differences"),
    (Reason::DeliveryClosed, "time has ended the escrow"),
    (Reason::CaptureClosed, "time has ended the escrow"),
    (Reason::ResolutionClosed, "time has ended the escrow"),
];

/// Fails when fewer of a thousand steps were compared, or had one answer, than `least`.
fn report(tally: &Tally, least: [u64; 2]) {
    let Tally { steps, done, refused, differ, unexpressed } = tally;
    let [compared, same] = tally.shares();
    println!(
        "{steps} steps; of a thousand {compared} were compared and {same} had one answer; {done} were done"
    );
    println!("refused alike: {refused:?}\ndifferences: {differ:?}\nwithout words: {unexpressed:?}");
    assert!(compared >= least[0], "{compared} of a thousand steps were compared, not {}", least[0]);
    assert!(same >= least[1], "{same} of a thousand steps had one answer, not {}", least[1]);
}

#[test]
fn the_object_answers_the_kept_sequences_as_the_bytecode_did() {
    let record = Record::read();
    for alarm in Alarm::ALL {
        let mut tally = Tally::default();
        for (number, sequence) in record.sequences.iter().enumerate() {
            let mut book = differential::Book::new(record.sites());
            let mut sides = Sides::new(alarm, tally);
            for (index, taken) in sequence.iter().enumerate() {
                let outcome = sides.take(&mut book, &taken.step).unwrap_or_else(|difference| {
                    panic!("sequence {number}, step {index}: {difference}\n{:#?}", taken.step)
                });
                if let Some(outcome) = outcome.filter(|_| !sides.has_strayed) {
                    assert_eq!(outcome, taken.outcome, "sequence {number}, step {index}");
                }
            }
            tally = sides.tally;
        }
        report(&tally, [939, 895]);
    }
}

#[test]
fn the_object_answers_played_sequences_as_the_model_does() {
    let sites = Record::read().sites();
    let mut tally = Tally::default();
    for number in 0..PLAYED {
        let mut dice = Dice::new(SEED + number);
        let mut player = Player::new(sites.clone(), start(&mut dice));
        let alarm = dice.of(&Alarm::ALL);
        let mut sides = Sides::new(alarm, tally);
        let mut now = UnixSeconds(0);
        for index in 0..STEPS {
            let again = dice.chance(25).then(|| sides.again(&player.book, &mut dice, now)).flatten();
            let mut step: Step = again.unwrap_or_else(|| player.next(&mut dice));
            if let Action::Authorize(item) = &mut step.action
                && dice.chance(40)
            {
                item.approval.signed = Signed::Nothing;
            }
            now = step.at;
            sides.take(&mut player.book, &step).unwrap_or_else(|difference| {
                panic!("sequence {number} of seed {SEED}, step {index}: {difference}\n{step:#?}")
            });
        }
        sides.end(&player.book, now).unwrap_or_else(|difference| panic!("sequence {number}: {difference}"));
        tally = sides.tally;
    }
    report(&tally, [934, 804]);
    for (name, why) in DIFFERENCES {
        let times = tally.differ.get(name).copied().unwrap_or_default();
        println!("{times:>8}  {name}: {why}");
        assert!(times > 0, "no sequence shows that {name}");
    }
    let is_missing = |reason: &&Reason| {
        !NEVER.iter().any(|(never, _)| never == *reason) && !tally.refused.contains_key(reason)
    };
    let missing: Vec<_> = Reason::ALL.iter().filter(is_missing).collect();
    assert!(missing.is_empty(), "no sequence makes both answer {missing:?}");
}
