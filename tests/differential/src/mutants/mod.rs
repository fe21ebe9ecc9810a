//! Evaluators that are wrong in one small way each. A sequence kills the ones that answer otherwise than the bytecode did;
//! one that no sequence kills shows what the sequences do not reach.

mod life;
mod memory;
mod rules;

use std::collections::{BTreeMap, BTreeSet};

use alloy_primitives::B256;
use mandate::{Mandate, Reason};

use crate::{Action, Batch, Book, Item, Outcome, Seen, Step};

/// The answer to one request: why it was refused, or [`Reason::None`].
type Verdict = Reason;

/// What a mutant may look back at that the model does not keep.
#[derive(Debug, Default, Clone, Copy)]
struct Past {
    /// What escrows of the mandate gave back to it.
    returned: u128,
    /// What its closed escrows had reserved.
    freed: u128,
}

/// One request, with all that the contract knew when it answered.
struct Case<'a> {
    book: &'a Book,
    /// The model before the batch, if the request came in one; else the same.
    before_batch: &'a Book,
    step: &'a Step,
    item: &'a Item,
    past: Past,
}

/// Judges mutants by what the bytecode answered.
pub struct Jury {
    rules: Vec<rules::Mutant>,
    memory: Vec<memory::Mutant>,
    life: Vec<life::Mutant>,
    past: BTreeMap<B256, Past>,
}

impl Default for Jury {
    fn default() -> Self {
        Self {
            rules: rules::mutants(),
            memory: memory::mutants(),
            life: life::mutants(),
            past: BTreeMap::new(),
        }
    }
}

impl Jury {
    /// The names of all mutants there are.
    pub fn names() -> BTreeSet<String> {
        Self::default().survivors()
    }

    /// The names of those that no step has killed.
    pub fn survivors(&self) -> BTreeSet<String> {
        let rules = self.rules.iter().map(|mutant| mutant.name.clone());
        let memory = self.memory.iter().map(|mutant| mutant.name.to_owned());
        rules.chain(memory).chain(self.life.iter().map(|mutant| mutant.name.to_owned())).collect()
    }

    /// A new sequence begins.
    pub fn begin(&mut self) {
        self.past.clear();
    }

    /// Kills the mutants that would have answered otherwise.
    pub fn hear(&mut self, seen: &Seen<'_>) {
        match (&seen.step.action, seen.outcome) {
            (Action::Authorize(item), outcome) => {
                let verdict = match outcome {
                    Outcome::Refused(refused) => refused.reason,
                    Outcome::Done | Outcome::Batch(_) | Outcome::TokenRefused => Reason::None,
                };
                self.request(seen.before, seen.before, seen.step, item, verdict);
            }
            (Action::AuthorizeBatch { items, mode: Batch::EachAlone }, Outcome::Batch(reasons)) => {
                self.batch(seen, items, reasons);
            }
            (Action::AuthorizeBatch { .. }, _) => {}
            _ => self.life.retain(|mutant| !mutant.is_killed_by(seen)),
        }
        self.remember(seen);
    }

    fn batch(&mut self, seen: &Seen<'_>, items: &[Item], reasons: &[Reason]) {
        let mut book = seen.before.clone();
        for (item, reason) in items.iter().zip(reasons) {
            self.request(&book, seen.before, seen.step, item, *reason);
            book.take(&Step { action: Action::Authorize(*item), ..*seen.step });
        }
    }

    fn request(&mut self, book: &Book, before_batch: &Book, step: &Step, item: &Item, verdict: Verdict) {
        let past = self.past.get(&item.order.mandate).copied().unwrap_or_default();
        let case = Case { book, before_batch, step, item, past };
        if !self.rules.is_empty() {
            let findings = case.findings();
            self.rules.retain(|mutant| mutant.verdict(&findings) == verdict);
        }
        self.memory.retain(|mutant| mutant.verdict(&case) == verdict);
    }

    fn remember(&mut self, seen: &Seen<'_>) {
        for (id, after) in &seen.after.mandates {
            let Some(before) = seen.before.mandates.get(id) else { continue };
            let (freed, paid) = (fall(before, after, reserved), fall(before, after, balance));
            if matches!(seen.step.action, Action::Escrow { .. }) {
                let past = self.past.entry(*id).or_default();
                past.freed += freed;
                past.returned += freed.saturating_sub(paid);
            }
        }
    }
}

const fn reserved(of: &Mandate) -> u128 {
    of.funds.reserved.0
}

const fn balance(of: &Mandate) -> u128 {
    of.funds.balance.0
}

fn fall(before: &Mandate, after: &Mandate, of: fn(&Mandate) -> u128) -> u128 {
    of(before).saturating_sub(of(after))
}
