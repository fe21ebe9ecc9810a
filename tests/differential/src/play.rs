//! One sequence, taken by the bytecode and by the model side by side.

use std::collections::BTreeMap;

use alloy_primitives::B256;
use eip712::mandates as sol;
use mandate::{Reason, Refused, UnixSeconds, evaluate};

use crate::world::reason;
use crate::{Action, Book, Dice, EscrowCall, Item, Outcome, Player, Step, World, compare, compare_preview};

/// Too little for a payment to be tried, and enough to come to where that is found out.
const LITTLE_GAS: u64 = 260_000;

/// How often something was seen.
#[derive(Debug, Default, Clone)]
pub struct Tally {
    /// Sequences.
    pub sequences: u64,
    /// Steps.
    pub steps: u64,
    /// Requests that were asked to be authorized, alone or in a batch.
    pub requests: u64,
    /// Those that were.
    pub authorized: u64,
    /// Answers of the contract by reason; [`Reason::None`] for steps that happened.
    pub reasons: BTreeMap<Reason, u64>,
    /// Calls that the token refused.
    pub token: u64,
}

impl Tally {
    /// Adds what another saw.
    pub fn add(&mut self, other: &Self) {
        self.sequences += other.sequences;
        self.steps += other.steps;
        self.requests += other.requests;
        self.authorized += other.authorized;
        self.token += other.token;
        for (reason, times) in &other.reasons {
            *self.reasons.entry(*reason).or_default() += times;
        }
    }

    fn note(&mut self, outcome: &Outcome) {
        self.steps += 1;
        match outcome {
            Outcome::Done => self.saw(Reason::None),
            Outcome::Batch(reasons) => reasons.iter().for_each(|reason| self.saw(*reason)),
            Outcome::Refused(refused) => self.saw(refused.reason),
            Outcome::TokenRefused => self.token += 1,
        }
    }

    fn saw(&mut self, reason: Reason) {
        *self.reasons.entry(reason).or_default() += 1;
    }
}

/// One step with the contract's answer, and the model before it.
pub struct Seen<'a> {
    /// The model before the step.
    pub before: &'a Book,
    /// The model after it.
    pub after: &'a Book,
    /// The step.
    pub step: &'a Step,
    /// The answer of both.
    pub outcome: &'a Outcome,
}

/// The days near which sequences begin: before and after leap days, ends of years and of months.
const STARTS: [u64; 6] = [
    1_835_222_400, // 2028-02-27
    1_830_124_800, // 2027-12-30
    4_107_283_200, // 2100-02-26, a year without a leap day
    1_795_996_800, // 2026-11-30
    1_907_712_000, // 2030-06-15
    1_803_686_400, // 2027-02-27
];

/// When a sequence begins, in Unix seconds.
pub fn start(dice: &mut Dice) -> u64 {
    dice.of(&STARTS) + dice.below(3 * 86_400)
}

