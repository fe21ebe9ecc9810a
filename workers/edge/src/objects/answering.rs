//! How the object of a mandate answers, whoever keeps the money.

use api::binding::MandateReply;
use api::inbound::mandate::Signed;
use api::problem::Problem;
use api::vouch::Vouched;
use eip712::Address;
use mandate::{Signature, SignerKind};
use primitives::CorrelationId;
use serde::Serialize;
use shell::Failure;
use worker::Env;

use crate::ports::vouch;

/// A refusal as a document, or what keeps this from answering.
pub(super) enum No {
    Problem(Problem),
    Failure(Failure),
}

impl From<Problem> for No {
    fn from(problem: Problem) -> Self {
        Self::Problem(problem)
    }
}

impl From<Failure> for No {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

/// The reply of an object: a refusal is one too.
pub(super) fn reply(judged: Result<MandateReply, No>) -> Result<MandateReply, Failure> {
    match judged {
        Ok(reply) => Ok(reply),
        Err(No::Problem(problem)) => {
            Ok(MandateReply::Refused { problem: Box::new(problem), retry_after: None })
        }
        Err(No::Failure(failure)) => Err(failure),
    }
}

pub(super) fn answered(status: u16, answer: &impl Serialize, replayed: bool) -> Result<MandateReply, No> {
    let answer = serde_json::to_string(answer).map_err(Failure::from)?;
    Ok(MandateReply::Answered { status, answer, replayed })
}

pub(super) fn seen(answer: &impl Serialize) -> Result<MandateReply, No> {
    answered(200, answer, false)
}

/// A signature that is not the party's key's, when the party is a contract that says it is its own (ERC-1271).
pub(super) async fn vouched(
    env: &Env,
    signed: Option<Signed>,
    (party, kind): (Address, SignerKind),
    correlation_id: &CorrelationId,
) -> Result<Option<Signed>, No> {
    let Some(signed) = signed else { return Ok(None) };
    if kind == SignerKind::Ecdsa || signed.signature == Signature::Of(party) {
        return Ok(Some(signed));
    }
    match vouch::vouches(env, correlation_id, &signed.question(party)).await? {
        Vouched::Yes => Ok(Some(signed.vouched(party))),
        Vouched::No(_) => Ok(Some(signed)),
        Vouched::Unavailable(why) => Err(No::Problem(why.problem())),
    }
}
