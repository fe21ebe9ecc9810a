//! Lives by chance: an agent, an owner, a port that mostly tells what is, and a chain that does what it likes.

use std::collections::BTreeMap;

use alloy_primitives::{Address, Bytes};
use mandate::mirror::{Answer, Call, Command, Effect, Progress, deadline};
use mandate::{Reason, Request};
use primitives::{Millis, UnixMillis};
use proptest::prelude::*;

use crate::cast::*;
use crate::contract::{ACTS, CHANGES, Contract};

/// What is tried next.
#[derive(Debug, Clone)]
pub(crate) enum Deed {
    /// Whatever brings this request forward; without it few lives would come far.
    Next {
        word: usize,
        amount: u128,
    },
    Reject(usize),
    Cancel {
        word: usize,
        signed: bool,
    },
    /// The port speaks of a request: `answer` by its number.
    Port {
        word: usize,
        answer: usize,
    },
    /// A block holds a call that was sent at some time.
    Carry(usize),
    /// A block holds a request that was never made here.
    Outside {
        word: usize,
        amount: u128,
    },
    /// A block holds an act.
    Act {
        place: usize,
        act: usize,
        total: u128,
    },
    /// A block holds a change.
    Change {
        change: usize,
        amount: u128,
    },
    /// An empty block.
    Empty,
    /// Blocks leave.
    Reorganize(usize),
    /// All but so many blocks are final.
    Seal(usize),
    /// The port tells at most so many blocks.
    Tell(usize),
    /// The port tells again what it told so many commands ago.
    Again(usize),
    Wake,
}

/// How long it takes until then.
#[derive(Debug, Clone)]
pub(crate) enum Wait {
    For(u64),
    UntilBeforeDeadline(u64),
}

const WORDS: [&str; 12] = ["A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L"];

fn wait() -> impl Strategy<Value = Wait> {
    prop_oneof![
        14 => (0_u64..40_000).prop_map(Wait::For),
        4 => (0_u64..3_000_000).prop_map(Wait::For),
        3 => (0_u64..2).prop_map(Wait::UntilBeforeDeadline),
        1 => (0_u64..90_000_000).prop_map(Wait::For),
    ]
}

fn amount() -> impl Strategy<Value = u128> {
    prop_oneof![4 => 1_u128..61, 3 => 61_u128..95, 1 => Just(60_u128), 1 => Just(0_u128)]
}

fn deed() -> impl Strategy<Value = Deed> {
    let word = 0..WORDS.len();
    prop_oneof![
        14 => (word.clone(), amount()).prop_map(|(word, amount)| Deed::Next { word, amount }),
        1 => word.clone().prop_map(Deed::Reject),
        2 => (word.clone(), any::<bool>()).prop_map(|(word, signed)| Deed::Cancel { word, signed }),
        9 => (word.clone(), 0..9_usize).prop_map(|(word, answer)| Deed::Port { word, answer }),
        9 => (0..9_usize).prop_map(Deed::Carry),
        1 => (word, amount()).prop_map(|(word, amount)| Deed::Outside { word, amount }),
        12 => (0..9_usize, 0..3 * ACTS, amount()).prop_map(|(place, act, total)| Deed::Act { place, act, total }),
        4 => (0..CHANGES, amount()).prop_map(|(change, amount)| Deed::Change { change, amount }),
        2 => Just(Deed::Empty),
        2 => (1..5_usize).prop_map(Deed::Reorganize),
        5 => (0..4_usize).prop_map(Deed::Seal),
        22 => (1..9_usize).prop_map(Deed::Tell),
        3 => (0..4_usize).prop_map(Deed::Again),
        3 => Just(Deed::Wake),
    ]
}

pub(crate) fn turns() -> impl Strategy<Value = Vec<(Wait, Deed)>> {
    prop::collection::vec((wait(), deed()), 1..120)
}

/// A life, the contract that it mirrors, and the requests of both.
#[derive(Default)]
pub(crate) struct World {
    pub(crate) life: Life,
    pub(crate) contract: Contract,
    made: BTreeMap<usize, Request>,
}

impl World {
    fn request(&mut self, word: usize, amount: u128, now: UnixMillis) -> Request {
        let head = self.contract.head().mandate.as_ref();
        let policy_version = head.map_or(1, |mandate| mandate.policy_version);
        let fresh = Request { policy_version, ..request_at(WORDS[word], amount, now) };
        *self.made.entry(word).or_insert(fresh)
    }

    fn progress(&self, word: usize) -> Option<Progress> {
        let row = filed(&self.life, named(WORDS[word]));
        mandate::mirror::progress(&self.life.state, named(WORDS[word]), row.as_deref())
    }

