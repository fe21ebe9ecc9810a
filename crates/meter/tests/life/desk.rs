//! A shell as the rows ask for one: it keeps what is over, and hands in what a command needs of it.

use std::collections::{BTreeMap, BTreeSet};

use meter::{
    Command, Credit, Effect, EventKey, Gate, Item, Known, Means, Order, Original, Outcome, Part, Refusal,
    Reservation, Reversal, Row, Settlement, SettlementState, Source, Verdict, limits, verdicts,
};
use primitives::{Digest, Millis, UnixMillis};
use tariff::Quantity;

use crate::cast::{Life, WINDOW, bill, hold, key, mandate, price, quantity, recipient, subject};

/// What a meter is asked, in the words of the tests.
#[derive(Debug, Clone)]
pub(crate) enum Ask {
    Begin,
    Record(Vec<Item>, Gate),
    Reverse { word: String, of: String },
    HandOver(u64),
    Draft(String, Vec<Part>),
    WriteOff(String, Vec<Part>),
    Pass(Vec<Part>),
    Credit { key: EventKey, round: u64, version: u32, quantity: Quantity },
    Submit(String, Means),
    Report(String, Means, Outcome),
    Void(String),
    Reserve { word: String, quantity: String, version: u32, minutes: u64, gate: Gate },
    Answer { word: String, refused: bool },
    Commit { word: String, item: Item },
    Release(String),
    Wake,
}

#[derive(Debug, Clone)]
struct Filed {
    fingerprint: Digest,
    at: UnixMillis,
    quantity: Quantity,
    version: u32,
    reserved: Option<u64>,
    of: Option<EventKey>,
}

/// One shard with its files.
#[derive(Debug, Clone, Default)]
pub(crate) struct Desk {
    pub(crate) life: Life,
    pub(crate) shard: u8,
    pub(crate) shards: u8,
    events: BTreeMap<EventKey, (usize, Filed)>,
    rounds: BTreeMap<u64, usize>,
    pub(crate) settlements: BTreeMap<u64, Settlement>,
    reservations: BTreeMap<primitives::ReservationId, Reservation>,
    credits: BTreeSet<EventKey>,
    pub(crate) hours: BTreeMap<UnixMillis, (u128, u128, u64)>,
    /// Credits that the first shard is to be told.
    pub(crate) owed: Vec<Ask>,
}

impl Desk {
    pub(crate) fn new(shard: u8, shards: u8) -> Self {
        Self { shard, shards, ..Self::default() }
    }

    pub(crate) fn hears(&mut self, ask: &Ask, now: UnixMillis) -> Result<Vec<meter::Event>, Refusal> {
        let heard = self.life.hears(self.command(ask, now), now)?;
        for effect in heard.owed {
            self.file(effect);
        }
        Ok(heard.events)
    }

    pub(crate) fn verdicts(&self, items: &[Item], gate: Gate, now: UnixMillis) -> Vec<Verdict> {
        let items = self.known(items);
        verdicts(&self.life.state, &subject(self.shard, self.shards), &items, WINDOW, gate, now)
    }

    pub(crate) fn command(&self, ask: &Ask, now: UnixMillis) -> Command {
        let subject = subject(self.shard, self.shards);
        match ask {
            Ask::Begin => Command::Begin { subject },
            Ask::Record(items, gate) => {
                Command::Record { subject, items: self.known(items), window: WINDOW, gate: *gate }
            }
            Ask::Reverse { word, of } => {
                let fingerprint = Digest::of(&[of.as_bytes(), b"reversed"]);
                let (known, original) = (self.known_as(&key(word), &fingerprint), self.original(&key(of)));
                let reversal = Reversal { key: key(word), fingerprint, of: key(of), known, original };
                Command::Reverse(Box::new(reversal))
            }
            Ask::HandOver(round) => Command::HandOver { subject, round: *round },
            Ask::Draft(word, parts) => {
                Command::Draft { subject, id: bill(word), parts: parts.clone(), wait: limits::DRAFT_WAIT }
            }
            Ask::WriteOff(word, parts) => Command::WriteOff { subject, id: bill(word), parts: parts.clone() },
            Ask::Pass(parts) => Command::Pass { subject, parts: parts.clone() },
            Ask::Credit { key, round, version, quantity } => {
                let known = if self.credits.contains(key) { Known::Same } else { Known::Fresh };
                let (key, billed) = (key.clone(), self.bill_of(*round));
                let (round, version, quantity) = (*round, *version, *quantity);
                Command::Credit(Box::new(Credit { key, round, version, quantity, known, billed }))
            }
            Ask::Submit(word, means) => {
                Command::Submit { id: bill(word), means: means.clone(), filed: self.filed(word) }
            }
            Ask::Report(word, means, outcome) => Command::Report {
                id: bill(word),
                means: means.clone(),
                outcome: outcome.clone(),
                filed: self.filed(word),
            },
            Ask::Void(word) => Command::Void { id: bill(word), filed: self.filed(word) },
            Ask::Reserve { word, quantity: much, version, minutes, gate } => {
                let order = Order {
                    id: hold(word),
                    mandate: mandate(),
                    recipient: recipient(),
                    quantity: quantity(much),
                    price: price(*version),
                    until: now.plus(Millis::from_minutes(*minutes)),
                    gate: *gate,
                };
                Command::Reserve { subject, order: Box::new(order), filed: self.reserved(word) }
            }
            Ask::Answer { word, refused } => {
                let refused = refused.then(|| ("above_total".to_owned(), "Too much.".to_owned()));
                Command::HoldAnswered { id: hold(word), refused }
            }
            Ask::Commit { word, item } => Command::Commit {
                id: hold(word),
                item: Box::new(self.known(core::slice::from_ref(item)).remove(0)),
                settlement: bill(word),
                filed: self.reserved(word),
            },
            Ask::Release(word) => Command::Release { id: hold(word), filed: self.reserved(word) },
            Ask::Wake => Command::Wake,
        }
    }

