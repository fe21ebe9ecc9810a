//! What would come of a request if its agent made it now.

use eip712::{B256, U256};
use mandate::life::{Book, Command, Effect, Filed, Progress, Refusal, State};
use mandate::life::{apply, decide, effects, progress};
use mandate::{
    AMOUNT_MAX, Approval, By, Ceiling, Finding, Mandate, Proof, Reason, Request, Signature, SignedApproval,
    Unit, UnixSeconds, explain,
};
use primitives::UnixMillis;

use super::{Kept, budget, message, request, typed_data};
use crate::settings::Ledger;
use crate::wire::{BudgetAnswer, Check, Evaluation, Verdict};

/// What the mandate would say to `asked` at `now` if its agent sent it, and its owner approved it where that is needed.
/// `filed` is what is on file under the request's id. The code is that of the very refusal which the agent would get.
///
/// # Errors
/// [`Refusal::Unborn`] when there is no mandate.
pub fn evaluation(
    state: &State,
    asked: &Request,
    filed: Option<&Filed>,
    ledger: &Ledger,
    now: UnixMillis,
) -> Result<Evaluation, Refusal> {
    let (state, filed) = woken(state, filed, asked.request_id, now);
    let book = state.book().ok_or(Refusal::Unborn)?;
    let judged = match judge(&state, book, asked, filed.as_ref(), now) {
        Ok(approval) => Judged::Passes(approval),
        Err(Refusal::Rules { .. }) => Judged::Broken(None),
        Err(refusal) => Judged::Broken(Some(unruled(refusal.code(), refusal.to_string()))),
    };
    let checks = checks(&book.mandate, &Ceiling::Unset, asked, book.moment(now));
    let remaining = budget(book, asked.recipient, asked.service, now);
    Ok(evaluated(asked, judged, checks, remaining, ledger))
}

/// What a request would come to.
pub(in crate::outbound) enum Judged {
    /// It passes.
    Passes(Approval),
    /// It is refused, by the rules alone or by something beside them, which is judged first.
    Broken(Option<Check>),
}

/// The answer to the question.
pub(in crate::outbound) fn evaluated(
    asked: &Request,
    judged: Judged,
    rules: Vec<Check>,
    remaining: BudgetAnswer,
    ledger: &Ledger,
) -> Evaluation {
    let (verdict, beside) = match judged {
        Judged::Passes(Approval::Unneeded) => (Verdict::Allowed, None),
        Judged::Passes(Approval::Needed) => (Verdict::NeedsApproval, None),
        Judged::Broken(beside) => (Verdict::Refused, beside),
    };
    let checks: Vec<Check> = beside.into_iter().chain(rules).collect();
    let message = message(asked);
    Evaluation {
        verdict,
        code: checks.iter().find(|check| !check.passes).map(|check| check.rule.clone()),
        checks,
        remaining,
        request: request(&message),
        payment: asked.payment.to_string(),
        typed_data: typed_data(&message, &ledger.domain()),
    }
}

/// The state, and what is on file under the request's id, once time has done what nobody has recorded.
fn woken(state: &State, filed: Option<&Filed>, request_id: B256, now: UnixMillis) -> (State, Option<Filed>) {
    let (mut state, mut filed) = (state.clone(), filed.cloned());
    loop {
        let events = decide(&state, Command::Wake, now).unwrap_or_default();
        let Some(event) = events.first() else { return (state, filed) };
        for effect in effects(&state, event) {
            if let Effect::File(row) = effect
                && row.request.request_id == request_id
            {
                filed = Some(*row);
            }
        }
        match apply(state.clone(), event) {
            Ok(next) => state = next,
            // What was decided applies.
            Err(_) => return (state, filed),
        }
    }
}

/// Whether it would be authorized, or first approved.
fn judge(
    state: &State,
    book: &Book,
    asked: &Request,
    filed: Option<&Filed>,
    now: UnixMillis,
) -> Result<Approval, Refusal> {
    let (by, filed_too) = (By::caller(book.mandate.agent), filed.cloned().map(Box::new));
    decide(state, Command::Request { request: Box::new(*asked), by, filed: filed_too }, now)?;
    match progress(state, asked.payment, filed) {
        None => Ok(book.mandate.approval_for(asked.max_amount)),
        Some(Progress::AwaitingApproval) => Ok(Approval::Needed),
        Some(Progress::Approved) => Ok(Approval::Unneeded),
        Some(
            stands @ (Progress::Rejected
            | Progress::Expired
            | Progress::Cancelled
            | Progress::Escrowed
            | Progress::Delivered
            | Progress::Disputed
            | Progress::Settled
            | Progress::Refunded
            | Progress::Voided
            | Progress::TimedOut),
        ) => Err(Refusal::Unavailable(stands)),
    }
}

/// Every rule, as if the agent had signed the request and the owner had approved it.
pub(in crate::outbound) fn checks(
    mandate: &Mandate,
    ceiling: &Ceiling,
    asked: &Request,
    at: UnixSeconds,
) -> Vec<Check> {
    let approval = SignedApproval { valid_before: UnixSeconds::MAX, signature: Signature::Of(mandate.owner) };
    let proof = Proof { agent: By::caller(mandate.agent), approval };
    let mandate = Some(mandate).filter(|mandate| mandate.id == asked.mandate);
    let findings = explain(mandate, asked, &proof, at, ceiling);
    findings.iter().map(check).collect()
}

fn check(finding: &Finding) -> Check {
    let (got, limit) = finding.rule.units();
    let is_no_cap = if finding.rule == Reason::DayCount {
        finding.limit == U256::from(u32::MAX)
    } else {
        limit == Unit::Amount && finding.limit >= U256::from(AMOUNT_MAX.0)
    };
    Check {
        rule: finding.rule.code().to_owned(),
        passes: finding.passes(),
        got: words(got, finding.got),
        limit: if is_no_cap { "none".to_owned() } else { words(limit, finding.limit) },
        message: finding.verdict().err().map_or_else(String::new, |refused| refused.to_string()),
    }
}

fn words(unit: Unit, number: U256) -> String {
    if unit == Unit::Nothing { String::new() } else { unit.render(number) }
}

/// A refusal that is no rule's.
pub(in crate::outbound) fn unruled(code: &str, message: String) -> Check {
    let (rule, nothing) = (code.to_owned(), String::new);
    Check { rule, passes: false, got: nothing(), limit: nothing(), message }
}
