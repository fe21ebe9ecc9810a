//! What is refused, how much is kept, and which events contradict a journal.

use primitives::{BaseUnits, Millis};
use relayer::{
    Bytes, Call, Command, Event, Fact, Fees, Fixed, Job, Policy, Purpose, Receipt, Refusal, Signed, State,
    Verdict, apply, limits, to_look_up, to_send, unsigned,
};

use crate::cast::*;

/// A policy under which only the limits say no.
const GENEROUS: Policy = Policy { daily_gas_per_payer: u64::MAX, open_max: usize::MAX, ..POLICY };

fn offer(life: &mut Life, job: Job) -> Result<Heard, Refusal> {
    life.hears(Command::Submit { job, policy: GENEROUS }, START)
}

fn plain(id: &str) -> Job {
    job(id, START.plus(WINDOW))
}

/// A key at nonce 5 with `count` jobs that wait.
fn busy(count: usize) -> Life {
    let mut life = Life::default();
    life.hears(look(5, Vec::new()), START).unwrap();
    for number in 0..count {
        offer(&mut life, Job { payer: "one".to_owned(), ..plain(&number.to_string()) }).unwrap();
    }
    life
}

// R9
#[test]
fn a_job_outside_the_limits_is_refused() {
    let long = || "x".repeat(limits::NAME_BYTES_MAX + 1);
    let input = |length: usize| Bytes(vec![0; length]);
    for job in [
        plain(""),
        plain(&long()),
        Job { payer: String::new(), ..plain("A") },
        Job { payer: long(), ..plain("A") },
        Job { input: input(limits::INPUT_BYTES_MAX + 1), ..plain("A") },
        Job { gas_limit: limits::TRANSFER_GAS - 1, ..plain("A") },
        Job { gas_limit: limits::JOB_GAS_MAX + 1, ..plain("A") },
    ] {
        assert_eq!(offer(&mut Life::default(), job.clone()), Err(Refusal::OutOfBounds), "{job:?}");
    }
    let largest = Job {
        payer: "x".repeat(limits::NAME_BYTES_MAX),
        input: input(limits::INPUT_BYTES_MAX),
        gas_limit: limits::JOB_GAS_MAX,
        ..plain(&"x".repeat(limits::NAME_BYTES_MAX))
    };
    assert!(offer(&mut Life::default(), largest).is_ok());
    assert!(offer(&mut Life::default(), Job { gas_limit: limits::TRANSFER_GAS, ..plain("A") }).is_ok());
    let late = Job { not_after: START, ..plain("A") };
    assert_eq!(offer(&mut Life::default(), late), Err(Refusal::Expired));
}

// R9
#[test]
fn jobs_and_payers_are_counted() {
    let mut life = busy(limits::JOBS_MAX);
    assert_eq!(offer(&mut life, plain("more")), Err(Refusal::Busy));
    assert_eq!(offer(&mut life, plain("0")), Ok(Heard::default()));
    life.hears(Command::Wake, START.plus(WINDOW)).unwrap();
    let mut life = busy(0);
    for number in 0..limits::PAYERS_MAX {
        life.state.spending.gas.insert(number.to_string(), GAS);
    }
    life.state.spending.day = START.seconds() / 86_400;
    assert_eq!(offer(&mut life, plain("A")), Err(Refusal::Busy));
    assert!(offer(&mut life, Job { payer: "7".to_owned(), ..plain("A") }).is_ok());
    life.state.spending.day -= 1;
    assert!(offer(&mut life, plain("B")).is_ok());
    assert_eq!(life.state.spending.gas.len(), 1);
}

// R9
#[test]
fn no_more_nonces_are_open_than_the_policy_and_the_limit_allow() {
    let mut life = busy(limits::OPEN_MAX + 10);
    let list = |life: &Life, open_max| {
        unsigned(&life.state, &market(10, 2), &Policy { open_max, ..GENEROUS }, START)
    };
    let counts = [0, 3, usize::MAX].map(|open_max| list(&life, open_max).len());
    assert_eq!(counts, [0, 3, limits::OPEN_MAX]);
    life.hears(Command::Sign(list(&life, 3).into_iter().map(sign).collect()), START).unwrap();
    assert_eq!([2, 3, 5].map(|open_max| list(&life, open_max).len()), [0, 0, 2]);
}

