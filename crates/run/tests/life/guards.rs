//! What stands between a wrong answer and the money, one by one: each of these would be believed if nobody looked.

use primitives::{BaseUnits, Millis, UnixMillis};
use run::{Cents, Command, Effect, Fact, Requirement, RunState, Verdict};

use crate::answers::*;
use crate::cast::*;
use crate::purchase::*;
use crate::script::{command, walk};

const DUE: &str = "create; wallet W; market A:1003; quote 1000; quote 1000; pix 1000";

fn asked() -> String {
    format!("{DUE}; funds full")
}

fn authorized() -> String {
    format!("{}; confirm", asked())
}

/// What is said to a command, on the record or without one; none when it is taken.
fn no(life: &mut Life, asked: Command, now: UnixMillis) -> Option<&'static str> {
    match life.hears(asked, now) {
        Ok(heard) => heard.events.iter().find_map(|event| match &event.fact {
            Fact::SignalRefused { refusal, .. } => Some(refusal.code()),
            _ => None,
        }),
        Err(refusal) => Some(refusal.code()),
    }
}

fn no_to(path: &str, phrase: &str) -> Option<&'static str> {
    let (mut life, now) = walk(path);
    let words: Vec<&str> = phrase.split_whitespace().collect();
    let asked = command(&life, &words, now).unwrap();
    no(&mut life, asked, now)
}

/// R1: the off-ramp's word is on the run's rails, about something, and in texts that make one digest only.
#[test]
fn an_off_ramp_is_taken_at_its_word_only_where_that_can_be_paid() {
    type Change = fn(&mut Requirement);
    let changes: [Change; 8] = [
        |word| word.gross = BaseUnits(0),
        |word| word.asset = "eip155:84532/usdc".to_owned(),
        |word| word.asset = "simulated".to_owned(),
        |word| word.asset = "simulated/us|dc".to_owned(),
        |word| word.pay_to = "desk|1".to_owned(),
        |word| word.reference = Some("a b".to_owned()),
        |word| word.recipient = "0x04".to_owned(),
        |word| word.recipient = "desk".to_owned(),
    ];
    for (place, change) in changes.iter().enumerate() {
        let (mut life, now) = walk(DUE);
        let mut word = requirement(check(&life).2, now.plus(Millis::from_minutes(15)));
        change(&mut word);
        let answer = funds_as(&life, Purse::Full, word);
        life.hears(answer, now).unwrap();
        let ending = shown(&life).ending.map(|ending| ending.code);
        assert_eq!(ending.as_deref(), Some("funding_refused"), "change {place}");
    }
}

/// R1: not a cent above what it may cost, and no amount that could not be read again.
#[test]
fn a_cart_is_judged_at_its_bounds() {
    let state = |most: u64| shown(&walk(&format!("create max:{most}; market A:1001; quote 1002")).0).state;
    assert_eq!((state(1_002), state(1_001)), (RunState::QuoteValidated, RunState::NoValidOption));
    let (mut life, now) = walk("create; market A:1003");
    let mut cart = cart("A", 1_000);
    for lines in [&mut cart.fees, &mut cart.discounts] {
        lines[0].amount.0 += Cents::MAX.0;
    }
    let read = cart_read(&life, cart, now);
    assert_eq!(no(&mut life, read, now), Some("malformed_cart"));
    let (life, _) = walk("create; market A:1003; quote 1000; quote 1000; +300; started; +400; pix 1000");
    assert_eq!(life.count("PIX_DETECTED"), 0, "its checkout is too old");
}

/// R3: a question ends with the first of what it is about, and a payment ten minutes after its authorization at the latest.
#[test]
fn nothing_holds_longer_than_what_it_rests_on() {
    let view = shown(&walk(&format!("{DUE}; funds full minutes:3")).0);
    assert_eq!(view.confirmation.unwrap().expires_at, view.requirement.unwrap().expires_at);
    let (life, _) = walk(&authorized().replace("quote 1000", "quote 1000 ahead:2"));
    let given = shown(&life).authorization.unwrap();
    assert_eq!(given.submit_by, given.at.plus(Millis::from_minutes(10)));
}

