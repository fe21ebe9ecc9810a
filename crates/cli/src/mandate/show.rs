//! Mandates, payments and rules in words for people. What a stranger wrote is made harmless for a terminal.

use client::{
    Domain, Millis, UnixMillis,
    wire::{ActivityLine, BudgetAnswer, Evaluation, Mandate, Payment},
};

use crate::{
    money::shown,
    output::{printable, table},
};

pub(super) use crate::output::name;

/// A mandate, line by line.
pub(super) fn mandate(mandate: &Mandate) -> String {
    let policy = &mandate.policy;
    let or_none = |cap: &Option<String>| cap.as_deref().map_or_else(|| "none".to_owned(), shown);
    let mut lines = vec![
        ("mandate", printable(&mandate.mandate)),
        ("status", format!("{}, policy version {}", name(mandate.status), mandate.policy_version)),
        ("owner", printable(&mandate.owner)),
        ("agent", printable(&mandate.agent)),
        ("holds", shown(&mandate.funds.balance)),
        ("reserved", shown(&mandate.funds.reserved)),
        ("per payment", shown(&policy.payment_cap)),
        ("per day", format!("{}, {} left", shown(&policy.day_cap), shown(&mandate.remaining.today))),
        ("per month", or_none(&policy.month_cap)),
        ("ever", or_none(&policy.lifetime_cap)),
        ("approval above", shown(&policy.approval_above)),
        ("from", printable(&policy.valid_after)),
        ("until", printable(&policy.valid_before)),
        ("entries", mandate.entry_count.to_string()),
        ("open, waiting", format!("{}, {}", mandate.open, mandate.waiting)),
    ];
    if let Some(pending) = &mandate.pending_amendment {
        lines.push(("amendment", format!("waits until {}", printable(&pending.effective_at))));
    }
    if let Some(label) = &mandate.label {
        lines.push(("label", printable(label)));
    }
    table(lines)
}

/// A mandate in one line.
pub(super) fn mandate_line(mandate: &Mandate) -> String {
    let label = mandate.label.as_deref().map(printable).unwrap_or_default();
    format!(
        "{}  {}  {} free of {}  agent {}  {label}",
        printable(&mandate.mandate),
        name(mandate.status),
        shown(&mandate.funds.available),
        shown(&mandate.funds.balance),
        printable(&mandate.agent),
    )
    .trim_end()
    .to_owned()
}

/// What could still be spent.
pub(super) fn budget(budget: &BudgetAnswer) -> String {
    let or_none = |cap: &Option<String>| cap.as_deref().map_or_else(|| "no limit".to_owned(), shown);
    let mut lines = vec![
        ("free money", shown(&budget.available)),
        ("per payment", shown(&budget.per_payment)),
        ("today", shown(&budget.today)),
        ("this month", or_none(&budget.this_month)),
        ("ever", or_none(&budget.lifetime)),
    ];
    if let Some(count) = budget.count_today {
        lines.push(("payments today", count.to_string()));
    }
    if let Some(entry) = &budget.entry {
        lines.push(("to this provider", format!("{} per payment", shown(&entry.per_payment))));
        lines.push(("in its window", or_none(&entry.window)));
    }
    if let Some(above) = &budget.needs_approval_above {
        lines.push(("approval above", shown(above)));
    }
    table(lines)
}

/// A payment, line by line.
pub(super) fn payment(payment: &Payment) -> String {
    let mut lines = vec![
        ("payment", printable(&payment.payment)),
        ("stands", name(payment.progress)),
        ("amount", shown(&payment.amount)),
        ("recipient", printable(&payment.recipient)),
        ("service", printable(&payment.service)),
        ("mandate", printable(&payment.mandate)),
        ("request", printable(&payment.request_id)),
        ("paid", format!("{}, {} given back", shown(&payment.paid), shown(&payment.refunded))),
    ];
    let further = [
        ("until", &payment.deadline),
        ("receipt", &payment.receipt),
        ("evidence", &payment.evidence),
        ("note", &payment.note),
    ];
    lines.extend(further.into_iter().filter_map(|(name, value)| Some((name, printable(value.as_deref()?)))));
    table(lines)
}

/// A payment in one line.
pub(super) fn payment_line(payment: &Payment) -> String {
    format!(
        "{}  {}  {}  to {}",
        printable(&payment.payment),
        name(payment.progress),
        shown(&payment.amount),
        printable(&payment.recipient),
    )
}

/// Everything that an approval says, out of the message that is signed; who the agent is, the board says.
pub(super) fn approval(payment: &Payment, until: u64, domain: &Domain) -> String {
    let request = &payment.request;
    let terms = &request.terms;
    let moment = |seconds: u64| UnixMillis(Millis::from_seconds(seconds).0).to_rfc3339();
    table(vec![
        ("approval until", moment(until)),
        ("payment", printable(&payment.payment)),
        ("mandate", printable(&request.mandate)),
        ("policy version", request.policy_version.to_string()),
        ("request", printable(&request.request_id)),
        ("agent", printable(&payment.agent)),
        ("amount", format!("{} ({} units)", shown(&request.max_amount), printable(&request.max_amount))),
        ("token", printable(&request.token)),
        ("recipient", printable(&request.recipient)),
        ("service", printable(&request.service)),
        ("job", printable(&request.job_hash)),
        ("valid from", moment(request.valid_after)),
        ("valid until", moment(request.valid_before)),
        ("delivery by", moment(request.deliver_by)),
        ("capture by", moment(request.capture_by)),
        ("refund by", moment(request.refund_by)),
        ("you may dispute", format!("{} seconds from delivery", terms.challenge_period)),
        (
            "resolver",
            format!("{}, {} seconds to decide", printable(&terms.resolver), terms.resolution_timeout),
        ),
        ("on its silence", format!("{} of 10000 parts to the provider", terms.silence_bps)),
        ("signed for", format!("chain {}, ledger {}", domain.chain_id, domain.verifying_contract)),
    ])
}

/// The rules that are against a request, each with its words.
pub(super) fn broken_rules(evaluation: &Evaluation) -> Vec<String> {
    let broken = evaluation.checks.iter().filter(|check| !check.passes);
    broken.map(|check| format!("{}: {}", printable(&check.rule), printable(&check.message))).collect()
}

/// One line of what happened.
pub(super) fn activity(line: &ActivityLine) -> String {
    let amount = line.amount.as_deref().map(shown).unwrap_or_default();
    let about = line.payment.as_ref().unwrap_or(&line.mandate);
    let reason = line.reason.as_deref().map(printable).unwrap_or_default();
    format!(
        "{}  {:<16} {:<9} {:<18} {amount}  {}  {reason}",
        printable(&line.at),
        printable(&line.kind),
        printable(&line.role),
        printable(&line.result),
        printable(about),
    )
    .trim_end()
    .to_owned()
}