    /// What brings a request forward here.
    fn next(&mut self, word: usize, amount: u128, now: UnixMillis) -> Command {
        let progress = self.progress(word);
        match progress.map(Progress::name) {
            Some("awaiting_approval") => {
                approve(WORDS[word], now.plus(Millis::from_minutes(u64::try_from(amount).unwrap())))
            }
            Some("approved" | "failed") => submit(WORDS[word], if amount == 0 { STRANGER } else { AGENT }),
            _ => ask(self.request(word, amount, now)),
        }
    }

    fn answer(&self, word: usize, number: usize) -> Command {
        let answers = [
            Answer::Pending,
            Answer::Absent,
            Answer::Unknown,
            Answer::Unavailable,
            refusing(Reason::Funds),
            refusing(Reason::RequestUsed),
        ];
        let word = WORDS[word];
        match number {
            0..6 => answer(&self.life, word, answers[number]),
            6 => Command::Answered { payment: named(word), turn: 1, answer: Answer::Absent },
            7 => sent(word, 1),
            _ => sent(word, 2),
        }
    }

    fn tell(&self, most: usize) -> Command {
        match self.life.state.mirror() {
            None => self.contract.adoption().unwrap_or(Command::Wake),
            Some(mirror) => self.contract.observation(mirror.tip.block, most),
        }
    }

    /// Calls that were ever sent, the newest first.
    fn sent(&self, place: usize) -> Option<Call> {
        let calls = self.life.owed.iter().rev().filter_map(|effect| match effect {
            Effect::Send { call, .. } => Some((**call).clone()),
            Effect::Look { .. }
            | Effect::File(_)
            | Effect::Refunded { .. }
            | Effect::Log { .. }
            | Effect::Undo { .. } => None,
        });
        let calls: Vec<Call> = calls.collect();
        calls.get(place % calls.len().max(1)).cloned()
    }

    /// What the mirror is asked; what the chain does is done on the way, and the mirror is not asked then.
    fn command(&mut self, deed: &Deed, now: UnixMillis) -> Option<Command> {
        if self.contract.head().mandate.is_none() {
            self.contract.create(now);
            self.contract.mine(now, |node, at| node.change(6, 70, at));
            return None;
        }
        match *deed {
            Deed::Next { word, amount } => return Some(self.next(word, amount, now)),
            Deed::Reject(word) => return Some(reject(WORDS[word], OWNER)),
            Deed::Cancel { word, signed } => {
                let request = self.request(word, 40, now);
                let by: Address = if word == 0 { STRANGER } else { OWNER };
                return Some(if signed { cancel(request, by) } else { cancel_unsigned(request, by) });
            }
            Deed::Port { word, answer } => return Some(self.answer(word, answer)),
            Deed::Tell(most) => return Some(self.tell(most)),
            Deed::Again(ago) => return self.life.granted.iter().rev().nth(ago).cloned(),
            Deed::Wake => return Some(Command::Wake),
            Deed::Carry(place) => {
                if let Some(call) = self.sent(place) {
                    self.contract.mine(now, |node, at| node.call(&call, at));
                }
            }
            Deed::Outside { word, amount } => {
                let request = self.request(word, amount, now);
                let call = Call::Authorize { request, signature: Bytes::new(), approved: None };
                self.contract.mine(now, |node, at| node.call(&call, at));
            }
            Deed::Act { place, act, total } => {
                self.contract.mine(now, |node, at| node.act(place, act, total, at));
            }
            Deed::Change { change, amount } => {
                self.contract.mine(now, |node, at| node.change(change, amount, at));
            }
            Deed::Empty => self.contract.mine(now, |_, _| None),
            Deed::Reorganize(depth) => self.contract.reorganize(depth),
            Deed::Seal(behind) => self.contract.seal(behind),
        }
        None
    }

    /// The port catches up with the chain, and all of it is final.
    pub(crate) fn catch_up(&mut self) {
        self.contract.mine(START, |_, _| None);
        for _ in 0..40 {
            let command = self.tell(20);
            self.life.hears(command, START).unwrap();
        }
        self.contract.seal(0);
        let command = self.tell(1);
        self.life.hears(command, START).unwrap();
    }
}

/// Lives through the turns; `see` is shown the world after each, and the moment.
pub(crate) fn live(turns: &[(Wait, Deed)], mut see: impl FnMut(&World, UnixMillis)) -> World {
    let (mut world, mut now) = (World::default(), START);
    for (wait, deed) in turns {
        now = match wait {
            Wait::For(millis) => now.plus(Millis(*millis)),
            Wait::UntilBeforeDeadline(millis) => {
                deadline(&world.life.state).map_or(now, |at| at.minus(Millis(*millis))).max(now)
            }
        };
        if let Some(command) = world.command(deed, now) {
            // A refusal changes nothing; whether it should have been one is what stories and matrix say.
            let _ = hears(&mut world.life, command, now);
        }
        see(&world, now);
    }
    world
}
