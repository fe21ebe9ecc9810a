//! L11: what there can be of everything, and what it costs.

use alloy_primitives::{B256, U256};
use mandate::life::{Act, Bound, Change, Command, Refusal, State, apply, deadline, decide, limits};
use mandate::*;
use primitives::UnixMillis;

use crate::cast::*;

/// A mandate in which nothing but the object's own bounds is in the way.
fn generous() -> Creation {
    let most = AMOUNT_MAX;
    let policy = Policy {
        payment_cap: most,
        day_cap: most,
        month_cap: most,
        lifetime_cap: most,
        day_count: u32::MAX,
        ..policy()
    };
    let mut creation = Creation { policy, ..creation() };
    creation.entries[0].limits.payment_cap = most;
    creation.entries[0].limits.window_cap = most;
    creation
}

fn entry(number: usize) -> Entry {
    let service = B256::from(U256::from(number) << 128);
    Entry { key: EntryKey { recipient: PROVIDER, service }, ..generous().entries[0] }
}

fn with_entries(count: usize) -> Creation {
    let mut creation = generous();
    creation.entries.extend((1..count).map(entry));
    creation
}

fn rich(creation: Creation) -> Life {
    Life::of([create_as(creation), fund(1 << 90)])
}

fn length(state: &State) -> usize {
    serde_json::to_string(state).unwrap().len()
}

/// The name in text of the `number`th payment.
fn word(number: usize) -> String {
    format!("N{number:05}")
}

/// Lets the state hear a command without keeping a journal. Answers how many events there were.
fn step(state: &mut State, command: Command, now: UnixMillis) -> Result<usize, Refusal> {
    let events = decide(state, command, now)?;
    for event in &events {
        *state = apply(std::mem::take(state), event).unwrap();
    }
    Ok(events.len())
}

/// L11
#[test]
fn a_mandate_has_a_thousand_entries_and_not_one_more() {
    let beyond = Err(Refusal::Beyond(Bound::Entries));
    assert_eq!(Life::default().hears(create_as(with_entries(limits::ENTRIES + 1)), START), beyond);
    let mut life = rich(with_entries(limits::ENTRIES));
    assert!(length(&life.state) < 400_000, "{}", length(&life.state));
    assert_eq!(code(&hears(&mut life, ask(request("A", 40)), START)), "none");
    let amend = |entries| {
        let amended = Amendment { entries, ..*amendment(generous().policy, 1) };
        change(Change::Amend(Box::new(amended)), OWNER)
    };
    assert_eq!(life.hears(amend(vec![entry(limits::ENTRIES)]), START), beyond);
    assert_eq!(life.hears(amend(vec![entry(1); limits::ENTRIES + 1]), START), beyond);
    assert_eq!(code(&life.hears(amend(vec![entry(1); limits::ENTRIES]), START)), "none");
}

/// L11
#[test]
fn a_label_is_bounded() {
    let create = |length| Command::Create {
        creation: Box::new(creation()),
        token: Token::Answers,
        label: "l".repeat(length),
    };
    let beyond = Err(Refusal::Beyond(Bound::Label));
    assert_eq!(Life::default().hears(create(limits::LABEL_BYTES + 1), START), beyond);
    assert!(Life::default().hears(create(limits::LABEL_BYTES), START).is_ok());
}

/// A mandate that is full of everything.
fn full() -> State {
    let mut state = rich(with_entries(limits::ENTRIES)).state;
    for number in 0..limits::OPEN {
        step(&mut state, ask(request(&word(number), 60)), START).unwrap();
        step(&mut state, deliver(&word(number)), START).unwrap();
    }
    for number in 0..limits::WAITING {
        let waiting = word(50_000 + number);
        step(&mut state, ask(request(&waiting, 80)), START).unwrap();
        step(&mut state, approve(&waiting, at(HOUR)), START).unwrap();
    }
    for number in 0..limits::RESERVATIONS {
        let asker = "a".repeat(limits::ASKER_BYTES);
        let hold = life::Hold { asker, ..hold(50, at(HOUR)) };
        step(&mut state, reserve(&word(70_000 + number), hold), START).unwrap();
    }
    state
}

