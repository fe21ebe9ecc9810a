//! Asking the node of a run's network. Its address and key stay here: no answer and no log names them.

use api::settings::Rpc;
use chain::rpc::{Answer, Call, Question, answers, body};
use chain::{Verdict as Seen, Window};
use meter::Outcome;
use run::{Authorization, Trace, Verdict};
use shell::{Failure, within};

/// How long a node is waited for.
const WAIT_MS: u64 = 5_000;

/// What the node says to each question.
pub(super) async fn ask(node: &Rpc, questions: &[&Question]) -> Result<Vec<Answer>, Failure> {
    let text = within(WAIT_MS, post(node, &body(questions))).await.ok_or(Failure::Late("a node"))??;
    answers(&text, questions.len()).map_err(|fault| Failure::Runtime(format!("a node's answer {fault}")))
}

/// What the node says to one question.
pub(super) async fn one<T>(node: &Rpc, asked: &Call<T>) -> Result<T, Failure> {
    let said = ask(node, &[&asked.question]).await?;
    read(asked, &said.into_iter().next().ok_or_else(missing)?)
}

/// What an answer says to its question.
pub(super) fn read<T>(asked: &Call<T>, said: &Answer) -> Result<T, Failure> {
    let result = said.as_ref().map_err(|fault| Failure::Runtime(fault.to_string()))?;
    asked.read(result).map_err(|fault| Failure::Runtime(format!("a node's answer {fault}")))
}

pub(super) fn missing() -> Failure {
    Failure::Runtime("a node's answer is missing".to_owned())
}

async fn post(node: &Rpc, body: &str) -> Result<String, Failure> {
    let (url, key) = match node {
        Rpc::Solana { url, key } => (url, key.as_ref()),
        Rpc::Evm { url, .. } => (url, None),
    };
    let mut headers = vec![("content-type", "application/json")];
    headers.extend(key.map(|(name, key)| (name.as_str(), key.reveal())));
    let init = runtime::init("POST", &headers, Some(body))?;
    // What went wrong may name the address, and with it a key.
    let unreachable = || Failure::Runtime("the node cannot be reached".to_owned());
    let request = web_sys::Request::new_with_str_and_init(url.reveal(), &init).map_err(|_| unreachable())?;
    let sent = worker::Fetch::Request(request.into()).send().await.map_err(|_| unreachable())?;
    runtime::text(&sent.into()).await.map_err(|_| unreachable())
}

pub(super) fn parsed<T: core::str::FromStr>(text: &str, what: &str) -> Result<T, Failure> {
    text.parse().map_err(|_| Failure::Corrupt(format!("{what} is not one of the run's network")))
}

/// When a payment may land.
pub(super) fn window(authorization: &Authorization) -> Window {
    Window { not_before: authorization.at, deadline: authorization.lands_by() }
}

/// What was seen, in the words of a run. What cannot be asked or read is unknown.
pub(super) fn verdict(seen: Result<Seen, Failure>, unit: &str) -> Verdict {
    match seen {
        Ok(Seen::Verified { slot, received, .. }) => {
            Verdict::Verified { reference: format!("{unit} {slot}"), received }
        }
        Ok(Seen::Failed(reason)) => {
            Verdict::Failed { code: reason.code().to_owned(), reason: reason.to_string() }
        }
        Ok(Seen::Unknown(why)) => Verdict::Unknown { reason: why.to_string() },
        Err(failure) => {
            shell::log::failure("settlement", "look", "unreachable", &failure);
            Verdict::Unknown { reason: "The chain could not be asked.".to_owned() }
        }
    }
}

/// What was seen of a transaction that is to pay a bill and has not been verified, in the words of a meter.
pub(super) fn not_paid(verdict: Verdict) -> Outcome {
    match verdict {
        Verdict::Failed { code, reason } => Outcome::Failed { code, reason },
        Verdict::Unknown { reason } => Outcome::Unknown { reason },
        // Whoever verifies a payment says what proves it; without that it is looked at again.
        Verdict::Verified { reference, .. } => Outcome::Unknown { reason: reference },
    }
}

/// What was found, in the words of a run.
pub(super) fn traced(trace: Result<Trace, Failure>) -> Trace {
    trace.unwrap_or_else(|failure| {
        shell::log::failure("settlement", "trace", "unreachable", &failure);
        Trace::Unknown { reason: "The chain could not be asked.".to_owned() }
    })
}

/// A payment that is not there yet, and could still land.
pub(super) fn still_open() -> Trace {
    Trace::Unknown { reason: "The payment's time is not over on its chain.".to_owned() }
}

/// A transaction's name that is none of its network's was never one.
pub(super) fn no_name(network: &str) -> Verdict {
    Verdict::Failed {
        code: "malformed_signature".to_owned(),
        reason: format!("This is not the name of a transaction on {network}."),
    }
}
