//! Lives by chance: parties who mostly do what they may, at moments that lie on, just before and far behind deadlines.

use alloy_primitives::{Address, B256, U256};
use mandate::life::{Act, Change, Command, Hold, Progress, progress};
use mandate::{Policy, Request, Status};
use primitives::UnixMillis;
use proptest::prelude::*;
use rehearsal::Wait;

use crate::cast::*;

/// What is tried next.
#[derive(Debug, Clone)]
pub(crate) enum Deed {
    /// Whatever brings this request forward; without it few lives would come far.
    Next {
        word: usize,
        amount: u128,
    },
    Ask {
        word: usize,
        amount: u128,
    },
    Cancel(usize),
    /// One of the acts, by its number.
    Act {
        word: usize,
        act: usize,
        amount: u128,
    },
    Change {
        change: usize,
        amount: u128,
    },
    Reserve {
        word: usize,
        amount: u128,
        seconds: u64,
        approved: bool,
    },
    Commit {
        word: usize,
        amount: u128,
    },
    Release(usize),
    Wake,
}

/// One thing that happens.
#[derive(Debug, Clone)]
pub(crate) struct Turn {
    pub(crate) deed: Deed,
    /// Whether the party does it that may.
    pub(crate) honest: bool,
}

const WORDS: [&str; 12] = ["A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L"];
const HELD: [&str; 8] = ["R", "S", "T", "U", "V", "W", "X", "Y"];

fn wait() -> impl Strategy<Value = Wait> {
    prop_oneof![
        12 => (0_u64..60_000).prop_map(Wait::For),
        4 => (0_u64..4_000_000).prop_map(Wait::For),
        4 => (0_u64..2).prop_map(Wait::UntilBeforeDeadline),
        1 => (0_u64..100_000_000).prop_map(Wait::For),
    ]
}

fn amount() -> impl Strategy<Value = u128> {
    prop_oneof![4 => 1_u128..61, 3 => 61_u128..95, 1 => Just(60_u128), 1 => Just(0_u128)]
}

fn deed() -> impl Strategy<Value = Deed> {
    let (word, held) = (0..WORDS.len(), 0..HELD.len());
    prop_oneof![
        20 => (0..5_usize, amount()).prop_map(|(word, amount)| Deed::Next { word, amount }),
        4 => (word.clone(), amount()).prop_map(|(word, amount)| Deed::Ask { word, amount }),
        1 => word.clone().prop_map(Deed::Cancel),
        8 => (word, 0..13_usize, amount()).prop_map(|(word, act, amount)| Deed::Act { word, act, amount }),
        4 => (0..9_usize, amount()).prop_map(|(change, amount)| Deed::Change { change, amount }),
        5 => (held.clone(), amount(), 0_u64..90_000, prop::bool::weighted(0.3))
            .prop_map(|(word, amount, seconds, approved)| Deed::Reserve { word, amount, seconds, approved }),
        3 => (held.clone(), amount()).prop_map(|(word, amount)| Deed::Commit { word, amount }),
        2 => held.prop_map(Deed::Release),
        2 => Just(Deed::Wake),
    ]
}

pub(crate) fn turns() -> impl Strategy<Value = Vec<(Wait, Turn)>> {
    let turn = (wait(), deed(), prop::bool::weighted(0.9));
    prop::collection::vec(turn.prop_map(|(wait, deed, honest)| (wait, Turn { deed, honest })), 1..60)
}

/// The request of that name: as it was made, or a fresh one.
fn request_of(life: &Life, word: &str, amount: u128) -> Request {
    let open = life.state.book().and_then(|book| book.requests.get(&named(word))).map(|ask| ask.request);
    let made = open.or_else(|| filed(life, named(word)).map(|filed| filed.request));
    let (now, policy_version) =
        life.state.book().map_or((START, 1), |book| (book.latest, book.mandate.policy_version));
    made.unwrap_or_else(|| Request { policy_version, ..request_at(word, amount, now) })
}

fn end_of_approval(now: UnixMillis, amount: u128) -> UnixMillis {
    UnixMillis(now.0 + u64::try_from(amount).unwrap() * 60_000)
}

fn act_of(
    life: &Life,
    word: &str,
    number: usize,
    amount: u128,
    party: impl Fn(Address) -> Address,
) -> Command {
    let now = life.state.book().map_or(START, |book| book.latest);
    let evidence = if amount < 30 { B256::ZERO } else { B256::repeat_byte(0xdd) };
    match number {
        0 => approve(word, end_of_approval(now, amount)),
        1 => act(word, Act::Reject { note: "No.".to_owned() }, party(OWNER)),
        2 => act(word, Act::Submit, party(AGENT)),
        3 => act(word, Act::Deliver { receipt: B256::repeat_byte(0xee) }, party(PROVIDER)),
        4 => act(word, Act::Accept, party(OWNER)),
        5 => act(word, Act::Dispute { evidence }, party(OWNER)),
        6 => act(word, Act::Capture { total: units(amount) }, party(PROVIDER)),
        7 => act(word, Act::Claim, party(STRANGER)),
        8 => act(word, Act::Void, party(PROVIDER)),
        9 => act(word, Act::Resolve { to_provider: units(amount) }, party(RESOLVER)),
        10 => act(word, Act::TimeOut, party(STRANGER)),
        11 => act(word, Act::Expire, party(STRANGER)),
        _ => act(word, Act::Refund { total: units(amount) }, party(PROVIDER)),
    }
}

