//! What the world answers: commands that fit what a life owes last, as a shell and the people around it would make them.

use primitives::{BaseUnits, Digest, Millis, UnixMillis};
use run::{
    Balances, BrowserCommand, BrowserResult, Budget, BudgetAnswer, Cart, Cents, Claim, Command, Creation,
    Effect, Fact, Found, FundsAnswer, Requirement, Task, Trace, Verdict, View, WalletReport,
};

use crate::cast::*;
use crate::purchase::{Life, view};

/// The last effect of a kind that was owed.
pub(crate) fn last<T>(life: &Life, pick: impl Fn(&Effect) -> Option<T>) -> Option<T> {
    life.owed.iter().rev().find_map(pick)
}

/// The run as it is shown; tests ask for it where there is one.
pub(crate) fn shown(life: &Life) -> View {
    view(&life.state).unwrap()
}

pub(crate) fn create(creation: Creation) -> Command {
    Command::Create(Box::new(creation))
}

/// The market's answer to the last search: shops and what they are seen to cost.
pub(crate) fn market(life: &Life, offers: &[(&str, u64)], now: UnixMillis) -> Command {
    let observed_at = now.minus(Millis::from_minutes(1));
    let candidates = offers.iter().map(|(word, observed)| candidate(word, *observed, observed_at)).collect();
    found(life, Found::Candidates { source: "synthetic".to_owned(), candidates })
}

pub(crate) fn found(life: &Life, found: Found) -> Command {
    Command::Market { attempt: searched(life), found }
}

/// The number of the last search.
pub(crate) fn searched(life: &Life) -> u32 {
    last(life, |effect| if let Effect::Search { attempt, .. } = effect { Some(*attempt) } else { None })
        .unwrap_or(1)
}

/// The command that was given out last.
pub(crate) fn given(life: &Life) -> Option<BrowserCommand> {
    last(life, |effect| if let Effect::Dispatch { command } = effect { Some(command.clone()) } else { None })
}

/// The executor's answer to the command that was given out last.
pub(crate) fn browser(life: &Life, result: BrowserResult) -> Command {
    let command_id = given(life).map_or_else(|| "cmd_1".to_owned(), |command| command.command_id);
    let by = view(&life.state).map_or_else(|| executor("E"), |view| view.executor);
    Command::Browser { executor: by, command_id, result: Box::new(result) }
}

/// The cart of the shop that is looked at, read now.
pub(crate) fn quote(life: &Life, total: u64, now: UnixMillis) -> Command {
    let selected = view(&life.state).and_then(|view| view.selected);
    let word = selected.map_or_else(|| "A".to_owned(), |selected| selected.candidate_id);
    cart_read(life, cart(&word, total), now)
}

pub(crate) fn cart_read(life: &Life, cart: Cart, captured_at: UnixMillis) -> Command {
    browser(life, BrowserResult::Quote { cart, captured_at, page: "cart".to_owned() })
}

/// Whatever the task that was given out last asks for.
pub(crate) fn done(life: &Life, total: u64, now: UnixMillis) -> Command {
    match given(life).map(|command| command.task) {
        Some(Task::ReadPix { expected }) => browser(life, BrowserResult::Pix(target(expected.0))),
        Some(Task::VerifyOrder) => browser(life, BrowserResult::Order(order(true))),
        Some(Task::RevalidateCandidate { .. } | Task::PrepareCheckout | Task::ReadCheckout) | None => {
            quote(life, total, now)
        }
    }
}

/// How much a wallet has of what is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purse {
    /// All of it, privately.
    Full,
    /// All but 5 units of it privately, and the rest publicly.
    Public,
    /// 5 units too little, all in all.
    Short,
}

/// The check of funds that is owed last: its number, the wallet that was reported, and what the shop gets.
pub(crate) fn check(life: &Life) -> (u32, WalletReport, Cents) {
    let check = last(life, |effect| {
        if let Effect::CheckFunds { number, report, amount, .. } = effect {
            return Some((*number, report.clone(), *amount));
        }
        None
    });
    check.unwrap_or((1, wallet("W", None, START), Cents(0)))
}

