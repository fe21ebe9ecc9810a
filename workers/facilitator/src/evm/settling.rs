//! The object of one authorization: its core in the shell, and the steps of one request to settle.

use core::cell::RefCell;
use std::rc::Rc;

use futures_channel::oneshot;
use primitives::{Call, CorrelationId, Millis, Reply as CoreReply, UnixMillis};
use serde::{Deserialize, Serialize};
use settlement::{
    Answer, Bytes, Cause, Command, Effect, Event, Fact, Job, Look, Refusal, Sighting, Terms, Tier,
};
use shell::{Core, Failure, Shell, core_of, fresh_correlation_id, now, only_messages, unknown_subject};
use wasm_bindgen::prelude::*;
use worker::{DurableObject, Env, Request, Response, State, durable_object};
use x402::{ChainReason, FacilitatorRequest, InvalidReason};

use super::{
    judge, look, no_relayer, not_known,
    relaying::{self, Submission},
    rpc, verdict,
    verdict::Accepted,
};
use crate::{
    answer::{self, Ending, Source, Words},
    ask::Ask,
    catalogue, front,
    reply::{self, Reply},
    request,
    settings::{Backend, Chain, Confirmation},
};

/// The binding's name.
pub(super) const BINDING: &str = "SETTLEMENT";
/// The subjects of its messages: a request to settle, the relayer's word, and a question about a request.
pub(super) const SETTLE: &str = "settle";
pub(super) const HEAR: &str = "hear";
pub(super) const IS_OPEN: &str = "is open";

/// What a relayer says of a job.
#[derive(Serialize, Deserialize)]
pub(super) struct Word {
    pub(super) correlation: CorrelationId,
    pub(super) news: News,
}

#[derive(Serialize, Deserialize)]
pub(super) enum News {
    /// This transaction carries it.
    Announced { hash: String, raw: String },
    /// It is over there.
    Reported,
}

struct SettlementCore;

impl Core for SettlementCore {
    core_of!(settlement);

    const KIND: &'static str = "settlement";
    type Answer = Answer;

    fn authorize(_: &settlement::State, _: &Command) -> Result<(), Refusal> {
        // Only the facilitator's own objects speak to a settlement; the request was verified by the payer's signature.
        Ok(())
    }

    fn answer(state: &settlement::State) -> Answer {
        settlement::answer(state)
    }

    fn lifecycle(state: &settlement::State) -> &'static str {
        state.lifecycle().name()
    }
}

/// The object.
#[durable_object(alarm)]
pub struct SettlementObject {
    state: State,
    env: Env,
    shell: Shell<SettlementCore>,
    /// Requests that wait for the outcome.
    waiting: RefCell<Vec<oneshot::Sender<()>>>,
}

impl DurableObject for SettlementObject {
    fn new(state: State, env: Env) -> Self {
        let shell = Shell::new(&state);
        Self { state, env, shell, waiting: RefCell::default() }
    }

    async fn fetch(&self, _: Request) -> worker::Result<Response> {
        only_messages()
    }

    async fn alarm(&self) -> worker::Result<Response> {
        let correlation = fresh_correlation_id();
        let step = self.shell.wake(&correlation)?;
        self.follow(&step.events, &correlation).await?;
        self.drain().await?;
        Response::empty()
    }
}

#[wasm_bindgen]
impl SettlementObject {
    /// Takes one message.
    pub async fn receive(&self, subject: String, body: String) -> Result<String, JsValue> {
        let name = self.shell.name();
        match subject.as_str() {
            SETTLE => shell::answer(self.settle(&body).await, SettlementCore::KIND, name),
            HEAR => shell::answer(self.hear(&body).await, SettlementCore::KIND, name),
            IS_OPEN => shell::answer(self.is_open(&body), SettlementCore::KIND, name),
            other => shell::answer::<()>(Err(unknown_subject(other)), SettlementCore::KIND, name),
        }
    }
}

impl SettlementObject {
    fn backend(&self) -> Result<Rc<Backend>, Failure> {
        front::backend(&self.env).map_err(|_| Failure::Configuration("the settings are refused".to_owned()))
    }

    fn run(
        &self,
        command: Command,
        correlation: &CorrelationId,
    ) -> Result<Result<Vec<Event>, Refusal>, Failure> {
        let call = Call { command, correlation_id: correlation.clone(), operation: None };
        let step = self.shell.run(call)?;
        for waiter in self.waiting.take() {
            // One that has gone needs no word.
            let _ = waiter.send(());
        }
        Ok(match step.reply {
            CoreReply::Done { .. } => Ok(step.events),
            CoreReply::Refused(refusal) => Err(refusal),
            CoreReply::OperationReused => Err(Refusal::Other),
        })
    }

