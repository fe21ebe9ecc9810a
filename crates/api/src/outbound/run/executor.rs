//! Browser executors and their queues, and what else is looked at for runs.

use core::net::IpAddr;

use executor::{CommandId, Lifecycle, Order, Refusal, State, gate};
use primitives::{BaseUnits, ExecutorId, Malformed, RunId, UnixMillis};
use run::BrowserCommand;

use super::PROTOCOL_VERSION;
use super::quote::command;
use crate::outbound::mandate::length;
use crate::problem::Problem;
use crate::settings::Runs;
use crate::wire::{
    AgentBrowserCommand, BalancesAnswer, CommandsAnswer, DemoAnswer, ExecutorAnswer, ExecutorRegistered,
    ExecutorStatus,
};

/// An executor at `now`; none when nobody has come with its secret.
pub fn executor(id: &ExecutorId, state: &State, now: UnixMillis) -> Option<ExecutorAnswer> {
    let queue = state.queue()?;
    Some(ExecutorAnswer {
        executor_id: id.to_string(),
        label: queue.label.as_ref().map(|label| label.as_str().to_owned()),
        status: match state.status(now) {
            Lifecycle::Unregistered | Lifecycle::Offline => ExecutorStatus::Offline,
            Lifecycle::Idle => ExecutorStatus::Idle,
            Lifecycle::Busy => ExecutorStatus::Busy,
        },
        last_seen_at: queue.seen_at.to_rfc3339(),
        pending: length(queue.pending(now).count()),
    })
}

/// A command's name in its executor's queue, where those of many runs lie: its own are counted within the run.
///
/// # Errors
/// When the command's name is none of a run.
pub fn queued(run: &RunId, command_id: &str) -> Result<CommandId, Malformed> {
    format!("{run}.{command_id}").parse()
}

/// A command of a run as its executor's queue keeps it.
///
/// # Errors
/// When the command does not fit there, which those of a run do.
pub fn order(run: &RunId, asked: &BrowserCommand) -> Result<Order, Malformed> {
    // What is written to nowhere but memory, and has names for keys, is always written.
    let body = serde_json::to_string(&command(run, asked)).unwrap_or_default();
    let command_id = queued(run, &asked.command_id)?;
    Ok(Order { command_id, run: run.clone(), body: body.parse()?, until: asked.until })
}

/// Orders as they are given out.
///
/// # Errors
/// When one of them was not made by [`order`].
pub fn commands(orders: &[&Order]) -> Result<CommandsAnswer, serde_json::Error> {
    let read = |order: &&Order| serde_json::from_str::<AgentBrowserCommand>(order.body.as_str());
    Ok(CommandsAnswer {
        commands: orders.iter().map(read).collect::<Result<_, _>>()?,
        protocol_version: PROTOCOL_VERSION.to_owned(),
    })
}

/// An executor that was set up, with its secret.
pub fn registered(id: &ExecutorId, secret: &str) -> ExecutorRegistered {
    ExecutorRegistered {
        executor_id: id.to_string(),
        executor_secret: secret.to_owned(),
        protocol_version: PROTOCOL_VERSION.to_owned(),
    }
}

/// The name of the gate in front of registrations from an address: the address, or the first 64 bits of one of IPv6, since
/// whoever has one of those has them all.
pub fn source(address: &str) -> String {
    match address.parse().map(|address: IpAddr| address.to_canonical()) {
        Ok(IpAddr::V6(address)) => {
            let [a, b, c, d, ..] = address.segments();
            format!("{a:x}:{b:x}:{c:x}:{d:x}::/64")
        }
        Ok(IpAddr::V4(address)) => address.to_string(),
        Err(_) => "unknown".to_owned(),
    }
}

/// The executor that plays its part, where it does.
///
/// # Errors
/// 404 where it does not.
pub fn demo(demo: Option<&ExecutorId>) -> Result<DemoAnswer, Problem> {
    let demo = demo.ok_or_else(|| {
        let detail = "No executor plays its part here. Set up one of your own with POST /v1/executors.";
        Problem::new(404, "demo_off", detail)
    })?;
    Ok(DemoAnswer { executor_id: demo.to_string(), simulated: true })
}

/// What an address holds of the token, and of the chain's own coin.
pub fn balances(address: &str, runs: &Runs, token: BaseUnits, native: BaseUnits) -> BalancesAnswer {
    let network = runs.chain.as_ref().map(|chain| chain.network().to_owned());
    BalancesAnswer {
        address: address.to_owned(),
        simulated: network.is_none(),
        network: network.unwrap_or_else(|| "simulated".to_owned()),
        public_usdc: token.to_string(),
        native: native.to_string(),
    }
}

/// The problem document of a queue's refusal, and after how many seconds the same request is worth another try.
pub fn queue_refused(refusal: &Refusal, now: UnixMillis) -> (Problem, Option<u64>) {
    let status = match refusal {
        Refusal::NotRegistered => 404,
        Refusal::AlreadyRegistered | Refusal::CommandIdReused => 409,
        Refusal::OrderOver | Refusal::OrderTooLong => 422,
        Refusal::QueueFull { .. } => 429,
    };
    let problem = Problem::new(status, refusal.code(), refusal.to_string());
    (problem, refusal.retry_at().map(|at| seconds(at, now)))
}

/// The problem document of the gate's refusal, and after how many seconds the next registration is admitted.
pub fn gate_refused(refusal: &gate::Refusal, now: UnixMillis) -> (Problem, u64) {
    let problem = Problem::new(429, refusal.code(), refusal.to_string());
    (problem, refusal.retry_at().map_or(1, |at| seconds(at, now)))
}

/// Whole seconds, at least one.
fn seconds(at: UnixMillis, now: UnixMillis) -> u64 {
    at.since(now).0.div_ceil(1_000).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_behind_one_line_share_a_gate() {
        for (one, other, is_one) in [
            ("203.0.113.7", "203.0.113.7", true),
            ("203.0.113.7", "203.0.113.8", false),
            ("203.0.113.7", "::ffff:203.0.113.7", true),
            ("2001:db8:1:2:aaaa::1", "2001:DB8:1:2::2", true),
            ("2001:db8:1:2::1", "2001:db8:1:3::1", false),
            ("", "nonsense", true),
        ] {
            assert_eq!(source(one) == source(other), is_one, "{one} and {other}");
        }
    }
}