    fn known(&self, items: &[Item]) -> Vec<Item> {
        let known = |item: &Item| Item { known: self.known_as(&item.key, &item.fingerprint), ..item.clone() };
        items.iter().map(known).collect()
    }

    fn known_as(&self, key: &EventKey, fingerprint: &Digest) -> Known {
        match self.events.get(key) {
            None => Known::Fresh,
            Some((_, filed)) if filed.fingerprint == *fingerprint => Known::Same,
            Some(_) => Known::Other,
        }
    }

    /// The first settlement of this round, or a later one, that did not fail.
    fn bill_of(&self, round: u64) -> Option<Box<Settlement>> {
        let of_rounds = self.settlements.values().filter(|it| it.round.is_some_and(|its| its >= round));
        let sound = of_rounds.filter(|it| !matches!(it.state, SettlementState::Failed { .. }));
        sound.min_by_key(|it| it.round).cloned().map(Box::new)
    }

    fn original(&self, key: &EventKey) -> Option<Original> {
        let (number, filed) = self.events.get(key)?;
        let round = self.rounds.iter().find(|(_, last)| *last >= number).map(|(round, _)| *round);
        let (source, billed) = match (filed.reserved, round) {
            (Some(number), _) => {
                let its = self.settlements.get(&number).unwrap();
                let billed = match its.state {
                    SettlementState::Failed { .. } => self.bill_of(its.reopened_in.unwrap()),
                    _ => Some(Box::new(its.clone())),
                };
                (Source::Reserved(number), billed)
            }
            (None, Some(round)) => (Source::Round(round), self.bill_of(round)),
            (None, None) => (Source::Open, None),
        };
        let reversed = self.events.iter().find(|(_, (_, other))| other.of.as_ref() == Some(key));
        Some(Original {
            quantity: filed.quantity,
            version: filed.version,
            at: filed.at,
            source,
            billed,
            reversed: reversed.map(|(key, _)| key.clone()),
            reverses: filed.of.clone(),
        })
    }

    fn filed(&self, word: &str) -> Option<Box<Settlement>> {
        self.settlements.values().find(|it| it.id == bill(word)).cloned().map(Box::new)
    }

    fn reserved(&self, word: &str) -> Option<Box<Reservation>> {
        self.reservations.get(&hold(word)).cloned().map(Box::new)
    }

    fn file(&mut self, effect: Effect) {
        match effect {
            Effect::Keep(row) => self.keep(row),
            Effect::Credit { key, round, version, quantity } => {
                self.owed.push(Ask::Credit { key, round, version, quantity });
            }
            Effect::Tell(_)
            | Effect::Announce(_)
            | Effect::Register
            | Effect::Hold { .. }
            | Effect::Unhold { .. }
            | Effect::Pay { .. }
            | Effect::Look { .. } => {}
        }
    }

    fn keep(&mut self, row: Row) {
        match row {
            Row::Events { items, source, .. } => {
                let reserved = if let Source::Reserved(number) = source { Some(number) } else { None };
                for item in items {
                    let (fingerprint, at) = (item.fingerprint, item.at);
                    let (quantity, version) = (item.quantity, item.version);
                    let filed = Filed { fingerprint, at, quantity, version, reserved, of: None };
                    let place = (self.events.len(), filed);
                    assert!(self.events.insert(item.key, place).is_none(), "an event was recorded twice");
                }
            }
            Row::Reversal { key, fingerprint, of, .. } => {
                let (_, original) = self.events.get(&of).unwrap();
                let filed = Filed { fingerprint, of: Some(of), ..original.clone() };
                let place = (self.events.len(), filed);
                assert!(self.events.insert(key, place).is_none(), "a reversal was recorded twice");
            }
            Row::Credit { key, .. } => assert!(self.credits.insert(key), "a credit was counted twice"),
            Row::Round { round } => {
                // Events are numbered from 0.
                if let Some(last) = self.events.len().checked_sub(1) {
                    self.rounds.insert(round, last);
                }
            }
            Row::Settlement(settlement) => {
                self.settlements.insert(settlement.number, *settlement);
            }
            Row::Reservation(reservation) => {
                self.reservations.insert(reservation.id.clone(), *reservation);
            }
            Row::Hour { hour, added, taken, events } => {
                let (all_added, all_taken, all_events) = self.hours.entry(hour).or_default();
                *all_added += added.0;
                *all_taken += taken.0;
                *all_events += events;
            }
            Row::Forget { .. } => {}
        }
    }
}