    async fn settle(&self, body: &str) -> Result<Reply, Failure> {
        let ask: Ask = serde_json::from_str(body)?;
        let Ok(request) = request::parse(&ask.body) else {
            return Err(Failure::Runtime("a request that the front has read".to_owned()));
        };
        self.shell.restore_lost_alarm(&self.state).await?;
        let fingerprint = request::fingerprint(&request)?;
        let backend = self.backend()?;
        let Backend::Chain(chain) = &*backend else { return Err(no_relayer()) };
        if self.is_startable()? {
            match judge(chain, &request).await {
                Err(failure) if self.is_startable()? => {
                    shell::log::failure(SettlementCore::KIND, self.shell.name(), "unverified", &failure);
                    return Ok(not_known(&request)?);
                }
                // Another copy of the request may have started it meanwhile, and used the nonce that this one met.
                Ok(Err(refusal)) if self.is_startable()? => {
                    return refused(&request, refusal.words(), String::new());
                }
                Ok(Ok(accepted)) => {
                    let terms = Box::new(terms(chain, &request, &accepted)?);
                    // A refusal is seen below, as is what another copy has started.
                    let start = Command::Start { fingerprint, asker: ask.asker.clone(), terms };
                    let _ = self.run(start, &ask.correlation)?;
                    self.drain().await?;
                }
                Err(_) | Ok(Err(_)) => {}
            }
        }
        if self.shell.read(|state| settlement::matches(state, &fingerprint))?.is_err() {
            let words = words_of(&InvalidReason::NonceUsed);
            return refused(&request, words, String::new());
        }
        let answer = self.outcome(chain.settle_wait).await?;
        if let Answer::Settled { transaction, .. } = &answer {
            let collect = Command::Collect { fingerprint, asker: ask.asker };
            match self.run(collect, &ask.correlation)? {
                Ok(_) => {}
                Err(Refusal::Collected) => {
                    let ending = Ending::Duplicate { transaction: transaction.clone() };
                    return Ok(reply::json(200, &answer::settled(&request, ending, Source::Chain))?);
                }
                Err(Refusal::Other | Refusal::Unavailable(_) | Refusal::KeyTooLong) => {
                    return Ok(not_known(&request)?);
                }
            }
        }
        respond(&request, answer)
    }

    /// Whether that request may still come to hear that it is settled.
    fn is_open(&self, body: &str) -> Result<bool, Failure> {
        let ask: Ask = serde_json::from_str(body)?;
        let Ok(request) = request::parse(&ask.body) else { return Ok(false) };
        let fingerprint = request::fingerprint(&request)?;
        self.shell.read(|state| settlement::is_open_to(state, &fingerprint, &ask.asker))
    }

    /// Whether nothing was sent for this authorization.
    fn is_startable(&self) -> Result<bool, Failure> {
        self.shell.read(|state| match settlement::answer(state) {
            Answer::None | Answer::Declined { .. } => true,
            Answer::Pending { .. } | Answer::Settled { .. } | Answer::Failed { .. } => false,
        })
    }

    /// The answer once it is final, or as it is when the wait is over.
    async fn outcome(&self, wait: Millis) -> Result<Answer, Failure> {
        let end = now().plus(wait);
        loop {
            let answer = self.shell.read(settlement::answer)?;
            let left = end.since(now());
            if !matches!(answer, Answer::Pending { .. }) || left == Millis(0) {
                return Ok(answer);
            }
            let (sender, receiver) = oneshot::channel();
            self.waiting.borrow_mut().push(sender);
            // Whether it was the news or the end of the wait: the loop looks again.
            let _ = shell::within(left.0, receiver).await;
        }
    }

    /// The relayer's word. It settles nothing: it makes the settlement look at the chain.
    async fn hear(&self, body: &str) -> Result<(), Failure> {
        let word: Word = serde_json::from_str(body)?;
        let command = match word.news {
            News::Announced { hash, raw } => Command::Announce { hash, raw: Bytes(raw) },
            News::Reported => Command::LookNow,
        };
        // Refused is what comes where it cannot be true; the log has it.
        let events = self.run(command, &word.correlation)?.unwrap_or_default();
        self.follow(&events, &word.correlation).await?;
        self.drain().await
    }

    /// Looks at the chain if these events say that a look has begun.
    async fn follow(&self, events: &[Event], correlation: &CorrelationId) -> Result<(), Failure> {
        if !events.iter().any(|event| matches!(event.fact, Fact::LookStarted { .. })) {
            return Ok(());
        }
        let Some(look) = self.shell.read(|state| settlement::look(state, now()))? else { return Ok(()) };
        match self.see(&look).await {
            Ok(Some(sighting)) => {
                // A refusal is not possible here: what comes too late changes nothing.
                let _ = self.run(Command::See { look: look.number, sighting }, correlation)?;
            }
            Ok(None) => {}
            // The next look follows by itself.
            Err(failure) => {
                shell::log::failure(SettlementCore::KIND, self.shell.name(), "look_failed", &failure);
            }
        }
        Ok(())
    }