/// The answer to the last check of funds; the off-ramp's word holds for 15 minutes.
pub(crate) fn funds(life: &Life, purse: Purse, now: UnixMillis) -> Command {
    let (_, _, amount) = check(life);
    funds_as(life, purse, requirement(amount, now.plus(Millis::from_minutes(15))))
}

pub(crate) fn funds_as(life: &Life, purse: Purse, requirement: Requirement) -> Command {
    let gross = requirement.gross.0;
    let (public, shielded) = match purse {
        Purse::Full => (PUBLIC, gross),
        Purse::Public => (PUBLIC, gross.saturating_sub(5)),
        Purse::Short => (0, gross.saturating_sub(5)),
    };
    let balances = Balances { public: Some(BaseUnits(public)), shielded: Some(BaseUnits(shielded)) };
    funds_answer(life, FundsAnswer::Found { balances, requirement })
}

pub(crate) fn funds_answer(life: &Life, answer: FundsAnswer) -> Command {
    Command::Funds { number: check(life).0, answer: Box::new(answer) }
}

/// A yes to exactly what is asked, or was asked last.
pub(crate) fn confirm(life: &Life, signer: Option<&str>) -> Command {
    let was_asked = || {
        life.journal.iter().rev().find_map(|(_, event)| match &event.fact {
            Fact::ConfirmationRequested { confirmation } => Some(confirmation.clone()),
            _ => None,
        })
    };
    let asked = view(&life.state).and_then(|view| view.confirmation).or_else(was_asked);
    let (digest, amount) =
        asked.map_or((digest("nothing is asked"), Cents(0)), |asked| (asked.digest, asked.amount));
    Command::Confirm { digest, amount, signer: signer.map(str::to_owned) }
}

/// The hold that was asked for last.
pub(crate) fn reserved(life: &Life) -> Option<Budget> {
    last(life, |effect| if let Effect::Reserve { budget, .. } = effect { Some(budget.clone()) } else { None })
}

pub(crate) fn reservation(life: &Life) -> Digest {
    reserved(life).map_or_else(|| digest("nothing is held"), |budget| budget.reservation)
}

pub(crate) fn budget(life: &Life, answer: BudgetAnswer) -> Command {
    Command::Budget { reservation: reservation(life), answer }
}

pub(crate) fn needs_approval() -> BudgetAnswer {
    BudgetAnswer::NeedsApproval { reason: "60 is the most without its owner".to_owned() }
}

pub(crate) fn refused() -> BudgetAnswer {
    BudgetAnswer::Refused { code: "day_cap".to_owned(), reason: "250 is the most on a day".to_owned() }
}

pub(crate) fn pay(signature: &str) -> Command {
    Command::Pay { payment: payment(signature), claim: Claim::Ours }
}

/// What is seen of a payment when the chain is looked at for the last time that is owed.
pub(crate) fn settlement(life: &Life, verdict: Verdict) -> Command {
    let attempt =
        last(life, |effect| if let Effect::Look { attempt, .. } = effect { Some(*attempt) } else { None });
    Command::Settlement { attempt: attempt.unwrap_or(1), verdict }
}

pub(crate) fn verified(life: &Life) -> Verdict {
    let received =
        view(&life.state).and_then(|view| view.requirement).map_or(BaseUnits(0), |asked| asked.gross);
    Verdict::Verified { reference: "slot 9".to_owned(), received }
}

pub(crate) fn reverted() -> Verdict {
    Verdict::Failed { code: "reverted".to_owned(), reason: "its program failed".to_owned() }
}

pub(crate) fn not_seen() -> Verdict {
    Verdict::Unknown { reason: "the node does not know it".to_owned() }
}

pub(crate) fn traced(life: &Life, trace: Trace) -> Command {
    let attempt =
        last(life, |effect| if let Effect::Trace { attempt, .. } = effect { Some(*attempt) } else { None });
    Command::Traced { attempt: attempt.unwrap_or(1), trace }
}

pub(crate) fn not_found() -> Trace {
    Trace::Unknown { reason: "the node is not there".to_owned() }
}
