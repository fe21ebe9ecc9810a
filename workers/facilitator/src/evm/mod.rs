//! Settling on EVM chains: judging by RPC, and the objects of settlements and of relayer keys.
//!
//! ```text
//!  /verify ─► facts ─► verdict
//!  /signatures ─► signatures
//!  /settle ─► settlement object ── facts ─► verdict ── start ─► relayer object ── signs, sends, watches
//!                    ▲    │                                          │
//!                    │    └── look: receipts, the token's state      │
//!                    └──────────── announce, report ────────────────┘
//! ```

mod facts;
mod look;
mod relaying;
mod rpc;
mod settling;
pub(crate) mod signatures;
mod verdict;

use shell::{Failure, now};
use worker::Env;
use x402::FacilitatorRequest;

use crate::{
    answer::{self, Ending, Source, Words},
    ask::Ask,
    reply::{self, Reply},
    request,
    settings::Chain,
};
use verdict::{Accepted, Refusal};

/// `POST /verify`: reads only.
pub(crate) async fn verify(env: &Env, chain: &Chain, ask: &Ask) -> worker::Result<Reply> {
    let request = match request::parse(&ask.body) {
        Ok(request) => request,
        Err(fault) => return reply::json(400, &answer::not_verified(&fault, Source::Chain)),
    };
    match verdict(env, chain, ask, &request).await {
        Ok(outcome) => {
            let outcome = outcome.map_err(|refusal| refusal.words());
            reply::json(200, &answer::verified(&request, outcome, Source::Chain))
        }
        Err(failure) => {
            shell::log::failure("facilitator", ask.correlation.as_str(), "verify_failed", &failure);
            let words = unexpected("unexpected_verify_error");
            reply::json(503, &answer::verified(&request, Err(words), Source::Chain))
        }
    }
}

/// Whether a settlement would start from here, or one is under way for this very request. The latter stays valid whatever
/// the chain says meanwhile: a seller that were told otherwise would have the payer sign a second payment.
async fn verdict(
    env: &Env,
    chain: &Chain,
    ask: &Ask,
    request: &FacilitatorRequest,
) -> Result<Result<(), Refusal>, Failure> {
    let refusal = match judge(chain, request).await? {
        Ok(_) => return Ok(Ok(())),
        Err(refusal) => refusal,
    };
    if refusal.can_come_later()
        && let Ok((_, checked)) = verdict::admit(chain, request)
    {
        let name = checked.payment_id();
        let is_open: bool =
            shell::send(env, settling::BINDING, name.as_str(), settling::IS_OPEN, ask).await?;
        return Ok(if is_open { Ok(()) } else { Err(refusal) });
    }
    Ok(Err(refusal))
}

/// `POST /settle`: the object of the authorization answers.
pub(crate) async fn settle(env: &Env, chain: &Chain, ask: &Ask) -> worker::Result<Reply> {
    let request = match request::parse(&ask.body) {
        Ok(request) => request,
        Err(fault) => return reply::json(400, &answer::not_settled(&fault, Source::Chain)),
    };
    let name = match verdict::admit(chain, &request) {
        Ok((_, checked)) => checked.payment_id(),
        Err(refusal) => {
            let ending = Ending::Refused { words: refusal.words(), transaction: String::new() };
            return reply::json(200, &answer::settled(&request, ending, Source::Chain));
        }
    };
    match shell::send(env, settling::BINDING, name.as_str(), settling::SETTLE, ask).await {
        Ok(reply) => Ok(reply),
        Err(failure) => {
            shell::log::failure("facilitator", ask.correlation.as_str(), "settle_failed", &failure);
            not_known(&request)
        }
    }
}

/// Everything that can be judged before a transaction is sent.
///
/// # Errors
/// When the chain cannot be asked.
async fn judge(chain: &Chain, request: &FacilitatorRequest) -> Result<Result<Accepted, Refusal>, Failure> {
    let (network, checked) = match verdict::admit(chain, request) {
        Ok(admitted) => admitted,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let relayer = chain.relayer_of(checked.transfer().from).ok_or_else(no_relayer)?;
    let facts = facts::gather(network, &checked, relayer.address).await?;
    Ok(verdict::judge(checked, &facts, network.gas_max, now()))
}

fn no_relayer() -> Failure {
    Failure::Configuration("no relayer key is configured".to_owned())
}

/// `POST /settle` where nothing is known of the outcome: neither success nor failure.
fn not_known(request: &FacilitatorRequest) -> worker::Result<Reply> {
    let words = unexpected("unexpected_settle_error");
    let ending = Ending::Refused { words, transaction: String::new() };
    reply::json(503, &answer::settled(request, ending, Source::Chain))
}

fn unexpected(code: &str) -> Words {
    let message =
        "The chain cannot be asked at the moment. Ask again with the same request; it settles at most once.";
    Words { code: code.to_owned(), message: message.to_owned() }
}
