//! One settlement among a relayer, a network that loses, doubles and reorders, a shell that dies, and a chain that
//! reorganises. Every law of the crate is checked after every step.

use std::collections::BTreeSet;
use std::rc::Rc;

use primitives::{Digest, Millis, UnixMillis};
use rehearsal::{Core, replay};
use settlement::{
    Answer, Asker, Command, Effect, Event, Fact, Inclusion, Look, Sighting, State, Tier, answer, deadline,
    look,
};

use crate::cast::{self, Life, START, Settlement, told};
use crate::chain::{Aim, Chain, Return, Sender};

/// One thing that can happen. Numbers choose among what there is, round and round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// Of a request, by an asker.
    Start(u8, u8),
    /// Of a request, by an asker: to be told that it is settled.
    Collect(u8, u8),
    /// Hands the relayer a job that waits, and forgets it, or keeps it to be handed over once more.
    Submit(Verdict, Copies),
    Sign,
    /// The relayer looks at the chain, and reports what it makes of it.
    Notice,
    Post(u8, Copies),
    Mine(u8),
    Reorganise(u8, Return),
    ForgetPool,
    /// Somebody else sends the same call.
    Stranger,
    /// The payer cancels the authorization.
    Cancel,
    SpendOrEarn,
    Wait(u32),
    /// Until the deadline, if there is one, and the alarm goes off.
    Wake,
    /// A look that waits reads the chain.
    Read(u8),
    /// A look that has read the chain tells.
    Tell(u8),
    /// The shell's process dies.
    Restart,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Take,
    Decline,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Copies {
    One,
    More,
}

/// What a look read, and what was true at that moment.
#[derive(Debug, Clone)]
struct Reading {
    number: u32,
    sighting: Sighting,
    transfer: Option<(Inclusion, Tier)>,
    never: bool,
    at_step: u32,
}

#[derive(Debug, Clone)]
pub(crate) struct World {
    pub(crate) life: Life,
    /// The life's journal; a world is copied often, and shares its past with its copies.
    pub(crate) past: Vec<Rc<Event>>,
    chain: Chain,
    now: UnixMillis,
    tier: Tier,
    step: u32,
    /// Jobs that the relayer has not heard of.
    jobs: usize,
    relayer_has_job: bool,
    hashes: Vec<String>,
    strangers: u8,
    post: Vec<Command>,
    looks: Vec<Look>,
    readings: Vec<Reading>,
    /// The step in which the latest look was started.
    look_started: u32,
    /// The requests that were ever told that they are settled.
    served: BTreeSet<Digest>,
}

impl World {
    pub(crate) fn new(tier: Tier) -> Self {
        Self {
            life: Life::default(),
            past: Vec::new(),
            chain: Chain::default(),
            now: START,
            tier,
            step: 0,
            jobs: 0,
            relayer_has_job: false,
            hashes: Vec::new(),
            strangers: 0,
            post: Vec::new(),
            looks: Vec::new(),
            readings: Vec::new(),
            look_started: 0,
            served: BTreeSet::new(),
        }
    }

    pub(crate) fn take(&mut self, step: Step) {
        self.step += 1;
        match step {
            Step::Start(of, by) => self.hear(cast::start_by(asker(by), request(of), self.tier), None),
            Step::Collect(of, by) => self.hear(cast::collect(asker(by), request(of)), None),
            Step::Submit(verdict, copies) => self.submit(verdict, copies),
            Step::Sign if self.relayer_has_job => {
                let hash = format!("0x{}", self.hashes.len());
                self.chain.broadcast(&hash, Aim::Transfer, Sender::Relayer);
                self.post.push(cast::announce(&hash));
                self.hashes.push(hash);
            }
            Step::Notice if self.relayer_has_job => {
                let is_late = self.now >= START.plus(cast::WINDOW);
                if is_late || self.hashes.iter().any(|hash| self.chain.is_mined(hash)) {
                    self.post.push(Command::LookNow);
                }
            }
            Step::Sign | Step::Notice => {}
            Step::Post(index, copies) => {
                if let Some(command) = pick(&mut self.post, index, copies) {
                    self.hear(command, None);
                }
            }
            Step::Mine(chosen) => {
                self.now = self.now.plus(Millis::from_seconds(2));
                self.chain.mine(chosen, self.now);
            }
            Step::Reorganise(depth, returns) => self.chain.reorganise(usize::from(depth), returns),
            Step::ForgetPool => self.chain.forget_pool(),
            Step::Stranger | Step::Cancel => {
                self.strangers += 1;
                let aim = if step == Step::Cancel { Aim::Cancel } else { Aim::Transfer };
                self.chain.broadcast(&format!("0xbad{}", self.strangers), aim, Sender::Stranger);
            }
            Step::SpendOrEarn => self.chain.payer_is_broke ^= true,
            Step::Wait(millis) => self.now = self.now.plus(Millis(u64::from(millis))),
            Step::Wake => {
                self.now = deadline(&self.life.state).unwrap_or(self.now).max(self.now);
                self.hear(Command::Wake, None);
            }
            Step::Read(index) => self.read(index),
            Step::Tell(index) => {
                if let Some(reading) = pick(&mut self.readings, index, Copies::One) {
                    let (look, sighting) = (reading.number, reading.sighting.clone());
                    self.hear(Command::See { look, sighting }, Some(&reading));
                }
            }
            Step::Restart => self.restart(),
        }
        self.check();
    }

