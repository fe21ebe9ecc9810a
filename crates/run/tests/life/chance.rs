//! Lives by chance: people, shops and chains that mostly do what they should, at moments that lie on, just before and far
//! behind deadlines.

use primitives::{Millis, UnixMillis};
use proptest::prelude::*;
use rehearsal::Wait;
use run::{BrowserResult, BudgetAnswer, Command, Creation, Found, FundsAnswer, Rails, RunState, Trace};

use crate::answers::*;
use crate::cast::*;
use crate::purchase::{Life, view};
use crate::witness::Witness;

/// What is tried next.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Deed {
    /// Whatever brings the run forward; without it few lives would come far. Who waits for the wallet may be in for a
    /// surprise.
    Next(usize),
    /// The same as what happened so many commands ago.
    Again(usize),
    /// The same run again, with another token.
    Reissue(usize),
    Market(usize),
    Browser(usize),
    Lost,
    Rebind(usize),
    Wallet(usize),
    Funds(usize),
    Confirm(usize),
    Budget(usize),
    Pay(usize),
    Look(usize),
    Trace(usize),
    Reject,
    Cancel,
    Wake,
}

/// A life: what is bought, and what happens.
#[derive(Debug, Clone)]
pub(crate) struct Lot {
    pub(crate) creation: Creation,
    pub(crate) turns: Vec<(Wait, Deed)>,
    /// How much less than in another life every offer is seen to cost.
    pub(crate) less: u64,
}

fn wait() -> impl Strategy<Value = Wait> {
    prop_oneof![
        24 => (0_u64..5_000).prop_map(Wait::For),
        3 => (0_u64..700_000).prop_map(Wait::For),
        1 => (0_u64..100_000_000).prop_map(Wait::For),
        3 => (0_u64..2).prop_map(Wait::UntilBeforeDeadline),
        1 => (500_000_000_u64..800_000_000).prop_map(Wait::For),
    ]
}

fn deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        60 => (0_usize..8).prop_map(Deed::Next),
        4 => (0_usize..6).prop_map(Deed::Again),
        2 => (0_usize..6).prop_map(Deed::Market),
        1 => (0_usize..4).prop_map(Deed::Reissue),
        8 => (0_usize..16).prop_map(Deed::Browser),
        1 => Just(Deed::Lost),
        1 => (0_usize..3).prop_map(Deed::Rebind),
        4 => (0_usize..6).prop_map(Deed::Wallet),
        3 => (0_usize..7).prop_map(Deed::Funds),
        3 => (0_usize..4).prop_map(Deed::Confirm),
        3 => (0_usize..4).prop_map(Deed::Budget),
        2 => (0_usize..3).prop_map(Deed::Pay),
        4 => (0_usize..3).prop_map(Deed::Look),
        6 => (0_usize..4).prop_map(Deed::Trace),
        1 => Just(Deed::Reject),
        1 => Just(Deed::Cancel),
        6 => Just(Deed::Wake),
    ]
}

fn creations() -> impl Strategy<Value = Creation> {
    let chain = Rails::Chain { network: "eip155:84532".to_owned() };
    let rails = prop_oneof![
        6 => Just(Rails::Simulated { wallet: false }),
        1 => Just(Rails::Simulated { wallet: true }),
        0 => Just(chain),
    ];
    (rails, prop::bool::ANY).prop_map(|(rails, spends)| Creation {
        rails,
        mandate: spends.then(mandate),
        ..creation()
    })
}

pub(crate) fn lots() -> impl Strategy<Value = Lot> {
    let turns = prop::collection::vec((wait(), deed()), 1..60);
    (creations(), turns).prop_map(|(creation, turns)| Lot { creation, turns, less: 0 })
}

fn browser_result(life: &Life, number: usize, now: UnixMillis) -> Command {
    let reason = || "why".to_owned();
    let minutes = Millis::from_minutes;
    match number {
        0 | 1 => browser(life, BrowserResult::Started),
        2 => browser(life, BrowserResult::NeedsUser { reason: reason() }),
        3 => browser(life, BrowserResult::Unavailable { reason: reason() }),
        4 => browser(life, BrowserResult::Error { reason: reason() }),
        5 => quote(life, 1_104, now),
        6 => quote(life, 1_000, now.minus(minutes(8))),
        7 => quote(life, 1_000, now.minus(minutes(11))),
        8 => cart_read(life, cart("B", 1_000), now),
        9 => {
            let until = Some(now.plus(minutes(1)));
            browser(life, BrowserResult::Pix(run::PixTarget { expires_at: until, ..target(1_000) }))
        }
        10 => browser(life, BrowserResult::Pix(target(998))),
        11 => browser(life, BrowserResult::Order(order(false))),
        12 => {
            let Command::Browser { command_id, result, .. } = done(life, 1_000, now) else {
                return Command::Wake;
            };
            Command::Browser { executor: executor("F"), command_id, result }
        }
        13 => {
            let Command::Browser { executor, result, .. } = done(life, 1_000, now) else {
                return Command::Wake;
            };
            Command::Browser { executor, command_id: "cmd_4".to_owned(), result }
        }
        _ => done(life, 1_000, now),
    }
}

fn market_answer(life: &Life, number: usize, less: u64, now: UnixMillis) -> Command {
    let offers = |offers: &[(&str, u64)]| {
        let shown: Vec<_> = offers.iter().map(|(word, observed)| (*word, observed - less)).collect();
        market(life, &shown, now)
    };
    match number {
        0 => found(life, Found::Unavailable { reason: "no answer".to_owned() }),
        1 => offers(&[]),
        2 => offers(&[("A", 1_003), ("B", 6_003)]),
        3 => offers(&[("A", 1_003)]),
        _ => offers(&[("B", 1_049), ("A", 1_003), ("C", 1_201)]),
    }
}

