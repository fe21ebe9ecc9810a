//! What is recorded when a port or a shop came to nothing: when it is asked again, or that it is not.

use primitives::UnixMillis;

use crate::asking::Asking;
use crate::clock::{look_again, order_again};
use crate::rules::line;
use crate::stage::{Check, Funding, Paying, Shopping, Stage};
use crate::{Fact, Run, limits};

/// A port did not answer; none when none was asked.
pub(crate) fn port_failed(run: &Run, reason: &str, now: UnixMillis) -> Option<Fact> {
    search_failed(run, reason, now)
        .or_else(|| funds_failed(run, reason, now))
        .or_else(|| trace_failed(run, reason, now))
        .or_else(|| look_failed(run, reason, now))
}

/// The market did not answer; none when it is not asked.
fn search_failed(run: &Run, reason: &str, now: UnixMillis) -> Option<Fact> {
    let Stage::Shopping(Shopping::Searching(asking)) = &run.stage else { return None };
    let (attempt, again_at) = (asking.attempt, again(asking, now));
    Some(Fact::MarketSearchFailed { attempt, reason: told(reason), again_at })
}

/// Funds could not be checked; none when they are not.
fn funds_failed(run: &Run, reason: &str, now: UnixMillis) -> Option<Fact> {
    let Stage::Due { step: Funding::WalletConnected(Check { number, asking }), .. } = &run.stage else {
        return None;
    };
    Some(Fact::FundsCheckFailed { number: *number, reason: told(reason), again_at: again(asking, now) })
}

/// Nobody can say yet whether there is a payment; none when it is not looked for.
fn trace_failed(run: &Run, reason: &str, now: UnixMillis) -> Option<Fact> {
    let Stage::Authorized { step: Paying::Closed { since, trace }, .. } = &run.stage else { return None };
    let (attempt, end) = (trace.attempt, since.plus(limits::SETTLEMENT_WAIT));
    Some(match look_again(attempt, *since, end, now) {
        Some(again_at) => Fact::PaymentTraceFailed { attempt, reason: told(reason), again_at },
        None => Fact::SettlementAbandoned,
    })
}

/// Nobody can say yet whether the payment has arrived; none when nobody looks.
fn look_failed(run: &Run, reason: &str, now: UnixMillis) -> Option<Fact> {
    let Stage::Authorized { bill, step: Paying::Submitted { since, look, .. } } = &run.stage else {
        return None;
    };
    let end = since.plus(limits::SETTLEMENT_WAIT).min(bill.authorization.at.plus(limits::SETTLEMENT_MOST));
    let attempt = look.attempt;
    Some(match look_again(attempt, *since, end, now) {
        Some(again_at) => Fact::SettlementUnresolved { attempt, reason: told(reason), again_at },
        None => Fact::SettlementAbandoned,
    })
}

/// The shop does not say that it has the order; none when it is not asked.
pub(crate) fn order_pending(run: &Run, evidence: &str, now: UnixMillis) -> Option<Fact> {
    let Stage::Authorized { step: Paying::Settled { since, order, .. }, .. } = &run.stage else {
        return None;
    };
    let evidence = line(evidence, limits::EVIDENCE_BYTES);
    Some(match order_again(order.attempt, *since, now) {
        Some(again_at) => Fact::OrderPending { evidence, again_at },
        None => Fact::OrderAbandoned { evidence },
    })
}

/// The next of [`limits::RETRIES`]; none when that was the last time.
fn again(asking: &Asking, now: UnixMillis) -> Option<UnixMillis> {
    let place = usize::try_from(asking.attempt).ok()?.checked_sub(1)?;
    limits::RETRIES.get(place).map(|wait| now.plus(*wait))
}

fn told(reason: &str) -> String {
    line(reason, limits::REASON_BYTES)
}