/// L11
#[test]
fn a_full_mandate_fits_in_a_row_and_takes_no_more() {
    let mut state = full();
    assert!(length(&state) < 800_000, "{}", length(&state));
    let beyond = |what| Err(Refusal::Beyond(what));
    assert_eq!(step(&mut state, ask(request("A", 60)), START), beyond(Bound::Open));
    assert_eq!(step(&mut state, act(&word(50_000), Act::Submit, AGENT), START), beyond(Bound::Open));
    assert_eq!(step(&mut state, ask(request("A", 80)), START), beyond(Bound::Waiting));
    assert_eq!(step(&mut state, reserve("R", hold(50, at(9))), START), beyond(Bound::Reservations));
    // One that ends makes room for one.
    step(&mut state, act(&word(7), Act::Accept, OWNER), START).unwrap();
    step(&mut state, act(&word(50_000), Act::Submit, AGENT), START).unwrap();
    step(&mut state, ask(request("A", 80)), START).unwrap();
    step(&mut state, release_of(&word(70_007)), START).unwrap();
    step(&mut state, reserve("R", hold(50, at(9))), START).unwrap();
}

fn release_of(word: &str) -> Command {
    let asker = "a".repeat(limits::ASKER_BYTES);
    Command::Release { reservation: named(word), asker, closed: None }
}

/// L11, L9: each command records a bounded number of what is overdue, whatever is asked first works at once, and the
/// deadline asks for the rest.
#[test]
fn what_time_does_at_once_is_done_in_steps() {
    let mut state = full();
    let late = at(3 * DAY);
    assert_eq!(step(&mut state, change(Change::Pause, OWNER), late), Ok(limits::STEPS + 1));
    assert!(deadline(&state).is_some_and(|due| due < late));
    // What concerns the command's own subject has happened, though its turn has not come.
    let last = word(limits::OPEN - 1);
    assert_eq!(
        step(&mut state, act(&last, Act::Void, PROVIDER), late),
        Err(Refusal::Unavailable(life::Progress::Settled))
    );
    let reserved = release_of(&word(70_000 + limits::RESERVATIONS - 1));
    assert_eq!(step(&mut state, reserved, late), Ok(limits::STEPS));
    let mut wakes = 0;
    while deadline(&state).is_some() {
        assert!((1..=limits::STEPS).contains(&step(&mut state, Command::Wake, late).unwrap()));
        wakes += 1;
    }
    let all = limits::OPEN + limits::WAITING + limits::RESERVATIONS;
    assert_eq!(wakes, all.div_ceil(limits::STEPS) - 2);
}

/// L11
#[test]
fn what_is_over_leaves_nothing_behind() {
    let mut life = alive([
        ask(request("A", 40)),
        deliver("A"),
        act("A", Act::Accept, OWNER),
        ask(request("B", 80)),
        reject("B"),
        cancel(request("C", 40), OWNER),
        reserve("R", hold(50, at(9))),
        commit("R", 50),
        reserve("S", hold(50, at(9))),
        release("S"),
    ]);
    hears(&mut life, refund("A", 10), START).unwrap();
    let book = book(&life);
    assert!(book.requests.is_empty() && book.reservations.is_empty() && book.mandate.payments.is_empty());
}

/// L11: neither the state nor the events of a command grow with what was done before.
#[test]
fn ten_thousand_requests_leave_a_mandate_as_small_as_ten() {
    let mut state = rich(generous()).state;
    let mut longest = [0, 0];
    for number in 0..10_000_usize {
        let now = at(u64::try_from(number).unwrap() * 2_400);
        let word = word(number);
        // Every other one is accepted; the rest is claimed by the object a day later.
        assert!(step(&mut state, ask(request_at(&word, 40, now)), now).unwrap() <= 2);
        step(&mut state, deliver(&word), now).unwrap();
        if number % 2 == 0 {
            step(&mut state, act(&word, Act::Accept, OWNER), now).unwrap();
        }
        if number % 8 == 0 {
            let half = usize::from(number >= 5_000);
            longest[half] = longest[half].max(length(&state));
        }
    }
    // Some numbers have gained a digit.
    assert!(longest[1] <= longest[0] + 50, "{longest:?}");
    assert!(longest[1] < 30_000, "{longest:?}");
    let book = state.book().unwrap();
    assert_eq!(book.mandate.lifetime_spent, units(400_000));
    assert!(book.requests.len() <= 19);
}

/// Amounts that nobody has are refused, and nothing overflows.
#[test]
fn amounts_at_the_ends_of_their_range_are_refused() {
    let mut life = rich(generous());
    let asked = |amount| ask(Request { max_amount: primitives::BaseUnits(amount), ..request("A", 0) });
    assert_eq!(code(&hears(&mut life, asked(0), START)), "zero_amount");
    assert_eq!(code(&hears(&mut life, asked(u128::MAX), START)), "entry_payment_cap");
    assert_eq!(code(&hears(&mut life, asked(AMOUNT_MAX.0), START)), "funds");
    let funded = |amount| change(Change::Fund { amount }, OWNER);
    assert_eq!(code(&hears(&mut life, funded(U256::MAX), START)), "amount_too_large");
    assert_eq!(code(&hears(&mut life, funded(U256::ZERO), START)), "zero_amount");
}