/// Plays the sequence that follows from the numbers, one per step, and shows each step to `see`.
///
/// # Errors
/// The first difference between the bytecode and the model, in words.
pub fn play(
    mut world: World,
    numbers: &[u64],
    tally: &mut Tally,
    mut see: impl FnMut(&Seen<'_>),
) -> Result<Vec<(Step, Outcome)>, String> {
    let mut dice = Dice::new(numbers.first().copied().unwrap_or_default());
    let start = start(&mut dice);
    let mut player = Player::new(world.sites.clone(), start);
    let mut taken = Vec::new();
    tally.sequences += 1;
    for number in numbers {
        let mut dice = Dice::new(*number);
        let step = player.next(&mut dice);
        let before = player.book.clone();
        let outcome = one(&mut world, &mut player.book, &step, tally)
            .map_err(|difference| format!("step {}: {difference}\n  {step:#?}", taken.len() + 1))?;
        tally.note(&outcome);
        see(&Seen { before: &before, after: &player.book, step: &step, outcome: &outcome });
        taken.push((step, outcome));
    }
    let book = &player.book;
    let payments: Vec<_> = book.mandates.values().flat_map(|of| of.payments.keys().copied()).collect();
    let now = taken.last().map_or(UnixSeconds(start), |(step, _)| step.at);
    compare(&mut world, book, &payments, now).map_err(|difference| format!("at the end: {difference}"))?;
    Ok(taken)
}

fn one(world: &mut World, book: &mut Book, step: &Step, tally: &mut Tally) -> Result<Outcome, String> {
    let previewed = match &step.action {
        Action::Authorize(item) => Some(preview(world, book, item, step)?),
        _ => None,
    };
    let starved = pays(&step.action).then(|| world.starve(step, LITTLE_GAS));
    let before = book.clone();
    let model = book.take(step);
    let contract = world.take(step);
    if contract != model {
        return Err(format!("the answer differs\n  contract: {contract:?}\n  model:    {model:?}"));
    }
    if let Some(previewed) = previewed
        && previewed != contract
    {
        return Err(format!("the preview differs\n  preview: {previewed:?}\n  call:    {contract:?}"));
    }
    if let Some(starved) = starved {
        compare_starved(&starved, &before, book, &contract, tally)?;
    }
    let payments = touched(&step.action);
    compare(world, book, &payments, step.at)?;
    count(&step.action, &contract, tally);
    Ok(contract)
}

/// With little gas, a step that pays is refused, and any other is answered as ever.
fn compare_starved(
    starved: &Outcome,
    before: &Book,
    after: &Book,
    contract: &Outcome,
    tally: &mut Tally,
) -> Result<(), String> {
    let has_paid = before.holdings != after.holdings || before.credits != after.credits;
    match starved {
        Outcome::Refused(Refused { reason: Reason::Gas, got, limit }) if has_paid && got < limit => {
            tally.saw(Reason::Gas);
            Ok(())
        }
        other if !has_paid && other == contract => Ok(()),
        other => Err(format!("with little gas: {other:?}, else: {contract:?}")),
    }
}

fn preview(world: &mut World, book: &Book, item: &Item, step: &Step) -> Result<Outcome, String> {
    let shown = world.preview(item, step.by, step.at);
    compare_preview(book, item, &shown, step.at)?;
    let sol::Preview { reason: why, got, limit, .. } = shown;
    let request = &item.order;
    let of = book.mandates.get(&request.mandate);
    let ceiling = of.map(|of| book.ceiling_of(of)).unwrap_or_default();
    let said = evaluate(of, request, &book.proof(item, step.by), step.at, &ceiling);
    let shown = match reason(why) {
        Reason::None => Ok(()),
        reason => Err(Refused { reason, got, limit }),
    };
    if said.map(|_| ()) != shown {
        return Err(format!("the preview differs\n  contract: {shown:?}\n  model:    {said:?}"));
    }
    Ok(shown.map_or_else(Outcome::Refused, |()| Outcome::Done))
}

/// Whether the call may end with a payment out of a vault that may fail.
fn pays(action: &Action) -> bool {
    match action {
        Action::Escrow { call, .. } => match call {
            EscrowCall::Accept
            | EscrowCall::Capture { .. }
            | EscrowCall::Claim
            | EscrowCall::Resolve { .. }
            | EscrowCall::TimeOut => true,
            EscrowCall::Deliver { .. }
            | EscrowCall::Dispute { .. }
            | EscrowCall::Void
            | EscrowCall::Expire
            | EscrowCall::Refund { .. } => false,
        },
        _ => false,
    }
}

/// The payments that a step is about.
fn touched(action: &Action) -> Vec<B256> {
    match action {
        Action::Authorize(item) => vec![item.order.payment],
        Action::AuthorizeBatch { items, .. } => items.iter().map(|item| item.order.payment).collect(),
        Action::CancelRequest { order, .. } | Action::Escrow { order, .. } => vec![order.payment],
        _ => Vec::new(),
    }
}

fn count(action: &Action, outcome: &Outcome, tally: &mut Tally) {
    let (asked, granted) = match (action, outcome) {
        (Action::Authorize(_), Outcome::Done) => (1, 1),
        (Action::Authorize(_), _) => (1, 0),
        (Action::AuthorizeBatch { items, .. }, Outcome::Batch(reasons)) => {
            (items.len(), reasons.iter().filter(|reason| **reason == Reason::None).count())
        }
        (Action::AuthorizeBatch { items, .. }, _) => (items.len(), 0),
        _ => (0, 0),
    };
    tally.requests += asked as u64;
    tally.authorized += granted as u64;
}
