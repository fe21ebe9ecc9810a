//! A shell, its disk and a chain, step by step; with every step, the laws that hold at each moment.

use std::collections::BTreeMap;

use primitives::{Millis, UnixMillis};
use rehearsal::replay;
use relayer::{
    Bytes, Cargo, Command, Effect, Event, Fact, Hash, Job, Outcome, Policy, Purpose, Signed, deadline,
    limits, to_look_up, to_send, unsigned,
};

use crate::cast::{GAS, Heard, Life, Relayer, START, job, market, sign};
use crate::chain::{Chain, Orphans, Receipts};

/// What happens next.
#[derive(Debug, Clone)]
pub(crate) enum Step {
    /// A settlement submits the job with this number, to be executed within so many seconds.
    Submit(u8, u64),
    /// The shell signs what there is to sign, and sends it.
    Drive,
    /// The same, and the process dies before anything is sent.
    DriveAndDie,
    /// The alarm: a look, what follows from it, and a driving.
    Alarm,
    /// A look that takes its time: the hashes are listed now,
    List,
    /// and the chain is asked now.
    Ask,
    /// The process dies; the next one reads the disk.
    Die,
    Pass(u64),
    Mine(usize),
    Forget(usize),
    Intrude,
    BaseFee(u128),
    Serve(Receipts),
    Lag(u64),
    Reorganize(usize, Orphans),
}

const POLICY: Policy = Policy { daily_gas_per_payer: 3 * GAS, open_max: 4, ..crate::cast::POLICY };
const FIRST_NONCE: u64 = 5;

pub(crate) struct World {
    pub(crate) life: Life,
    pub(crate) chain: Chain,
    disk: Vec<String>,
    now: UnixMillis,
    /// The hashes that a slow look has listed.
    listed: Option<Vec<Hash>>,
    submitted: Vec<String>,
    pub(crate) reported: BTreeMap<String, Outcome>,
    /// The nonce that the next job must get.
    next_nonce: Option<u64>,
}

impl World {
    pub(crate) fn new() -> Self {
        Self {
            life: Life::default(),
            chain: Chain::new(FIRST_NONCE),
            disk: Vec::new(),
            now: START,
            listed: None,
            submitted: Vec::new(),
            reported: BTreeMap::new(),
            next_nonce: None,
        }
    }

    pub(crate) fn takes(&mut self, step: &Step) {
        match step {
            Step::Submit(number, seconds) => self.submit(*number, *seconds),
            Step::Drive => self.drive(),
            Step::DriveAndDie => {
                self.sign();
                self.die();
            }
            Step::Alarm => self.alarm(),
            Step::List => self.listed = Some(to_look_up(&self.life.state)),
            Step::Ask => {
                if let Some(hashes) = self.listed.take() {
                    let seen = self.chain.answer(&hashes);
                    self.hear(Command::Observe(seen));
                }
            }
            Step::Die => self.die(),
            Step::Pass(millis) => self.now = self.now.plus(Millis(*millis)),
            Step::Mine(pick) => drop(self.chain.mine(*pick, self.now)),
            Step::Forget(pick) => self.chain.forget(*pick),
            Step::Intrude => self.chain.intrude(),
            Step::BaseFee(fee) => self.chain.base_fee = *fee,
            Step::Serve(receipts) => self.chain.receipts = *receipts,
            Step::Lag(lag) => self.chain.lag = *lag,
            Step::Reorganize(depth, orphans) => self.chain.reorganize(*depth, *orphans),
        }
        self.holds_now();
    }

    fn submit(&mut self, number: u8, seconds: u64) {
        let id = format!("job {number}");
        // The shell's record of operations answers for what has ended.
        if self.reported.contains_key(&id) {
            return;
        }
        let not_after = self.now.plus(Millis::from_seconds(seconds));
        let job = Job { payer: format!("payer {}", number % 2), ..job(&id, not_after) };
        let Ok(events) =
            relayer::decide(&self.life.state, Command::Submit { job: job.clone(), policy: POLICY }, self.now)
        else {
            return;
        };
        if !events.is_empty() {
            self.chain.authorize(&id, not_after.plus(limits::CANCEL_GRACE));
            self.submitted.push(id);
        }
        self.hear(Command::Submit { job, policy: POLICY });
    }

    fn hear(&mut self, command: Command) -> Heard {
        let heard = self.life.hears(command, self.now).unwrap();
        for event in &heard.events {
            self.follows(event);
            self.disk.push(serde_json::to_string(event).unwrap());
        }
        for effect in &heard.owed {
            self.is_true(effect);
        }
        heard
    }

    fn sign(&mut self) -> Vec<Signed> {
        let market = market(self.chain.base_fee, 2);
        let list = unsigned(&self.life.state, &market, &POLICY, self.now);
        let signed: Vec<Signed> = list.into_iter().map(sign).collect();
        self.hear(Command::Sign(signed.clone()));
        signed
    }

    fn drive(&mut self) {
        for signed in self.sign() {
            self.send(&signed.raw);
        }
    }

