//! What stands around a run, as simple as it can be and still be wrong at the worst moment: a mandate that remembers every
//! name, executors with their queues, and a chain on which one wallet pays.

use std::collections::BTreeMap;

use primitives::{BaseUnits, Digest, Millis, RunId, UnixMillis};
use run::{
    Authorization, BrowserCommand, BudgetAnswer, Claim, Effect, Payment, Requirement, Trace, Verdict, receipt,
};

use super::dice::Dice;
use crate::cast::START;

/// Where a name stands in the mandate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Name {
    Asked(BudgetAnswer),
    Held(BaseUnits),
    Committed(BaseUnits),
    Released,
}

/// A mandate's part for runs: it answers the same name the same way, and remembers what was given back before it came.
#[derive(Debug, Default)]
pub(super) struct Mandate {
    pub(super) names: BTreeMap<Digest, Name>,
}

impl Mandate {
    pub(super) fn hears(&mut self, effect: &Effect, dice: &mut Dice) -> Option<BudgetAnswer> {
        match effect {
            Effect::Reserve { budget, .. } => {
                let fresh = || match dice.roll(10) {
                    0 => Name::Asked(crate::answers::refused()),
                    1..4 if !budget.approved => Name::Asked(crate::answers::needs_approval()),
                    _ => Name::Held(budget.amount),
                };
                Some(match self.names.entry(budget.reservation).or_insert_with(fresh) {
                    Name::Asked(answer) => answer.clone(),
                    Name::Held(_) => BudgetAnswer::Held,
                    Name::Committed(_) | Name::Released => BudgetAnswer::Refused {
                        code: "reservation_over".to_owned(),
                        reason: "this name is over".to_owned(),
                    },
                })
            }
            Effect::Commit { reservation, amount, .. } => {
                let held = self.names.get_mut(reservation).unwrap();
                assert!(matches!(held, Name::Held(of) | Name::Committed(of) if of == amount), "R8: {held:?}");
                *held = Name::Committed(*amount);
                None
            }
            Effect::Release { reservation, .. } => {
                let held = self.names.entry(*reservation).or_insert(Name::Released);
                assert!(!matches!(held, Name::Committed(_)), "R8: given back after it was paid");
                *held = Name::Released;
                None
            }
            _ => None,
        }
    }
}

/// The executors' queues in one.
#[derive(Debug, Default)]
pub(super) struct Executors {
    pub(super) open: BTreeMap<String, BrowserCommand>,
    withdrawn: Vec<String>,
}

impl Executors {
    pub(super) fn hears(&mut self, effect: &Effect) {
        match effect {
            Effect::Dispatch { command } if !self.withdrawn.contains(&command.command_id) => {
                self.open.insert(command.command_id.clone(), command.clone());
            }
            Effect::Withdraw { command_id, .. } => {
                self.open.remove(command_id);
                self.withdrawn.push(command_id.clone());
            }
            _ => {}
        }
    }
}

/// A payment of another run's.
pub(super) const OLD: &str = "old";

/// Who has which payment's name.
#[derive(Debug)]
pub(super) struct Receipts(BTreeMap<String, receipt::State>);

impl Default for Receipts {
    fn default() -> Self {
        let mut receipts = Self(BTreeMap::new());
        receipts.claim(OLD, &RunId::derive(&[b"another run"]));
        receipts
    }
}

impl Receipts {
    pub(super) fn claim(&mut self, signature: &str, run: &RunId) -> Claim {
        let state = self.0.entry(signature.to_owned()).or_default();
        let holder = receipt::Holder::Run(run.clone());
        let Ok(events) = receipt::decide(state, receipt::Command::Claim { holder }, START) else {
            return Claim::Elsewhere;
        };
        for event in &events {
            *state = receipt::apply(state.clone(), event).unwrap();
        }
        Claim::Ours
    }
}

/// How long a signed transaction can still land.
const VALID: Millis = Millis::from_seconds(90);

#[derive(Debug, Clone)]
struct Transaction {
    signature: String,
    amount: BaseUnits,
    to: String,
    valid_until: UnixMillis,
    has_landed: bool,
}

/// The wallet's transactions, and whether anybody can see them.
#[derive(Debug, Default)]
pub(super) struct Chain {
    transactions: Vec<Transaction>,
    pub(super) is_dark: bool,
}

impl Chain {
    /// The wallet signs and sends what was authorized.
    pub(super) fn pay(&mut self, given: &Authorization, asked: &Requirement, now: UnixMillis) -> Payment {
        let signature = format!("S{}", self.transactions.len());
        let (amount, to, valid_until) = (given.gross, asked.pay_to.clone(), now.plus(VALID));
        let sent = Transaction { signature: signature.clone(), amount, to, valid_until, has_landed: false };
        self.transactions.push(sent);
        crate::cast::payment(&signature)
    }

    /// Some of what is on its way lands.
    pub(super) fn mine(&mut self, dice: &mut Dice, now: UnixMillis) {
        for sent in self.transactions.iter_mut().filter(|sent| now < sent.valid_until) {
            sent.has_landed |= dice.percent(30);
        }
    }

    pub(super) fn landed(&self) -> Vec<BaseUnits> {
        self.transactions.iter().filter(|sent| sent.has_landed).map(|sent| sent.amount).collect()
    }

    pub(super) fn look(&self, payment: &Payment, asked: &Requirement, now: UnixMillis) -> Verdict {
        let known = self.transactions.iter().find(|sent| sent.signature == payment.signature);
        match known {
            _ if self.is_dark => crate::answers::not_seen(),
            Some(sent) if sent.has_landed => {
                assert_eq!((&sent.to, sent.amount), (&asked.pay_to, asked.gross), "R2");
                Verdict::Verified { reference: "slot 1".to_owned(), received: sent.amount }
            }
            Some(sent) if now < sent.valid_until => crate::answers::not_seen(),
            Some(_) | None => crate::answers::reverted(),
        }
    }

    /// Sure that there is none only when nobody can make one any more.
    pub(super) fn trace(&self, given: &Authorization, asked: &Requirement, now: UnixMillis) -> Trace {
        let landed = self.transactions.iter().find(|sent| sent.has_landed && sent.to == asked.pay_to);
        let can_come = now <= given.submit_by.plus(VALID);
        match landed {
            _ if self.is_dark => crate::answers::not_found(),
            Some(sent) => Trace::Found(crate::cast::payment(&sent.signature)),
            None if can_come => crate::answers::not_found(),
            None => Trace::Absent,
        }
    }
}