/// R3: only the same yes is a repetition; one to an earlier question is late, not wrong.
#[test]
fn another_yes_is_not_the_one_that_was_given() {
    assert_eq!(no_to(&authorized(), "confirm"), None);
    assert_eq!(no_to(&authorized(), "confirm digest:other"), Some("confirmation_over"));
    let (first, _) = walk(&asked());
    let (mut life, now) = walk(&format!("{}; wallet V; quote 1000; pix 1000; funds full", asked()));
    assert_eq!(no(&mut life, confirm(&first, None), now), Some("confirmation_over"));
    let yes = confirm(&life, None);
    assert_eq!(no(&mut life, yes, now), None);
}

/// R4: a payment that was named before its time is the one payment: the simulated wallet makes no other.
#[test]
fn a_simulated_wallet_does_not_pay_what_is_paid() {
    let (life, _) = walk(
        &authorized()
            .replace("create; wallet W", "create wallet; wallet W")
            .replace("confirm", "pay S; confirm"),
    );
    assert_eq!(shown(&life).state, RunState::Settling);
    assert!(!life.owed.iter().any(|effect| matches!(effect, Effect::SignPayment { .. })));
    assert_eq!(no_to(&authorized(), "pay S|T"), Some("malformed_signature"));
}

/// R5: whoever has seen less arrive has looked at something else, and looks again.
#[test]
fn less_than_was_asked_settles_nothing() {
    let (mut life, now) = walk(&format!("{}; pay S", authorized()));
    let received = BaseUnits(shown(&life).requirement.unwrap().gross.0 - 1);
    let answer = settlement(&life, Verdict::Verified { reference: "slot 9".to_owned(), received });
    life.hears(answer, now).unwrap();
    assert_eq!(life.count("SETTLEMENT_UNRESOLVED"), 1);
    assert_eq!(shown(&life).state, RunState::Settling);
}

/// R7: what time has ended is over before anything else begins.
#[test]
fn nothing_is_begun_in_a_run_whose_time_is_over() {
    let (mut life, now) = walk("create; market A:1003");
    let heard = life.hears(Command::Wake, now.plus(Millis::from_minutes(25 * 60))).unwrap();
    assert_eq!(shown(&life).state, RunState::Failed);
    assert!(!heard.owed.iter().any(|effect| matches!(effect, Effect::Dispatch { .. })), "{:?}", heard.owed);
}

/// R10: a clock that goes back stops nobody.
#[test]
fn a_run_can_be_cancelled_by_a_clock_that_goes_back() {
    let (mut life, now) = walk(&asked());
    assert_eq!(no(&mut life, Command::Cancel, now.minus(Millis::from_minutes(60))), None);
    assert_eq!(shown(&life).state, RunState::Cancelled);
}

/// R8: the end of another hold is none of this run's.
#[test]
fn another_hold_may_lapse() {
    let (mut life, now) = walk(&format!("{}; budget held", asked().replace("create", "create mandate")));
    let lapsed = Command::BudgetLapsed { reservation: digest("another hold") };
    assert_eq!(life.hears(lapsed, now), Ok(Heard::default()));
}

/// R5, R8: what may have been paid counts as paid.
#[test]
fn a_payment_that_nobody_can_find_uses_up_its_hold() {
    let held = format!("{}; budget held", asked().replace("create", "create mandate"));
    for path in [format!("{held}; cancel"), format!("{held}; pay S")] {
        let (life, _) = walk(&format!("{path}; +777600; wake"));
        assert_eq!(shown(&life).state, RunState::SettlementUnknown);
        let is_end = |effect: &&Effect| matches!(effect, Effect::Commit { .. } | Effect::Release { .. });
        let ends: Vec<&Effect> = life.owed.iter().filter(is_end).collect();
        assert!(matches!(ends[..], [Effect::Commit { .. }]), "{ends:?}");
    }
}