fn change_of(life: &Life, number: usize, amount: u128, party: impl Fn(Address) -> Address) -> Command {
    let version = life.state.book().map_or(1, |book| book.mandate.policy_version);
    let day_cap = units(240 + 10 * u128::from(version % 4));
    let amended = amendment(Policy { day_cap, ..policy() }, version);
    let money = U256::from(amount);
    match number {
        0 => change(Change::Amend(amended), party(OWNER)),
        1 => change(Change::ApplyAmendment(amended), party(STRANGER)),
        2 => change(Change::CancelAmendment, party(OWNER)),
        3 => change(Change::Pause, party(OWNER)),
        4 => change(Change::Unpause, party(OWNER)),
        5 | 6 => change(Change::Fund { amount: money * U256::from(10) }, party(OWNER)),
        7 => change(Change::Withdraw { amount: money }, party(OWNER)),
        // Little happens after these, so they are rare.
        _ if amount == 0 => change(Change::Revoke, party(OWNER)),
        _ if amount == 60 => change(Change::Renounce, party(AGENT)),
        _ => Command::Wake,
    }
}

/// What brings a request forward.
fn next(life: &Life, word: &str, amount: u128, party: impl Fn(Address) -> Address) -> Command {
    if life.state.book().is_some_and(|book| book.mandate.status == Status::Paused) {
        return change(Change::Unpause, OWNER);
    }
    let row = filed(life, named(word));
    let number = match progress(&life.state, named(word), row.as_deref()) {
        None => return ask(request_of(life, word, amount)),
        Some(Progress::AwaitingApproval) => 0,
        Some(Progress::Approved) => 2,
        Some(Progress::Escrowed) => 3,
        Some(Progress::Delivered) if amount < 8 => 4,
        Some(Progress::Delivered) if amount < 40 => 5,
        Some(Progress::Delivered) if amount < 50 => 6,
        Some(Progress::Delivered) => 7,
        Some(Progress::Disputed) if amount > 60 => return Command::Wake,
        Some(Progress::Disputed) => return act_of(life, word, 9, amount / 3, party),
        Some(
            Progress::Settled
            | Progress::TimedOut
            | Progress::Voided
            | Progress::Refunded
            | Progress::Rejected
            | Progress::Expired
            | Progress::Cancelled,
        ) => 12,
    };
    act_of(life, word, number, amount, party)
}

/// The reservation that is to end: for the honest one that is held, if any is.
fn ended(life: &Life, word: usize, honest: bool) -> Option<&'static str> {
    let is_held = |name: &&&str| book(life).reservations.contains_key(&named(name));
    if honest { HELD.iter().filter(is_held).cycle().nth(word).copied() } else { Some(HELD[word]) }
}

fn command(life: &Life, turn: &Turn) -> Command {
    if life.state.book().is_none() {
        return create();
    }
    if life.count("fund") == 0 {
        return fund(700);
    }
    let party = |who: Address| if turn.honest { who } else { STRANGER };
    match turn.deed {
        Deed::Next { word, amount } => next(life, WORDS[word], amount, party),
        Deed::Ask { word, amount } => ask(request_of(life, WORDS[word], amount)),
        Deed::Cancel(word) => cancel(request_of(life, WORDS[word], 40), party(AGENT)),
        Deed::Act { word, act, amount } => act_of(life, WORDS[word], act, amount, party),
        Deed::Change { change, amount } => change_of(life, change, amount, party),
        Deed::Reserve { word, amount, seconds, approved } => {
            let now = life.state.book().map_or(START, |book| book.latest);
            let hold = hold(amount, UnixMillis(now.0 + seconds * 1_000));
            reserve(HELD[word], Hold { approved, ..hold })
        }
        Deed::Commit { word, amount } => {
            ended(life, word, turn.honest).map_or(Command::Wake, |name| commit(name, amount))
        }
        Deed::Release(word) => ended(life, word, turn.honest).map_or(Command::Wake, release),
        Deed::Wake => Command::Wake,
    }
}

/// Lives through the turns; `see` is shown the life after each, and the moment.
pub(crate) fn live(turns: &[(Wait, Turn)], see: impl FnMut(&Life, UnixMillis)) -> Life {
    Life::live(turns, |life, turn| informed(life, command(life, turn)), see)
}