    // R3
    fn send(&mut self, raw: &Bytes) {
        let on_disk = self.disk.iter().any(|line| line.contains(&raw.to_string()));
        assert!(on_disk, "bytes were sent that are not on record");
        self.chain.send(raw);
    }

    fn die(&mut self) {
        self.listed = None;
        assert_eq!(replay::<Relayer>(&self.disk).as_ref(), Ok(&self.life.state));
        let snapshot = serde_json::to_string(&self.life.state).unwrap();
        self.life.state = serde_json::from_str(&snapshot).unwrap();
    }

    fn alarm(&mut self) {
        let heard = self.hear(Command::Wake);
        let has = |wanted: fn(&Fact) -> bool| heard.events.iter().any(|event| wanted(&event.fact));
        if has(|fact| matches!(fact, Fact::ResendStarted { .. })) {
            let again: Vec<Bytes> =
                to_send(&self.life.state).into_iter().map(|(_, raw)| raw.clone()).collect();
            for raw in again {
                self.send(&raw);
            }
        }
        if has(|fact| matches!(fact, Fact::LookStarted { .. })) {
            let seen = self.chain.answer(&to_look_up(&self.life.state));
            self.hear(Command::Observe(seen));
            self.drive();
        }
    }

    /// Laws about one event, in the order of the journal; the state is the one after all of a command's.
    fn follows(&mut self, event: &Event) {
        match &event.fact {
            // R2
            Fact::Synchronized { next_nonce } => {
                assert!(self.next_nonce.is_none_or(|known| known < *next_nonce));
                self.next_nonce = Some(*next_nonce);
            }
            Fact::Signed(Signed { nonce, purpose, fees, .. }) => {
                assert!(fees.max_fee <= POLICY.max_fee_per_gas && fees.priority_fee <= fees.max_fee, "R6");
                if let Purpose::Job(_) = purpose
                    && self.next_nonce.is_some_and(|next| *nonce >= next)
                {
                    assert_eq!(Some(*nonce), self.next_nonce, "R2");
                    self.next_nonce = Some(nonce + 1);
                }
            }
            Fact::Submitted { .. }
            | Fact::Mined { .. }
            | Fact::Taken { .. }
            | Fact::Restored { .. }
            | Fact::Displaced { .. }
            | Fact::Expired { .. }
            | Fact::GapSeen { .. }
            | Fact::GapGone
            | Fact::LookStarted { .. }
            | Fact::ResendStarted { .. } => {}
        }
    }

    /// R4, R5: each job is reported once, and what is reported is so.
    fn is_true(&mut self, effect: &Effect) {
        match effect {
            Effect::Announce { job, hash, raw } => {
                assert!(!self.reported.contains_key(job), "announced after its report");
                assert_eq!(hash.0, primitives::Digest::of(&[&raw.0]).0);
            }
            Effect::Report { job, outcome } => {
                match outcome {
                    Outcome::Mined(receipt) => assert!(self.chain.holds(receipt, job), "R5: {job}"),
                    Outcome::Expired => assert!(!self.chain.executed(job), "R5: {job}"),
                    Outcome::Displaced => {}
                }
                assert_eq!(self.reported.insert(job.clone(), outcome.clone()), None, "R4: {job}");
            }
        }
    }

    fn holds_now(&self) {
        let state = &self.life.state;
        let open = state.open.values().filter_map(|open| match &open.cargo {
            Cargo::Task(task) => Some(task.job.id.as_str()),
            Cargo::Nothing => None,
        });
        let mut live: Vec<&str> = state.waiting.iter().map(|task| task.job.id.as_str()).chain(open).collect();
        let count = live.len();
        live.sort_unstable();
        live.dedup();
        assert_eq!(live.len(), count, "R1: a job is kept twice");
        // R4: what is neither kept nor reported is lost.
        assert_eq!(count + self.reported.len(), self.submitted.len(), "R4");
        assert!(state.spending.gas.values().all(|gas| *gas <= POLICY.daily_gas_per_payer), "R7");
        assert_eq!(deadline(state).is_some(), count > 0 || !state.open.is_empty(), "R8");
    }

    /// From here on the chain is honest, and the shell lives: everything must end.
    pub(crate) fn ends(&mut self) {
        (self.chain.base_fee, self.chain.receipts, self.chain.lag) = (10, Receipts::Served, 0);
        let mut looks = 0;
        while let Some(at) = deadline(&self.life.state) {
            self.now = self.now.max(at);
            self.takes(&Step::Alarm);
            while self.chain.mine(looks, self.now) {}
            looks += 1;
            assert!(looks < 300, "R8: it does not end: {:?}", self.life.state);
        }
        // Whatever is still pending somewhere may be mined at any later time.
        self.now = self.now.plus(Millis::from_minutes(10));
        while self.chain.mine(looks, self.now) {}
        for (job, outcome) in &self.reported {
            let is_expired = matches!(outcome, Outcome::Expired);
            assert!(!(is_expired && self.chain.executed(job)), "R5: {job} was executed after all");
        }
        assert_eq!(self.reported.len(), self.submitted.len(), "R4");
    }
}
