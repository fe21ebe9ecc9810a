//! When time alone changes a run, and what it does then.

use primitives::{Millis, UnixMillis};

use crate::asking::{Asking, Wait};
use crate::next::{invalidated, next, order_requested, question};
use crate::retry::port_failed;
use crate::stage::{Check, Due, Funded, Funding, OrderStep, Paying, Shopping, Stage};
use crate::{Fact, Quote, Run, State, limits};

/// The next moment at which time alone changes the run; none before there is one and once it is over (R7). It has passed
/// when one command could not take all steps that were the agent's.
pub fn deadline(state: &State) -> Option<UnixMillis> {
    let run = state.run().filter(|run| !run.is_over())?;
    if next(run, run.updated_at).is_some() {
        return Some(run.updated_at);
    }
    waits(run).into_iter().map(|(end, _)| end).min()
}

/// What time has done by `now` and nobody has recorded: the earliest of it.
pub(crate) fn lapsed(run: &Run, now: UnixMillis) -> Option<Fact> {
    let due = waits(run).into_iter().filter(|(end, _)| *end <= now);
    let (_, wait) = due.min_by_key(|(end, _)| *end)?;
    wait.fact(run, now)
}

/// What ends at a moment.
#[derive(Debug, Clone, Copy)]
enum Ends {
    /// The time for the run.
    Run,
    /// That for a command's result.
    Command,
    /// What was read, for this reason.
    Reading(&'static str),
    /// That for a port's answer.
    Answer,
    /// The wait before a port is asked again.
    Pause,
    /// The time for the payment.
    Payment,
    /// The wait before the shop is asked again.
    Order,
}

/// Everything that a run waits for, with its end.
fn waits(run: &Run) -> Vec<(UnixMillis, Ends)> {
    let mut waits = Vec::new();
    if !run.stage.is_authorized() {
        waits.push((run.created_at.plus(limits::RUN_WAIT), Ends::Run));
    }
    if let Some(pending) = &run.pending {
        waits.push((pending.command.until, Ends::Command));
    }
    match &run.stage {
        Stage::Shopping(Shopping::Searching(asking)) => waits.extend(port(asking)),
        Stage::Shopping(
            Shopping::Normalized | Shopping::Selected | Shopping::RevalidationRequested | Shopping::Revalidating,
        )
        | Stage::Quoted(_)
        // What was read holds at least as long as the command for the target that is under way; see when that comes.
        | Stage::Prepared(_)
        | Stage::Ended { .. } => {}
        Stage::Due { due, step } => {
            let (end, why) = due_until(due);
            waits.push((end, Ends::Reading(why)));
            match step {
                Funding::Detected | Funding::WalletRequired => {}
                Funding::WalletConnected(Check { asking, .. }) => waits.extend(port(asking)),
            }
        }
        Stage::Funded { funded, .. } => {
            let (end, why) = holds_until(funded);
            waits.push((end, Ends::Reading(why)));
        }
        Stage::Authorized { bill, step } => match step {
            Paying::Open => waits.push((bill.authorization.submit_by, Ends::Payment)),
            Paying::Closed { trace, .. } => waits.extend(port(trace)),
            Paying::Absent => {}
            Paying::Submitted { look, .. } => waits.extend(port(look)),
            Paying::Settled { order, .. } => match order.step {
                OrderStep::Again(at) => waits.push((at, Ends::Order)),
                OrderStep::Due | OrderStep::Asked | OrderStep::Silent => {}
            },
        },
    }
    waits
}

fn port(asking: &Asking) -> Option<(UnixMillis, Ends)> {
    match asking.wait {
        Wait::Answer(since) => Some((since.plus(limits::ANSWER_WAIT), Ends::Answer)),
        Wait::Again(at) => Some((at, Ends::Pause)),
        Wait::Nothing | Wait::Over => None,
    }
}

impl Ends {
    fn fact(self, run: &Run, now: UnixMillis) -> Option<Fact> {
        Some(match self {
            Self::Run => Fact::RunFailed {
                code: "run_expired".to_owned(),
                reason: "The payment was not authorized within 24 hours.".to_owned(),
            },
            Self::Command => {
                let command_id = run.pending.as_ref()?.command.command_id.clone();
                let attempt = match &run.stage {
                    Stage::Authorized { step: Paying::Settled { order, .. }, .. } => order.attempt,
                    Stage::Shopping(_)
                    | Stage::Quoted(_)
                    | Stage::Prepared(_)
                    | Stage::Due { .. }
                    | Stage::Funded { .. }
                    | Stage::Authorized { .. }
                    | Stage::Ended { .. } => run.failures.all.saturating_add(1),
                };
                Fact::CommandTimedOut { command_id, attempt }
            }
            Self::Reading(why) => invalidated(run, why),
            Self::Answer => port_failed(run, "There was no answer in time.", now)?,
            Self::Pause => question(run)?,
            Self::Payment => Fact::PaymentWindowClosed,
            Self::Order => order_requested(run, now),
        })
    }
}

/// When a quote is too old to be paid.
pub(crate) const fn quote_until(quote: &Quote) -> UnixMillis {
    quote.captured_at.plus(limits::QUOTE_AGE)
}

/// When what has to be paid does not hold any more, and why.
pub(crate) fn due_until(due: &Due) -> (UnixMillis, &'static str) {
    let quote = (quote_until(&due.prepared.checkout), "quote_stale");
    due.pix.expires_at.map_or(quote, |end| if end < quote.0 { (end, "pix_expired") } else { quote })
}

/// When what somebody agrees to does not hold any more, and why.
pub(crate) fn holds_until(funded: &Funded) -> (UnixMillis, &'static str) {
    let (due, end) = (due_until(&funded.due), funded.requirement.expires_at);
    if end < due.0 { (end, "funding_expired") } else { due }
}

/// When a chain is looked at again: soon at first, then every five minutes, after an hour every hour; and a last time at
/// `end`. None when that was the last time.
pub(crate) fn look_again(
    attempt: u32,
    since: UnixMillis,
    end: UnixMillis,
    now: UnixMillis,
) -> Option<UnixMillis> {
    let wait = if now.since(since) < limits::LOOK_OFTEN {
        doubled(limits::LOOK_FIRST, attempt).min(limits::LOOK_MOST)
    } else {
        limits::LOOK_RARELY
    };
    (now < end).then(|| now.plus(wait).min(end))
}

/// When the shop is asked for the order again; a last time two hours after the settlement. None when that was the last time.
pub(crate) fn order_again(attempt: u32, since: UnixMillis, now: UnixMillis) -> Option<UnixMillis> {
    let (end, wait) = (since.plus(limits::ORDER_WAIT), doubled(limits::ORDER_FIRST, attempt));
    (now < end).then(|| now.plus(wait.min(limits::ORDER_MOST)).min(end))
}

/// `first` after the first attempt, and twice as long after each further one.
fn doubled(first: Millis, attempt: u32) -> Millis {
    let times = 1_u64.checked_shl(attempt.saturating_sub(1)).unwrap_or(u64::MAX);
    Millis(first.0.saturating_mul(times))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The waits of a schedule in seconds, from the first failure to the last.
    fn waits(mut again: impl FnMut(u32, UnixMillis) -> Option<UnixMillis>, start: UnixMillis) -> Vec<u64> {
        let (mut waits, mut now) = (Vec::new(), start);
        for attempt in 1..10_000 {
            let Some(next) = again(attempt, now) else { break };
            waits.push(next.since(now).0 / 1_000);
            now = next;
        }
        waits
    }

    /// R5, R7
    #[test]
    fn a_chain_is_looked_at_often_then_hourly_and_a_last_time_at_the_end() {
        let since = UnixMillis(1_000_000);
        let end = since.plus(limits::SETTLEMENT_WAIT);
        let waits = waits(|attempt, now| look_again(attempt, since, end, now), since);
        assert_eq!(waits[..8], [4, 8, 16, 32, 64, 128, 256, 300]);
        assert_eq!(waits.iter().filter(|wait| **wait == 300).count(), 11);
        assert!(waits[18..waits.len() - 1].iter().all(|wait| *wait == 3_600), "{waits:?}");
        assert_eq!(waits.iter().sum::<u64>(), 7 * 86_400);
        assert_eq!(waits.len(), 185);
    }

    /// R7
    #[test]
    fn a_shop_is_asked_for_two_hours() {
        let since = UnixMillis(1_000_000);
        let waits = waits(|attempt, now| order_again(attempt, since, now), since);
        assert_eq!(waits[..6], [30, 60, 120, 240, 480, 600]);
        assert_eq!(waits.iter().sum::<u64>(), 7_200);
    }
}