    fn submit(&mut self, verdict: Verdict, copies: Copies) {
        if self.jobs == 0 {
            return;
        }
        self.jobs -= usize::from(copies == Copies::One);
        if self.relayer_has_job || verdict == Verdict::Take {
            self.relayer_has_job = true;
        } else {
            self.post.push(cast::decline("busy"));
        }
    }

    fn read(&mut self, index: u8) {
        let Some(look) = pick(&mut self.looks, index, Copies::One) else { return };
        let (transfer, never) = (self.chain.transfer(), self.chain.never_transfers());
        let sighting = self.chain.see(&look);
        self.readings.push(Reading { number: look.number, sighting, transfer, never, at_step: self.step });
    }

    /// What is in memory is gone; what is on disk is read again.
    fn restart(&mut self) {
        self.looks.clear();
        self.readings.clear();
        let lines = self.past.iter().map(|event| serde_json::to_string(&**event).unwrap());
        assert_eq!(replay::<Settlement>(lines).as_ref(), Ok(&self.life.state));
    }

    fn hear(&mut self, command: Command, reading: Option<&Reading>) {
        let before = answer(&self.life.state);
        let times = told(&self.life).len();
        let Ok(heard) = self.life.hears(command, self.now) else { return };
        // T10
        assert!(told(&self.life).len() == times || matches!(before, Answer::Settled { .. }), "{before:?}");
        self.life.journal.clear();
        self.past.extend(heard.events.iter().cloned().map(Rc::new));
        let facts: Vec<&Fact> = heard.events.iter().map(|event| &event.fact).collect();
        let after = answer(&self.life.state);
        for fact in &facts {
            match fact {
                Fact::Started { .. } => self.jobs += 1,
                Fact::LookStarted { .. } => {
                    self.looks.push(look(&self.life.state, self.now).unwrap());
                    self.look_started = self.step;
                }
                // T3, T4, T5: only a look says so, the latest, and what it says was true when it looked.
                Fact::Transferred { .. } | Fact::Confirmed { .. } => {
                    let reading = reading.unwrap();
                    assert!(reading.at_step > self.look_started, "{facts:?}");
                    let (inclusion, tier) = reading.transfer.as_ref().unwrap();
                    let State::Transferred { inclusion: said, tier: reached, .. } = &self.life.state else {
                        panic!("{facts:?}")
                    };
                    assert_eq!((said, reached), (inclusion, tier));
                }
                Fact::Failed { .. } => {
                    assert!(reading.unwrap().never, "{facts:?}");
                    assert!(reading.unwrap().at_step > self.look_started, "{facts:?}");
                }
                Fact::Reverted { .. } | Fact::Reorged => {
                    assert!(reading.unwrap().at_step > self.look_started, "{facts:?}");
                }
                Fact::Declined { .. } | Fact::Announced { .. } | Fact::WatchEnded | Fact::Collected => {}
            }
        }
        // T4: what the latest look did not find is not said.
        if let (Answer::Settled { transaction, .. }, Some(reading)) = (&after, reading)
            && self.life.state.unfinished().is_some_and(|pursuit| pursuit.looks == reading.number)
        {
            let found = reading.transfer.as_ref().map(|(inclusion, _)| &inclusion.transaction);
            assert_eq!(Some(transaction), found);
        }
        self.compare(&before, &after, &facts);
    }

