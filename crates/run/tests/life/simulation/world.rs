//! A run with everything around it. What is on disk survives; letters come late, twice, in any order or not at all, and the
//! process dies between any two of its steps.

use primitives::{Millis, UnixMillis};
use run::{Command, Creation, Effect, RunState, View};

use super::dice::Dice;
use super::ports::{Chain, Executors, Mandate, Receipts};
use crate::cast::*;
use crate::purchase::{Life, is_terminal, view};
use crate::witness::Witness;

/// How the weather is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Weather {
    Foul,
    Fair,
}

pub(super) struct World {
    pub(super) dice: Dice,
    pub(super) weather: Weather,
    pub(super) now: UnixMillis,
    pub(super) creation: Creation,
    pub(super) life: Life,
    pub(super) witness: Witness,
    /// On disk: what is owed and was not taken yet.
    pub(super) outbox: Vec<Effect>,
    /// In the air: what is on its way to the run.
    pub(super) letters: Vec<Command>,
    pub(super) mandate: Mandate,
    pub(super) executors: Executors,
    pub(super) receipts: Receipts,
    pub(super) chain: Chain,
    pub(super) has_signed: bool,
    pub(super) wants_to_stop: bool,
    /// What the buyer's page shows, which may be old.
    pub(super) page: Option<View>,
}

impl World {
    pub(super) fn new(seed: u64) -> Self {
        let mut dice = Dice(seed);
        let mandate = dice.percent(50).then(mandate);
        let wants_to_stop = dice.percent(25);
        Self {
            weather: Weather::Foul,
            now: START,
            creation: Creation { mandate, ..creation() },
            life: Life::default(),
            witness: Witness::default(),
            outbox: Vec::new(),
            letters: Vec::new(),
            mandate: Mandate::default(),
            executors: Executors::default(),
            receipts: Receipts::default(),
            chain: Chain::default(),
            has_signed: false,
            wants_to_stop,
            page: None,
            dice,
        }
    }

    /// Some foul weather, then fair weather until everything has ended. Answers how it did.
    pub(super) fn lives(&mut self, steps: usize) -> RunState {
        self.hears(Command::Create(Box::new(self.creation.clone())));
        for _ in 0..steps {
            self.steps();
        }
        self.weather = Weather::Fair;
        self.chain.is_dark &= self.dice.percent(20);
        let mut rounds = 0;
        while !(self.is_over() && self.outbox.is_empty() && self.letters.is_empty()) {
            self.clears();
            rounds += 1;
            assert!(
                rounds < 3_000,
                "R7: it does not end: {:?}",
                view(&self.life.state).map(|view| view.state)
            );
        }
        self.adds_up()
    }

    fn is_over(&self) -> bool {
        view(&self.life.state).is_some_and(|view| is_terminal(view.state))
    }

    fn steps(&mut self) {
        match self.dice.roll(20) {
            0..6 => self.delivers(),
            6..10 => self.reads_a_letter(),
            10..13 => self.an_executor_works(),
            13..16 => self.the_buyer_acts(),
            16 => self.dies(),
            17 => self.chain.mine(&mut self.dice, self.now),
            18 => self.passes(),
            _ => self.rings(),
        }
        self.now = self.now.plus(Millis(self.dice.roll(2_000) as u64));
    }

    /// The alarm rings in time, everything that is owed is done, and then the clock goes to the next alarm.
    fn clears(&mut self) {
        if run::deadline(&self.life.state).is_some_and(|at| at <= self.now) {
            self.rings();
        }
        while !self.outbox.is_empty() {
            self.delivers();
        }
        while !self.letters.is_empty() {
            self.reads_a_letter();
        }
        self.an_executor_works();
        self.the_buyer_acts();
        self.chain.mine(&mut self.dice, self.now);
        if self.outbox.is_empty() && self.letters.is_empty() && self.dice.percent(50) {
            self.now = run::deadline(&self.life.state).map_or(self.now, |at| at.max(self.now));
            self.rings();
        }
        self.now = self.now.plus(Millis(self.dice.roll(2_000) as u64));
    }

    /// The run judges and records; what is owed is on disk with it.
    fn hears(&mut self, command: Command) {
        if let Ok(heard) = self.witness.hears(&mut self.life, command, self.now) {
            self.outbox.extend(heard.owed);
        }
    }

    fn dies(&mut self) {
        assert_eq!(self.life.replayed().as_ref(), Ok(&self.life.state));
        let snapshot = serde_json::to_string(&self.life.state).unwrap();
        self.life.state = serde_json::from_str(&snapshot).unwrap();
        self.page = None;
    }

    fn passes(&mut self) {
        let minutes = self.dice.pick(&[1, 1, 2, 5, 11, 31, 120]);
        self.now = self.now.plus(Millis::from_minutes(minutes));
        self.chain.is_dark = self.weather == Weather::Foul && self.dice.percent(30);
    }

    fn rings(&mut self) {
        self.hears(Command::Wake);
    }

    /// Takes something out of the outbox: before the call, after it or after the record the process may die.
    fn delivers(&mut self) {
        if self.outbox.is_empty() {
            return;
        }
        let is_foul = self.weather == Weather::Foul;
        let place = if is_foul { self.dice.roll(self.outbox.len()) } else { 0 };
        let effect = self.outbox[place].clone();
        if is_foul && self.dice.percent(10) {
            return self.dies();
        }
        let answer = self.calls(&effect);
        if is_foul && self.dice.percent(10) {
            return self.dies();
        }
        match answer {
            Some(answer) if is_foul && self.dice.percent(40) => self.letters.push(answer),
            Some(answer) => self.hears(answer),
            None => {}
        }
        if is_foul && self.dice.percent(10) {
            return self.dies();
        }
        self.outbox.remove(self.outbox.iter().position(|owed| *owed == effect).unwrap());
    }

    fn reads_a_letter(&mut self) {
        if self.letters.is_empty() {
            return;
        }
        let place = self.dice.roll(self.letters.len());
        let is_twice = self.weather == Weather::Foul && self.dice.percent(20);
        let letter = if is_twice { self.letters[place].clone() } else { self.letters.remove(place) };
        self.hears(letter);
    }
}