// R9
#[test]
fn a_long_gap_is_filled_in_parts() {
    let mut life = Life::default();
    life.hears(look(100, Vec::new()), START).unwrap();
    offer(&mut life, Job { not_after: START.plus(Millis::from_minutes(9)), ..plain("A") }).unwrap();
    signs(&mut life, &market(10, 2), START).unwrap();
    life.hears(look(0, Vec::new()), START).unwrap();
    let confirmed = START.plus(limits::GAP_CONFIRMATION);
    signs(&mut life, &market(10, 2), confirmed).unwrap();
    let open: Vec<u64> = life.state.open.keys().copied().collect();
    assert_eq!(open, (0..64).chain([100]).collect::<Vec<_>>());
    assert!(unsigned(&life.state, &market(10, 2), &POLICY, confirmed).is_empty());
}

// R6: a chain without tips, and a cap that was lowered below what is out.
#[test]
fn fees_are_raised_from_nothing_and_never_above_the_cap() {
    let mut life = busy(1);
    signs(&mut life, &market(0, 0), START).unwrap();
    let mut last = Fees { max_fee: BaseUnits(0), priority_fee: BaseUnits(0) };
    assert_eq!(life.state.open[&5].fees, last);
    let mut now = START;
    for _ in 0..60 {
        now = now.plus(limits::BUMP_AFTER);
        if signs(&mut life, &market(0, 0), now).unwrap() == Heard::default() {
            break;
        }
        let fees = life.state.open[&5].fees;
        assert!(fees.max_fee > last.max_fee && fees.priority_fee > last.priority_fee);
        last = fees;
    }
    assert!(last.max_fee.0 > 88 && last.max_fee.0 <= 100, "{last:?}");
    let lowered = Policy { max_fee_per_gas: BaseUnits(50), ..POLICY };
    assert!(unsigned(&life.state, &market(10, 2), &lowered, now.plus(limits::BUMP_AFTER)).is_empty());
    let raised = Policy { max_fee_per_gas: BaseUnits(u128::MAX), ..POLICY };
    let dear = market(u128::MAX, u128::MAX);
    let list = unsigned(&life.state, &dear, &raised, now.plus(limits::BUMP_AFTER));
    assert_eq!(list[0].fees.max_fee, BaseUnits(u128::MAX));
}

// R3, R5
#[test]
fn the_latest_bytes_are_sent_again_and_every_hash_is_looked_up() {
    let mut life = busy(2);
    let Job { to, input, gas_limit, .. } = plain("0");
    let call = unsigned(&life.state, &market(10, 2), &GENEROUS, START)[0].call.clone();
    assert_eq!(call, Call::Job { to, input, gas_limit });
    signs(&mut life, &market(10, 2), START).unwrap();
    signs(&mut life, &market(10, 2), START.plus(limits::BUMP_AFTER)).unwrap();
    let sent = |life: &Life| to_send(&life.state).into_iter().map(|(nonce, _)| nonce).collect::<Vec<_>>();
    assert_eq!(sent(&life), [5, 6]);
    assert_eq!(*to_send(&life.state)[0].1, life.state.open[&5].raw);
    assert_eq!(to_look_up(&life.state), [hash(&life, 5, 1), hash(&life, 5, 2), hash(&life, 6, 1)]);
    life.hears(look(6, Vec::new()), START).unwrap();
    assert_eq!(sent(&life), [6]);
    assert_eq!(to_look_up(&life.state).len(), 3);
}

