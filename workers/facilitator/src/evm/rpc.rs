//! Asking a network's RPC servers.

use chain::rpc::{Call, Fault, FaultKind, Question, answers, body, send_raw_transaction};
use futures_util::future::join_all;
use serde_json::Value;
use shell::{Failure, within};

use crate::{limits::RPC_WAIT, settings::Network};

/// What a server says to each question.
pub(crate) type Answers = Vec<Result<Value, Fault>>;

/// Asks the servers in their order, until one has a word of the chain's on each question.
///
/// For what the chain itself judges again: a wrong answer costs a transaction that fails, or a second question.
///
/// # Errors
/// When none of them answers.
pub(crate) async fn ask(network: &Network, questions: &[&Question]) -> Result<Answers, Failure> {
    let mut said = Err(Failure::Runtime("no RPC server is configured".to_owned()));
    for url in &network.rpc {
        said = post(url, questions).await;
        let is_whole = |answers: &Answers| {
            let faults = answers.iter().filter_map(|answer| answer.as_ref().err());
            faults.map(Fault::kind).all(|kind| kind == FaultKind::Reverted)
        };
        if said.as_ref().is_ok_and(is_whole) {
            break;
        }
    }
    said
}

/// What each server that answers says to the same questions.
pub(crate) struct Said(Vec<Answers>);

/// Asks every server.
///
/// For what decides whether money has moved: one server that is wrong cannot decide it alone.
///
/// # Errors
/// When none of them answers.
pub(crate) async fn every(network: &Network, questions: &[&Question]) -> Result<Said, Failure> {
    let mut said = Vec::with_capacity(network.rpc.len());
    let mut failure = Failure::Runtime("no RPC server is configured".to_owned());
    for answer in join_all(network.rpc.iter().map(|url| post(url, questions))).await {
        match answer {
            Ok(answers) => said.push(answers),
            Err(reason) => failure = reason,
        }
    }
    if said.is_empty() { Err(failure) } else { Ok(Said(said)) }
}

impl Said {
    /// What each server says to the question at a position. One that has only a fault to say is one that does not
    /// answer.
    ///
    /// # Errors
    /// When none of them says what was asked for.
    pub(crate) fn each<T>(&self, call: &Call<T>, at: usize) -> Result<Vec<T>, Failure> {
        self.understood(|answers| read(call, answers.get(at)))
    }

    fn understood<T>(&self, read: impl Fn(&Answers) -> Result<T, Failure>) -> Result<Vec<T>, Failure> {
        let mut said = Vec::with_capacity(self.0.len());
        let mut failure = Failure::Runtime("no RPC server has answered".to_owned());
        for answers in &self.0 {
            match read(answers) {
                Ok(value) => said.push(value),
                Err(reason) => failure = reason,
            }
        }
        if said.is_empty() { Err(failure) } else { Ok(said) }
    }

    /// What all of them say alike to the question at a position.
    ///
    /// # Errors
    /// As [`Said::each`], and when two of them differ.
    pub(crate) fn agreed<T: PartialEq>(&self, call: &Call<T>, at: usize) -> Result<T, Failure> {
        self.agreed_by(|answers| read(call, answers.get(at)))
    }

    /// What `read` makes of each server's answers, when it makes the same of all. A server whose answers it fails to read
    /// is one that does not answer.
    ///
    /// # Errors
    /// When it reads no server's answers, and when two of them differ.
    pub(crate) fn agreed_by<T: PartialEq>(
        &self,
        read: impl Fn(&Answers) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let mut said = self.understood(read)?.into_iter();
        let first = said.next().ok_or_else(|| Failure::Runtime("no RPC server has answered".to_owned()))?;
        if said.any(|other| other != first) {
            return Err(Failure::Runtime("the RPC servers contradict each other".to_owned()));
        }
        Ok(first)
    }
}

/// Sends transactions to every server. What matters is not what they say now but what the chain shows later; what is
/// returned is for the log: the first answer of any of them that is neither a hash nor "known already".
pub(crate) async fn broadcast(network: &Network, transactions: &[Vec<u8>]) -> Option<String> {
    let calls: Vec<_> = transactions.iter().map(|raw| send_raw_transaction(raw)).collect();
    let questions: Vec<_> = calls.iter().map(|call| &call.question).collect();
    let answers = join_all(network.rpc.iter().map(|url| post(url, &questions))).await;
    answers.into_iter().find_map(|answers| match answers {
        Ok(answers) => answers.into_iter().filter_map(Result::err).find_map(|fault| match fault.kind() {
            FaultKind::AlreadyKnown => None,
            FaultKind::Reverted
            | FaultKind::NonceTooLow
            | FaultKind::Underpriced
            | FaultKind::InsufficientFunds
            | FaultKind::RateLimited
            | FaultKind::Other => Some(fault.to_string()),
        }),
        Err(failure) => Some(failure.to_string()),
    })
}

/// The typed answer at a position.
///
/// # Errors
/// When the server answered with a fault, or with something else than was asked for.
pub(crate) fn read<T>(call: &Call<T>, answer: Option<&Result<Value, Fault>>) -> Result<T, Failure> {
    match answer {
        Some(Ok(value)) => {
            call.read(value).map_err(|fault| Failure::Runtime(format!("an RPC answer {fault}")))
        }
        Some(Err(fault)) => Err(Failure::Runtime(fault.to_string())),
        None => Err(Failure::Runtime("an RPC answer is missing".to_owned())),
    }
}

/// What a contract returns; `None` if its call would fail on the chain.
///
/// # Errors
/// As [`read`]: a server's own trouble is never an answer.
pub(crate) fn returned<T>(
    call: &Call<T>,
    answer: Option<&Result<Value, Fault>>,
) -> Result<Option<T>, Failure> {
    match answer {
        Some(Err(fault)) if fault.kind() == FaultKind::Reverted => Ok(None),
        answer => read(call, answer).map(Some),
    }
}

async fn post(url: &str, questions: &[&Question]) -> Result<Answers, Failure> {
    let text =
        within(RPC_WAIT.0, fetch(url, &body(questions))).await.ok_or(Failure::Late("an RPC server"))??;
    answers(&text, questions.len())
        .map_err(|fault| Failure::Runtime(format!("an RPC server's answer {fault}")))
}

async fn fetch(url: &str, body: &str) -> Result<String, Failure> {
    let init = runtime::init("POST", &[("content-type", "application/json")], Some(body))?;
    let request = web_sys::Request::new_with_str_and_init(url, &init)?;
    let response: web_sys::Response = worker::Fetch::Request(request.into()).send().await?.into();
    // Servers put their faults into bodies of any status; what is no JSON-RPC answer is refused by its reader.
    Ok(runtime::text(&response).await?)
}