fn wallet_report(number: usize, now: UnixMillis) -> Command {
    Command::Wallet(match number {
        0 => wallet("V", Some(7), now),
        1 => no_wallet(now),
        2 => wallet("W", None, now.minus(Millis::from_minutes(6))),
        _ => wallet("W", Some(5), now),
    })
}

fn funds_found(life: &Life, number: usize, now: UnixMillis) -> Command {
    let short_word = |minutes| requirement(check(life).2, now.plus(Millis::from_minutes(minutes)));
    match number {
        0 => funds(life, Purse::Public, now),
        1 => funds(life, Purse::Short, now),
        2 => funds_answer(life, FundsAnswer::Unavailable { reason: "no node".to_owned() }),
        3 => funds_answer(life, FundsAnswer::Refused { reason: "not today".to_owned() }),
        4 => funds_as(life, Purse::Full, short_word(1)),
        5 => funds_as(life, Purse::Full, run::Requirement { simulated: false, ..short_word(9) }),
        _ => funds(life, Purse::Full, now),
    }
}

fn yes(life: &Life, number: usize) -> Command {
    let mut yes = confirm(life, if number == 1 { None } else { Some(OWNER) });
    if let Command::Confirm { digest: asked, amount, .. } = &mut yes {
        match number {
            2 => amount.0 += 1,
            3 => *asked = digest("another"),
            _ => {}
        }
    }
    yes
}

/// What brings a run forward.
fn next(life: &Life, lot: &Lot, luck: usize, now: UnixMillis) -> Command {
    let Some(view) = view(&life.state) else { return create(lot.creation.clone()) };
    if view.pending.is_some() {
        return done(life, 1_000, now);
    }
    match view.state {
        RunState::IntentCaptured => market_answer(life, 9, lot.less, now),
        RunState::WalletRequired | RunState::ShieldRequired | RunState::PixDetected => wallet_report(9, now),
        RunState::WalletConnected => funds(life, Purse::Full, now),
        RunState::FundsChecked => wallet_report(9, now),
        RunState::PaymentReady => budget(life, BudgetAnswer::Held),
        RunState::UserConfirmation => yes(life, 0),
        RunState::PaymentAuthorized => match luck {
            0 => Command::Cancel,
            1 => traced(life, Trace::Absent),
            2 => traced(life, Trace::Found(payment("S"))),
            _ => pay("S"),
        },
        RunState::Settling => settlement(life, verified(life)),
        RunState::CandidatesNormalized
        | RunState::BestOptionSelected
        | RunState::RevalidationRequested
        | RunState::Revalidating
        | RunState::QuoteValidated
        | RunState::CheckoutPrepared
        | RunState::Settled
        | RunState::OrderConfirmed
        | RunState::NoValidOption
        | RunState::Cancelled
        | RunState::SettlementFailed
        | RunState::Failed
        | RunState::SettlementUnknown
        | RunState::OrderUnknown => Command::Wake,
    }
}

fn command(life: &Life, lot: &Lot, deed: Deed, now: UnixMillis) -> Command {
    match deed {
        Deed::Next(luck) => next(life, lot, luck, now),
        Deed::Again(back) => {
            life.granted.iter().rev().nth(back).cloned().unwrap_or_else(|| create(lot.creation.clone()))
        }
        Deed::Reissue(number) => {
            create(Creation { token: digest(&format!("token {number}")), ..lot.creation.clone() })
        }
        Deed::Market(number) => market_answer(life, number, lot.less, now),
        Deed::Browser(number) => browser_result(life, number, now),
        Deed::Lost => given(life).map_or(Command::Wake, |command| Command::ExecutorLost {
            executor: command.executor,
            command_id: command.command_id,
        }),
        Deed::Rebind(number) => Command::Rebind { executor: executor(["E", "F", "G"][number]) },
        Deed::Wallet(number) => wallet_report(number, now),
        Deed::Funds(number) => funds_found(life, number, now),
        Deed::Confirm(number) => yes(life, number),
        Deed::Budget(0) => budget(life, needs_approval()),
        Deed::Budget(1) => budget(life, refused()),
        Deed::Budget(2) => Command::BudgetLapsed { reservation: reservation(life) },
        Deed::Budget(_) => budget(life, BudgetAnswer::Held),
        Deed::Pay(0) => Command::Pay { payment: payment("used"), claim: run::Claim::Elsewhere },
        Deed::Pay(1) => pay("T"),
        Deed::Pay(_) => pay("S"),
        Deed::Look(0) => settlement(life, reverted()),
        Deed::Look(1) => settlement(life, not_seen()),
        Deed::Look(_) => settlement(life, verified(life)),
        Deed::Trace(0) => traced(life, Trace::Absent),
        Deed::Trace(1) => traced(life, Trace::Found(payment("S"))),
        Deed::Trace(_) => traced(life, not_found()),
        Deed::Reject => Command::Reject,
        Deed::Cancel => Command::Cancel,
        Deed::Wake => Command::Wake,
    }
}

/// Lives through the lot before the eyes of a witness; `see` is shown the life after each turn, and the moment.
pub(crate) fn live(lot: &Lot, mut see: impl FnMut(&Life, UnixMillis)) -> Life {
    let (mut life, mut witness, mut now) = (Life::default(), Witness::default(), START);
    for (wait, deed) in &lot.turns {
        now = match wait {
            Wait::For(millis) => now.plus(Millis(*millis)),
            Wait::UntilBeforeDeadline(millis) => {
                run::deadline(&life.state).map_or(now, |end| end.minus(Millis(*millis))).max(now)
            }
        };
        let asked = command(&life, lot, *deed, now);
        let _ = witness.hears(&mut life, asked, now);
        see(&life, now);
    }
    life
}
