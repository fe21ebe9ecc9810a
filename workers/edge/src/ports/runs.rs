//! Speaking to the objects of runs, of their executors, and of their receipts.

use api::binding::executor::{ExecutorAsk, ExecutorReply, ExecutorView};
use api::binding::run::{RunCall, RunReply};
use api::outbound::run::{order, queued};
use executor::{CommandId, Order, Progress, Refusal};
use primitives::{CorrelationId, ExecutorId, Millis, RunId};
use run::receipt::{self, Holder};
use run::{BrowserCommand, Claim};
use shell::{Failure, now, send};
use worker::Env;

/// The binding of runs.
pub const RUN: &str = "RUN";
/// The binding of executors.
pub const EXECUTOR: &str = "EXECUTOR";
/// The binding of payments' names.
const RECEIPT: &str = "RECEIPT";
/// The binding of the gates to registrations.
const GATE: &str = "GATE";

/// How long an order may stay in a queue after its run has stopped waiting for it, should the run not take it out: a run
/// waits longer for a user than it first says.
const ORDER_GRACE: Millis = Millis::from_minutes(170);

/// Asks a run.
pub async fn ask(env: &Env, run: &RunId, call: &RunCall) -> Result<RunReply, Failure> {
    send(env, RUN, run.as_str(), "ask", call).await
}

/// Tells a run what another object has found.
pub async fn tell(
    env: &Env,
    run: &RunId,
    command: run::Command,
    correlation_id: &CorrelationId,
) -> Result<(), Failure> {
    send(env, RUN, run.as_str(), "tell", &(command, correlation_id)).await
}

/// Lets time take effect in a run; whether it still needs somebody to look after it.
pub async fn wake(env: &Env, run: &str) -> Result<bool, Failure> {
    send(env, RUN, run, "wake", &()).await
}

/// Asks an executor's queue.
pub async fn executor(
    env: &Env,
    executor: &ExecutorId,
    ask: ExecutorAsk,
    correlation_id: &CorrelationId,
) -> Result<ExecutorReply, Failure> {
    send(env, EXECUTOR, executor.as_str(), "ask", &(ask, correlation_id)).await
}

/// Whether there is such an executor.
pub async fn is_known(env: &Env, id: &ExecutorId, correlation_id: &CorrelationId) -> Result<bool, Failure> {
    let known = executor(env, id, ExecutorAsk::Knows, correlation_id).await?;
    Ok(matches!(known, Ok(ExecutorView::Known(true))))
}

fn order_of(run: &RunId, command_id: &str) -> Result<CommandId, Failure> {
    queued(run, command_id).map_err(|fault| Failure::Corrupt(fault.to_string()))
}

/// A command's name within its run.
pub fn command_of(order: &CommandId) -> String {
    order.as_str().split_once('.').map_or("", |(_, command_id)| command_id).to_owned()
}

/// Puts a command into its executor's queue.
pub async fn dispatch(
    env: &Env,
    run: &RunId,
    command: &BrowserCommand,
    correlation_id: &CorrelationId,
) -> Result<Result<(), Refusal>, Failure> {
    let order = order(run, command).map_err(|fault| Failure::Corrupt(fault.to_string()))?;
    let order = Order { until: order.until.plus(ORDER_GRACE), ..order };
    let reply = executor(env, &command.executor, ExecutorAsk::Order(order), correlation_id).await?;
    Ok(reply.map(|_| ()))
}

/// Takes a command out of its executor's queue.
pub async fn withdraw(
    env: &Env,
    run: &RunId,
    id: &ExecutorId,
    command_id: &str,
    correlation_id: &CorrelationId,
) -> Result<(), Failure> {
    let until = now().plus(ORDER_GRACE);
    let ask = ExecutorAsk::Withdraw { command_id: order_of(run, command_id)?, until };
    match executor(env, id, ask, correlation_id).await? {
        // One that is not there has nothing to give out.
        Ok(_) | Err(Refusal::NotRegistered) => Ok(()),
        Err(refusal) => Err(Failure::Runtime(refusal.to_string())),
    }
}

/// Tells an executor's queue what the executor has told the run, so that it is not given the command again meanwhile.
pub async fn renew(
    env: &Env,
    run: &RunId,
    id: &ExecutorId,
    command_id: &str,
    progress: Progress,
    correlation_id: &CorrelationId,
) -> Result<(), Failure> {
    let ask = ExecutorAsk::Renew { command_id: order_of(run, command_id)?, progress };
    executor(env, id, ask, correlation_id).await.map(|_| ())
}

/// Whether one more executor may be registered from a source.
pub async fn admit(
    env: &Env,
    source: &str,
    correlation_id: &CorrelationId,
) -> Result<Result<(), executor::gate::Refusal>, Failure> {
    send(env, GATE, source, "admit", correlation_id).await
}

/// Whether a payment's name is free for what is paid for, or its own.
pub async fn look_up(env: &Env, network: &str, signature: &str, holder: &Holder) -> Result<Claim, Failure> {
    let known: Option<Holder> =
        send(env, RECEIPT, &receipt::name(network, signature).to_string(), "view", &()).await?;
    Ok(if known.is_none_or(|known| known == *holder) { Claim::Ours } else { Claim::Elsewhere })
}

/// Makes a payment's name that of what is paid for, if nothing else has it.
pub async fn claim(
    env: &Env,
    network: &str,
    signature: &str,
    holder: &Holder,
    correlation_id: &CorrelationId,
) -> Result<Claim, Failure> {
    let name = receipt::name(network, signature).to_string();
    let known: Option<Holder> = send(env, RECEIPT, &name, "claim", &(holder, correlation_id)).await?;
    Ok(if known.is_some_and(|known| known == *holder) { Claim::Ours } else { Claim::Elsewhere })
}
