//! The committed bytecode and the model take the same steps, chosen from the model's present, and give the same answers.
//!
//! The sequences follow from one seed, so that a run is repeated by it. `DIFFERENTIAL_SEED` sets another one, and
//! `DIFFERENTIAL_CASES` how many sequences are played.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::{cell::RefCell, collections::BTreeSet, env, ops::RangeInclusive, sync::OnceLock, thread};

use differential::{Jury, Tally, World, play};
use mandate::Reason;
use proptest::{
    collection::vec,
    num::u64::ANY,
    strategy::Strategy as _,
    test_runner::{Config, RngAlgorithm, TestError, TestRng, TestRunner},
};

const SEED: u64 = 2_026;
const CASES: u32 = 3_000;
const STEPS: RangeInclusive<usize> = 15..=60;
/// As many as the machines that run this have cores.
const THREADS: u64 = 2;

/// The mutants that answer as the contract does to every input there is, with the reason.
const EQUIVALENT: [(&str, &str); 5] = [
    ("Revoked is checked after the rule that follows", "a mandate has one status, so one of the two passes"),
    ("MandateNotStarted is checked after the rule that follows", "no policy has an empty window"),
    ("ZeroAmount is checked after the rule that follows", "zero is above no cap"),
    ("ZeroRequestId is checked after the rule that follows", "no request without an id was ever authorized"),
    ("RequestUsed is checked after the rule that follows", "a payment has one state"),
];

/// What all sequences showed.
struct Report {
    tally: Tally,
    survivors: BTreeSet<String>,
    difference: Option<String>,
}

fn number(variable: &str, default: u64) -> u64 {
    env::var(variable).map_or(default, |text| text.parse().unwrap())
}

/// Plays everything, once for all tests of this file.
fn report() -> &'static Report {
    static REPORT: OnceLock<Report> = OnceLock::new();
    REPORT.get_or_init(|| {
        let seed = number("DIFFERENTIAL_SEED", SEED);
        let parts: Vec<_> =
            (0..THREADS).map(|part| thread::spawn(move || run(seed.wrapping_add(part)))).collect();
        parts.into_iter().map(|part| part.join().unwrap()).reduce(merge).unwrap()
    })
}

fn merge(mut one: Report, other: Report) -> Report {
    one.tally.add(&other.tally);
    one.survivors.retain(|name| other.survivors.contains(name));
    one.difference = one.difference.or(other.difference);
    one
}

fn run(seed: u64) -> Report {
    let cases = u32::try_from(number("DIFFERENTIAL_CASES", u64::from(CASES)) / THREADS).unwrap();
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 400, ..Config::default() };
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_be_bytes());
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &key));
    let world = World::deployed();
    let seen = RefCell::new((Tally::default(), Jury::default()));
    // A step is a number from which its choices follow; a failing sequence gets shorter, and its numbers stay.
    let outcome = runner.run(&vec(ANY.no_shrink(), STEPS), |numbers| {
        let (tally, jury) = &mut *seen.borrow_mut();
        jury.begin();
        play(world.clone(), &numbers, tally, |step| jury.hear(step))
            .map(|_| ())
            .map_err(proptest::test_runner::TestCaseError::fail)
    });
    let difference = outcome.err().map(|error| match error {
        TestError::Fail(reason, numbers) => format!("seed {seed}, numbers {numbers:?}\n{reason}"),
        TestError::Abort(reason) => format!("seed {seed}: {reason}"),
    });
    let (tally, jury) = seen.into_inner();
    Report { tally, survivors: jury.survivors(), difference }
}

#[test]
fn the_bytecode_and_the_model_give_the_same_answers() {
    let Report { tally, difference, .. } = report();
    if let Some(difference) = difference {
        panic!("the contract and the model differ: {difference}");
    }
    println!(
        "{} sequences, {} steps, {} requests of which {} were authorized",
        tally.sequences, tally.steps, tally.requests, tally.authorized
    );
}

#[test]
fn every_reason_of_the_contract_is_reached() {
    let tally = &report().tally;
    for reason in Reason::ALL {
        println!("{:>8}  {}", tally.reasons.get(reason).copied().unwrap_or_default(), reason.code());
    }
    println!("{:>8}  (the token refused)", tally.token);
    let missing: Vec<_> = Reason::ALL.iter().filter(|reason| !tally.reasons.contains_key(reason)).collect();
    assert!(missing.is_empty(), "no sequence made the contract answer {missing:?}");
    assert!(tally.token > 0, "no sequence made the token refuse");
}

#[test]
fn every_mutant_of_the_evaluator_is_killed() {
    let survivors = &report().survivors;
    for name in Jury::names() {
        let equivalent = EQUIVALENT.iter().find(|(mutant, _)| *mutant == name);
        match (equivalent, survivors.contains(&name)) {
            (Some((_, why)), _) => println!("equivalent  {name}: {why}"),
            (None, false) => println!("killed      {name}"),
            (None, true) => println!("SURVIVED    {name}"),
        }
    }
    let is_equivalent = |name: &str| EQUIVALENT.iter().any(|(mutant, _)| *mutant == name);
    let alive: Vec<_> = survivors.iter().filter(|name| !is_equivalent(name)).collect();
    assert!(alive.is_empty(), "no sequence tells these from the contract: {alive:#?}");
    let wrong: Vec<_> = EQUIVALENT.iter().filter(|(mutant, _)| !survivors.contains(*mutant)).collect();
    assert!(wrong.is_empty(), "these are not equivalent after all: {wrong:#?}");
}