// R1, R2, R6
#[test]
fn what_was_not_to_be_signed_is_refused_whole() {
    let mut life = busy(2);
    let list = unsigned(&life.state, &market(10, 2), &GENEROUS, START);
    let good: Vec<Signed> = list.into_iter().map(sign).collect();
    let with = |change: fn(&mut Signed)| {
        let mut signed = good.clone();
        change(&mut signed[1]);
        signed
    };
    for signed in [
        with(|it| it.nonce = 5),
        with(|it| it.nonce = 7),
        with(|it| it.nonce = 4),
        with(|it| it.purpose = Purpose::Job("0".to_owned())),
        with(|it| it.purpose = Purpose::Job("stranger".to_owned())),
        with(|it| it.purpose = Purpose::Void),
    ] {
        assert_eq!(life.hears(Command::Sign(signed), START), Err(Refusal::OutOfTurn));
    }
    life.hears(Command::Sign(good.clone()), START).unwrap();
    assert_eq!(life.hears(Command::Sign(good.clone()), START), Err(Refusal::OutOfTurn));
    let cheap = Fees { max_fee: BaseUnits(1_000), ..good[0].fees };
    let cheap = Signed { fees: cheap, ..good[0].clone() };
    assert_eq!(life.hears(Command::Sign(vec![cheap]), START), Err(Refusal::OutOfTurn));
    let fees = Fees { max_fee: BaseUnits(1_000), priority_fee: BaseUnits(1_000) };
    let dear = |purpose: Purpose| Command::Sign(vec![Signed { purpose, fees, ..good[0].clone() }]);
    let job = good[0].purpose.clone();
    assert!(life.clone().hears(dear(job.clone()), START).is_ok());
    assert_eq!(life.hears(dear(good[1].purpose.clone()), START), Err(Refusal::OutOfTurn));
    let mut taken = life.clone();
    taken.hears(look(6, Vec::new()), START).unwrap();
    assert_eq!(taken.hears(dear(job.clone()), START), Err(Refusal::OutOfTurn));
    // What is given up stays given up.
    signs(&mut life, &market(10, 2), START.plus(WINDOW).plus(limits::CANCEL_GRACE)).unwrap();
    assert_eq!(life.hears(dear(job), START), Err(Refusal::OutOfTurn));
    assert!(life.hears(dear(Purpose::Void), START).is_ok());
}

#[test]
fn an_event_that_cannot_follow_is_corrupt() {
    let mut life = busy(1);
    signs(&mut life, &market(10, 2), START).unwrap();
    life.hears(submit("A"), START).unwrap();
    let nobody = Receipt { ..receipt(Fixed([0; 32]), Verdict::Succeeded) };
    let own = receipt(hash(&life, 5, 1), Verdict::Succeeded);
    for fact in [
        Fact::Submitted { job: plain("A") },
        Fact::Submitted { job: plain("0") },
        Fact::Synchronized { next_nonce: 9 },
        Fact::Mined { nonce: 5, receipt: nobody },
        Fact::Mined { nonce: 6, receipt: own },
        Fact::Taken { nonce: 6 },
        Fact::Restored { nonce: 5 },
        Fact::Displaced { nonce: 5 },
        Fact::Expired { job: "0".to_owned() },
        Fact::GapSeen { from: 5 },
        Fact::GapGone,
    ] {
        let event = Event { at: START, fact };
        assert!(apply(life.state.clone(), &event).is_err(), "{event:?}");
    }
    for fact in [
        Fact::LookStarted { next_at: START },
        Fact::ResendStarted { next_at: START },
        Fact::Synchronized { next_nonce: 5 },
    ] {
        let event = Event { at: START, fact };
        assert!(apply(busy(0).state, &event).is_err(), "{event:?}");
    }
    let corrupt = apply(State::default(), &Event { at: START, fact: Fact::GapGone }).unwrap_err();
    let words = "an event recorded at 2026-11-30T14:00:00.000Z does not follow from UNSYNCHRONIZED";
    assert_eq!(corrupt.to_string(), words);
}

#[test]
fn refusals_have_stable_codes_and_say_whether_to_try_again() {
    use Refusal::*;
    let told = [OutOfBounds, Expired, Busy, GasBudget, OutOfTurn].map(|no| (no.code(), no.may_retry()));
    let expected = [
        ("job_out_of_bounds", false),
        ("job_expired", false),
        ("relayer_busy", true),
        ("gas_budget_exceeded", true),
        ("signed_out_of_turn", false),
    ];
    assert_eq!(told, expected);
    assert!(OutOfBounds.to_string().contains("4096 bytes"));
}

/// The snapshot is written with every event, so its size is what an event costs.
#[test]
fn a_full_key_has_a_snapshot_of_bounded_size() {
    let mut life = busy(0);
    for number in 0..limits::OPEN_MAX {
        let id = format!("{number:064}");
        let payer = format!("0x{number:040}");
        offer(&mut life, Job { payer, input: Bytes(vec![0xab; 300]), ..plain(&id) }).unwrap();
    }
    let list = unsigned(&life.state, &market(10, 2), &GENEROUS, START);
    let raw = || Bytes(vec![0xcd; 420]);
    let signed = list.into_iter().map(|it| it.signed(Fixed([0xee; 32]), raw())).collect();
    life.hears(Command::Sign(signed), START.plus(Millis(1))).unwrap();
    let size = serde_json::to_string(&life.state).unwrap().len();
    println!("{size} bytes of snapshot with {} open nonces", life.state.open.len());
    assert!(size < 150_000, "{size}");
}