    /// What the chain shows. A transaction that it has lost is sent again.
    async fn see(&self, look: &Look) -> Result<Option<Sighting>, Failure> {
        let backend = self.backend()?;
        let Backend::Chain(chain) = &*backend else { return Err(no_relayer()) };
        let network = chain.network(&look.terms.network).ok_or_else(|| {
            Failure::Configuration(format!("{} is not configured any more", look.terms.network))
        })?;
        let sighting = look::see(network, look).await?;
        if let (Some(Sighting::Unused { mined: None, .. }), Some(raw)) = (&sighting, &look.raw) {
            let raw = hex::decode(raw.0.trim_start_matches("0x"))
                .map_err(|_| Failure::Corrupt("the bytes of a transaction".to_owned()))?;
            if let Some(fault) = rpc::broadcast(network, &[raw]).await {
                let failure = Failure::Runtime(fault);
                shell::log::failure(SettlementCore::KIND, self.shell.name(), "resend", &failure);
            }
        }
        Ok(sighting)
    }

    async fn drain(&self) -> Result<(), Failure> {
        self.shell.drain(|effect, correlation| self.deliver(effect, correlation)).await
    }

    async fn deliver(&self, effect: Effect, correlation: CorrelationId) -> Result<(), Failure> {
        match effect {
            Effect::Submit { relayer, job } => self.submit(&relayer, job, correlation).await,
            Effect::Publish { catalogue, settled_at } => {
                catalogue::publish(&self.env, &catalogue, settled_at).await
            }
        }
    }

    async fn submit(&self, relayer: &str, job: Job, correlation: CorrelationId) -> Result<(), Failure> {
        let submission =
            Submission { id: self.shell.name().to_owned(), job, correlation: correlation.clone() };
        let reply: Result<(), relaying::Declined> =
            shell::send(&self.env, relaying::BINDING, relayer, relaying::SUBMIT, &submission).await?;
        if let Err(declined) = reply {
            // Refused where a copy of the job was taken before: then it goes on.
            let _ = self.run(Command::Decline { reason: declined.code }, &correlation)?;
        }
        Ok(())
    }
}

/// What is to be settled, in the settlement's words.
fn terms(chain: &Chain, request: &FacilitatorRequest, accepted: &Accepted) -> Result<Terms, Failure> {
    let Accepted { checked, authorized, payer, gas_limit } = accepted;
    let network = chain.network(&authorized.network).ok_or_else(no_relayer)?;
    let relayer = chain.relayer_of(authorized.payer).ok_or_else(no_relayer)?;
    let input = super::facts::transfer_input(checked, *payer);
    Ok(Terms {
        network: authorized.network.clone(),
        asset: authorized.asset.to_string(),
        payer: authorized.payer.to_string(),
        recipient: checked.transfer().to.to_string(),
        amount: authorized.value,
        nonce: checked.transfer().nonce.to_string(),
        valid_before: UnixMillis(authorized.valid_before.saturating_mul(1_000)),
        relayer: relaying::name(&authorized.network, relayer.address),
        call: settlement::Call {
            to: authorized.asset.to_string(),
            input: Bytes(format!("0x{}", hex::encode(input))),
            gas_limit: *gas_limit,
        },
        catalogue: catalogue::entry(request)?,
        tier: match network.confirmation {
            Confirmation::Included => Tier::Included,
            Confirmation::Safe => Tier::Safe,
            Confirmation::Final => Tier::Final,
        },
    })
}

fn respond(request: &FacilitatorRequest, answer: Answer) -> Result<Reply, Failure> {
    let ending = match answer {
        Answer::Settled { transaction, .. } => Ending::Settled { transaction },
        Answer::Pending { transaction: Some(transaction) } => Ending::Pending { transaction },
        Answer::Failed { cause, transaction } => {
            let words = match cause {
                Cause::Expired => words_of(&InvalidReason::Expired),
                Cause::UsedOtherwise => words_of(&InvalidReason::NonceUsed),
                Cause::Reverted => verdict::Refusal::Chain(ChainReason::TransactionFailed).words(),
            };
            return refused(request, words, transaction.unwrap_or_default());
        }
        Answer::Declined { reason } if reason == relayer::Refusal::GasBudget.code() => {
            return refused(request, verdict::Refusal::Chain(ChainReason::GasBudget).words(), String::new());
        }
        // Nothing is signed yet, so there is no hash, without which "pending" may not be said.
        Answer::None | Answer::Pending { transaction: None } | Answer::Declined { .. } => {
            return Ok(not_known(request)?);
        }
    };
    Ok(reply::json(200, &answer::settled(request, ending, Source::Chain))?)
}

fn refused(request: &FacilitatorRequest, words: Words, transaction: String) -> Result<Reply, Failure> {
    let ending = Ending::Refused { words, transaction };
    Ok(reply::json(200, &answer::settled(request, ending, Source::Chain))?)
}

fn words_of(reason: &InvalidReason) -> Words {
    verdict::Refusal::Invalid(reason.clone()).words()
}