/// R5, R8: a payment that is named late is looked at until eight days after its authorization: its hold outlasts that.
#[test]
fn a_late_payment_is_not_looked_at_longer_than_it_is_held() {
    let late = format!("{}; +700; wake; +518400; wake; pay S", authorized());
    let state = |seconds: u32| shown(&walk(&format!("{late}; +{seconds}; wake")).0).state;
    assert_eq!((state(86_400), state(172_800)), (RunState::Settling, RunState::SettlementUnknown));
}

/// Only the bound executor, with the command that it has, can be away.
#[test]
fn another_absence_is_no_news() {
    let told = |phrase: &str| walk(&format!("create; market A:1003; {phrase}")).0.count("EXECUTOR_OFFLINE");
    assert_eq!((told("lost"), told("lost by:F"), told("lost for:cmd_1")), (1, 0, 0));
}

/// R9: what comes before its time is written down fifty times, and the first payment in any case.
#[test]
fn early_signals_are_held_fifty_times() {
    let (mut life, now) = walk("create; market A:1003");
    let mut last = None;
    for number in 1..=60 {
        let yes = command(&life, &["confirm", &format!("amount:{number}")], now).unwrap();
        last = no(&mut life, yes, now);
    }
    assert_eq!((life.count("SIGNAL_HELD"), last), (50, Some("nothing_to_confirm")));
    assert_eq!((no(&mut life, pay("S"), now), no(&mut life, pay("T"), now)), (None, Some("nothing_to_pay")));
    let (mut life, now) = walk("create; market A:1003");
    for number in 0..60 {
        last = no(&mut life, pay(&format!("S{number}")), now);
    }
    assert_eq!((life.count("SIGNAL_HELD"), last), (50, Some("nothing_to_pay")));
}

/// R2, R6: what was read may be dropped five times; what is authorized is not dropped at all.
#[test]
fn executors_change_five_times_before_the_payment_and_freely_after_it() {
    let bound = "rebind F; rebind E; rebind F; rebind E; rebind F";
    let (life, _) = walk(&format!("create; market A:1003; {bound}; rebind G"));
    assert_eq!(shown(&life).ending.map(|ending| ending.code).as_deref(), Some("checkout_unstable"));
    let path = authorized().replace("A:1003", &format!("A:1003; {bound}"));
    let (life, _) = walk(&format!("{path}; rebind E"));
    assert_eq!((shown(&life).state, shown(&life).executor), (RunState::PaymentAuthorized, executor("E")));
}

/// R3: a wallet's word counts from five minutes back to two ahead, until a newer one, and two hundred times.
#[test]
fn a_wallet_is_heard_at_its_bounds() {
    let early = "create; market A:1003";
    for (phrase, refusal) in [
        ("wallet W old:5", None),
        ("wallet W old:6", Some("wallet_report_stale")),
        ("wallet W ahead:2", None),
        ("wallet W ahead:3", Some("wallet_report_stale")),
        ("wallet W|V", Some("malformed_wallet")),
    ] {
        assert_eq!(no_to(early, phrase), refusal, "{phrase}");
    }
    let (life, _) = walk(&format!("{early}; wallet W; wallet V old:1"));
    assert_eq!(life.count("WALLET_CONNECTED"), 1);
    let (mut life, now) = walk(DUE);
    let mut last = None;
    for _ in 0..220 {
        let short = funds(&life, Purse::Short, now);
        life.hears(short, now).unwrap();
        last = no(&mut life, Command::Wallet(wallet("W", None, now)), now);
    }
    assert_eq!((life.count("FUNDS_CHECK_STARTED"), last), (200, Some("too_many_checks")));
}

/// Our wallet is asked to connect where a wallet is needed, and not before.
#[test]
fn a_wallet_that_goes_early_is_not_called_back() {
    let (life, _) = walk("create wallet; wallet W; market A:1003; wallet off");
    assert!(!life.owed.contains(&Effect::ConnectWallet));
}