    /// T5, T6: how an answer may follow another.
    fn compare(&mut self, before: &Answer, after: &Answer, facts: &[&Fact]) {
        let is_undone = facts.contains(&&Fact::Reorged);
        match (before, after) {
            (
                Answer::Settled { transaction: one, tier, .. },
                Answer::Settled { transaction: other, tier: next, .. },
            ) => {
                assert!(is_undone || (one == other && next >= tier), "{before:?} {after:?} {facts:?}");
            }
            (Answer::Settled { tier, .. }, _) => {
                assert!(is_undone && *tier < Tier::Final, "{after:?} {facts:?}")
            }
            (Answer::Failed { .. }, _) => assert_eq!(before, after),
            (Answer::None | Answer::Declined { .. } | Answer::Pending { .. }, _) => {}
        }
        if let (Answer::Settled { tier, .. }, Some(order)) = (after, self.life.state.order()) {
            assert!(*tier >= self.tier);
            self.served.insert(order.fingerprint);
        }
    }

    /// What holds at every moment.
    fn check(&self) {
        // T1
        assert!(self.served.len() <= 1, "{:?}", self.served);
        // T2, T7
        let submitted =
            self.life.owed.iter().filter(|effect| matches!(effect, Effect::Submit { .. })).count();
        assert_eq!(submitted, self.count("Started"));
        let published = self.life.owed.len() - submitted;
        assert_eq!(published, self.served.len());
        // T10
        let told = told(&self.life);
        assert!(cast::anonymously(&told) <= 1, "{told:?}");
        let began = self.life.state.order().map(|order| (&order.fingerprint, &order.asker));
        assert!(told.iter().all(|one| Some(*one) == began), "{told:?} {began:?}");
        // T5: what failed never moves money afterwards.
        let state = &self.life.state;
        assert!(!matches!(state, State::Failed { .. }) || self.chain.transfer().is_none());
        // T8
        let is_at_rest = match state {
            State::New | State::Declined { .. } | State::Failed { .. } => true,
            State::Underway(_) | State::Reverted { .. } => false,
            State::Transferred { tier, watch_ended_at, .. } => {
                *tier == Tier::Final || watch_ended_at.is_some()
            }
        };
        assert_eq!(deadline(state).is_none(), is_at_rest, "{state:?}");
        // T9
        if let Some(pursuit) = state.unfinished() {
            assert_eq!(pursuit.calls.as_ref().map_or(0, |calls| calls.hashes.len()), self.count("Announced"));
        }
    }

    fn count(&self, wanted: &str) -> usize {
        self.past.iter().filter(|event| Settlement::name(event) == wanted).count()
    }

    /// T10: whoever began it hears of it in the end, without a key if nobody has.
    fn is_told(&mut self) {
        let Some(order) = self.life.state.order().cloned() else { return };
        let times = told(&self.life).len();
        let is_due = order.asker != Asker::Anonymous || times == 0;
        self.hear(Command::Collect { fingerprint: order.fingerprint, asker: order.asker }, None);
        self.check();
        assert_eq!(told(&self.life).len() > times, is_due);
    }

    /// The chain is honest from here on, messages arrive, processes live: everything must end.
    pub(crate) fn settle_down(&mut self) {
        for _ in 0..60 {
            while !self.post.is_empty() || self.jobs > 0 {
                self.take(Step::Submit(Verdict::Take, Copies::One));
                self.take(Step::Post(0, Copies::One));
            }
            if self.relayer_has_job && self.hashes.is_empty() {
                self.take(Step::Sign);
                continue;
            }
            if deadline(&self.life.state).is_none() {
                break;
            }
            self.take(Step::Mine(u8::MAX));
            self.take(Step::Wake);
            while !self.looks.is_empty() {
                self.take(Step::Read(0));
            }
            while !self.readings.is_empty() {
                self.take(Step::Tell(0));
            }
        }
        let state = &self.life.state;
        match state {
            State::New => assert!(self.past.is_empty()),
            // Nobody carries out what was declined.
            State::Declined { .. } => assert!(!self.relayer_has_job),
            State::Transferred { inclusion, tier, .. } => {
                assert_eq!(self.chain.transfer(), Some((inclusion.clone(), *tier)));
                assert_eq!(*tier, Tier::Final);
                self.is_told();
            }
            State::Failed { .. } => assert!(self.chain.never_transfers()),
            State::Underway(_) | State::Reverted { .. } => panic!("does not end: {state:?}"),
        }
    }
}

fn request(number: u8) -> &'static str {
    if number == 0 { "R1" } else { "R2" }
}

/// The first has no key.
fn asker(number: u8) -> Asker {
    if number == 0 { Asker::Anonymous } else { cast::key(&format!("K{number}")) }
}

fn pick<T: Clone>(from: &mut Vec<T>, index: u8, copies: Copies) -> Option<T> {
    let place = usize::from(index).checked_rem(from.len())?;
    match copies {
        Copies::One => Some(from.remove(place)),
        Copies::More => from.get(place).cloned(),
    }
}
