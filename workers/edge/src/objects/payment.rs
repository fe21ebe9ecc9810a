//! A payment: its core in the shell, and the steps of one paid request.

use core::cell::RefCell;

use api::binding::{Call, GigView, PayForGig, PayReply, Reply};
use api::inbound::{Asked, unknown as unknown_outcome};
use futures_channel::oneshot;
use gig::Payer;
use payment::{Command, Effect, Event, Fact, Lifecycle, Refusal, Target};
use primitives::{CorrelationId, GigId, PaymentId, UnixMillis};
use wasm_bindgen::prelude::*;
use worker::{DurableObject, Env, Request, Response, State, durable_object};

use super::{answer, only_messages, unknown_subject};
use crate::config::config;
use crate::failure::Failure;
use crate::ports::{facilitator, fresh_correlation_id, objects};
use crate::shell::{Core, Shell};

struct PaymentCore;

impl Core for PaymentCore {
    const KIND: &'static str = "payment";
    type State = payment::State;
    type Command = Command;
    type Event = Event;
    type Effect = Effect;
    type Refusal = Refusal;
    type Answer = ();

    fn authorize(_: &payment::State, _: &Command) -> Result<(), Refusal> {
        // Only the product's own objects speak to a payment; the edge has verified the payer's signature.
        Ok(())
    }

    fn decide(state: &payment::State, command: Command, now: UnixMillis) -> Result<Vec<Event>, Refusal> {
        payment::decide(state, command, now)
    }

    fn apply(state: payment::State, event: &Event) -> Result<payment::State, Failure> {
        payment::apply(state, event).map_err(|corrupt| Failure::Corrupt(corrupt.to_string()))
    }

    fn effects(before: &payment::State, event: &Event) -> Vec<Effect> {
        payment::effects(before, event)
    }

    fn deadline(state: &payment::State) -> Option<UnixMillis> {
        payment::deadline(state)
    }

    fn answer(_: &payment::State) {}

    fn is_replay(_: &payment::State, events: &[Event]) -> bool {
        events.is_empty()
    }

    fn lifecycle(state: &payment::State) -> &'static str {
        state.lifecycle().name()
    }

    fn code(refusal: &Refusal) -> &'static str {
        refusal.code()
    }

    fn wake() -> Command {
        Command::Wake
    }
}

/// The object.
#[durable_object(alarm)]
pub struct PaymentObject {
    state: State,
    env: Env,
    shell: Shell<PaymentCore>,
    /// While one request carries the payment through its steps, the others wait here for it to end.
    waiting: RefCell<Option<Vec<oneshot::Sender<()>>>>,
}

impl DurableObject for PaymentObject {
    fn new(state: State, env: Env) -> Self {
        let shell = Shell::new(&state);
        Self { state, env, shell, waiting: RefCell::new(None) }
    }

    async fn fetch(&self, _request: Request) -> worker::Result<Response> {
        only_messages()
    }

    async fn alarm(&self) -> worker::Result<Response> {
        let correlation_id = fresh_correlation_id();
        let step = self.shell.wake(&correlation_id)?;
        if step.events.iter().any(|event| matches!(event.fact, Fact::LookupStarted { .. })) {
            self.ask(&correlation_id).await?;
        }
        self.shell.drain(|effect, correlation_id| self.deliver(effect, correlation_id)).await?;
        Response::empty()
    }
}

#[wasm_bindgen]
impl PaymentObject {
    /// Takes one message.
    pub async fn receive(&self, subject: String, body: String) -> Result<String, JsValue> {
        match subject.as_str() {
            "pay" => answer(self.pay(&body).await, PaymentCore::KIND, self.shell.name()),
            other => answer::<()>(Err(unknown_subject(other)), PaymentCore::KIND, self.shell.name()),
        }
    }
}

impl PaymentObject {
    fn run(&self, command: Command, correlation_id: &CorrelationId) -> Result<Result<(), Refusal>, Failure> {
        let call = Call { command, correlation_id: correlation_id.clone(), operation: None };
        Ok(match self.shell.run(call)?.reply {
            Reply::Done { .. } => Ok(()),
            Reply::Refused(refusal) => Err(refusal),
            Reply::OperationReused => Err(Refusal::ClaimedElsewhere),
        })
    }

    async fn pay(&self, body: &str) -> Result<PayReply, Failure> {
        let pay: PayForGig = serde_json::from_str(body)?;
        self.shell.restore_lost_alarm(&self.state).await?;
        let claim = Command::Claim {
            resource: pay.resource,
            target: Target { kind: "gig".to_owned(), name: pay.terms.gig_id.to_string() },
            authorization: pay.authorization.clone(),
            valid_before: pay.valid_before,
        };
        if let Err(refusal) = self.run(claim, &pay.correlation_id)? {
            return Ok(PayReply::PaymentRefused(refusal));
        }
        self.turn().await;
        let outcome = self.carry(&pay).await;
        for waiter in self.waiting.take().unwrap_or_default() {
            // A waiter that has gone needs no word.
            let _ = waiter.send(());
        }
        outcome
    }

    /// Waits until no other request carries this payment, then takes it up.
    async fn turn(&self) {
        loop {
            let (sender, receiver) = oneshot::channel();
            {
                let mut waiting = self.waiting.borrow_mut();
                match waiting.as_mut() {
                    None => {
                        *waiting = Some(Vec::new());
                        return;
                    }
                    Some(queue) => queue.push(sender),
                }
            }
            // Fails only when the one that was waited for is gone, which frees the turn just as well.
            let _ = receiver.await;
        }
    }

    /// Carries the payment from where it stands to an answer.
    async fn carry(&self, pay: &PayForGig) -> Result<PayReply, Failure> {
        match self.shell.read(Clone::clone)? {
            payment::State::Unclaimed => {
                // Another request with the same authorization found the gig funded and let it go; so does this one.
                self.reserve_only(pay).await
            }
            payment::State::Claimed(_) => self.settle(pay).await,
            payment::State::Settling { .. } => self.take_up(pay).await,
            payment::State::Unknown { cause, transaction, .. } => Ok(unknown(&cause, transaction)),
            payment::State::Refused { reason, receipt, .. } => Ok(PayReply::Refused { reason, receipt }),
            payment::State::Settled { receipt, .. } => self.settled_before(pay, receipt).await,
        }
    }

    /// When the authorization was claimed as it is claimed now.
    fn claimed_at(&self) -> Result<UnixMillis, Failure> {
        self.shell.read(|state| state.claim().map_or(UnixMillis(0), |claim| claim.claimed_at))
    }

    /// The gig is asked to keep the terms for this payment, as it is claimed now.
    fn reserve(&self, pay: &PayForGig) -> Result<gig::Command, Failure> {
        let payer = Payer { payment: pay.payment.clone(), claimed_at: self.claimed_at()? };
        Ok(gig::Command::Reserve { terms: pay.terms.clone(), payer, grant: pay.grant })
    }

    async fn reserve_only(&self, pay: &PayForGig) -> Result<PayReply, Failure> {
        match objects::gig_view(&self.env, &pay.terms.gig_id).await? {
            Some(_) => {
                let reply = objects::gig_command(
                    &self.env,
                    &pay.terms.gig_id,
                    self.reserve(pay)?,
                    &pay.correlation_id,
                );
                Ok(match reply.await? {
                    Reply::Done { answer, .. } => PayReply::AlreadyFunded { gig: answer },
                    Reply::Refused(refusal) => PayReply::GigRefused(refusal),
                    Reply::OperationReused => PayReply::GigUnavailable,
                })
            }
            None => Ok(PayReply::GigUnavailable),
        }
    }

    /// Reserve the gig, then settle, then fund. Each step is on disk before the next begins.
    async fn settle(&self, pay: &PayForGig) -> Result<PayReply, Failure> {
        let (id, claimed_at) = (&pay.correlation_id, self.claimed_at()?);
        let reserved = objects::gig_command(&self.env, &pay.terms.gig_id, self.reserve(pay)?, id).await;
        let let_go = match reserved {
            Ok(Reply::Done { answer, .. }) if answer.record.is_none() => None,
            Ok(Reply::Done { answer, .. }) => {
                Some(("already_funded", PayReply::AlreadyFunded { gig: answer }))
            }
            Ok(Reply::Refused(refusal)) => Some(("gig_refused", PayReply::GigRefused(refusal))),
            Ok(Reply::OperationReused) | Err(_) => Some(("gig_unavailable", PayReply::GigUnavailable)),
        };
        if let Some((reason, reply)) = let_go {
            // Whether the release is refused does not matter to the caller: nothing was charged either way.
            let _ = self.run(Command::Release { reason: reason.to_owned() }, id)?;
            return Ok(reply);
        }
        if self.claimed_at()? != claimed_at {
            // The gig took so long that the claim lapsed meanwhile; what was reserved is another claim's affair.
            return Ok(PayReply::GigUnavailable);
        }
        if let Err(refusal) = self.run(Command::Settle, id)? {
            return Ok(PayReply::PaymentRefused(refusal));
        }
        self.ask(id).await?;
        self.conclude().await
    }

    /// Takes up a settlement whose request is gone. Only one request at a time carries a payment, so whoever asked
    /// died with its process and will not hear the answer; this one looks it up instead of waiting for the alarm.
    async fn take_up(&self, pay: &PayForGig) -> Result<PayReply, Failure> {
        let interrupted = unknown_outcome("interrupted");
        // A refusal here means that an answer has come after all.
        let _ = self.run(Command::Report(interrupted), &pay.correlation_id)?;
        self.ask(&pay.correlation_id).await?;
        match self.shell.read(Clone::clone)? {
            payment::State::Settled { receipt, .. } => self.settled_before(pay, receipt).await,
            payment::State::Unclaimed
            | payment::State::Claimed(_)
            | payment::State::Settling { .. }
            | payment::State::Refused { .. }
            | payment::State::Unknown { .. } => self.conclude().await,
        }
    }

    /// Asks the facilitator and records what it said. The intent is on disk.
    async fn ask(&self, correlation_id: &CorrelationId) -> Result<(), Failure> {
        let question = self.shell.read(|state| {
            let asked = if state.lifecycle() == Lifecycle::Unknown { Asked::Again } else { Asked::First };
            state.claim().map(|claim| (claim.authorization.clone(), asked))
        })?;
        let Some((authorization, asked)) = question else { return Ok(()) };
        let outcome = match config(&self.env) {
            Ok(config) => {
                facilitator::settle(&self.env, &config, &authorization, asked, correlation_id).await
            }
            Err(_) => unknown_outcome("not_configured"),
        };
        // A refusal here means that another answer came first, and that one stands.
        let _ = self.run(Command::Report(outcome), correlation_id)?;
        Ok(())
    }

    /// After the facilitator's answer: the gig is told, and the caller is told what came of it.
    async fn conclude(&self) -> Result<PayReply, Failure> {
        match self.shell.read(Clone::clone)? {
            payment::State::Settled { receipt, .. } => {
                let funded: RefCell<Option<GigView>> = RefCell::new(None);
                self.shell
                    .drain(|effect, correlation_id| {
                        let funded = &funded;
                        async move {
                            if let Some(view) = self.deliver_seen(effect, correlation_id).await? {
                                funded.replace(Some(view));
                            }
                            Ok(())
                        }
                    })
                    .await?;
                Ok(match funded.take() {
                    Some(gig) => PayReply::Fulfilled { gig, receipt, replayed: false },
                    None => PayReply::FulfilmentPending { receipt },
                })
            }
            payment::State::Refused { reason, receipt, .. } => {
                self.shell.drain(|effect, correlation_id| self.deliver(effect, correlation_id)).await?;
                Ok(PayReply::Refused { reason, receipt })
            }
            payment::State::Unknown { cause, transaction, .. } => Ok(unknown(&cause, transaction)),
            payment::State::Unclaimed | payment::State::Claimed(_) | payment::State::Settling { .. } => {
                Ok(unknown("interrupted", None))
            }
        }
    }

    /// The same request once more, after it was paid: the gig, with a fresh grant while the first is unused.
    async fn settled_before(&self, pay: &PayForGig, receipt: String) -> Result<PayReply, Failure> {
        self.shell.drain(|effect, correlation_id| self.deliver(effect, correlation_id)).await?;
        let reply =
            objects::gig_command(&self.env, &pay.terms.gig_id, self.reserve(pay)?, &pay.correlation_id)
                .await?;
        Ok(match reply {
            Reply::Done { answer, .. } if answer.record.is_some() => {
                PayReply::Fulfilled { gig: answer, receipt, replayed: true }
            }
            Reply::Done { .. } | Reply::OperationReused => PayReply::FulfilmentPending { receipt },
            Reply::Refused(refusal) => PayReply::GigRefused(refusal),
        })
    }

    async fn deliver(&self, effect: Effect, correlation_id: CorrelationId) -> Result<(), Failure> {
        self.deliver_seen(effect, correlation_id).await.map(|_| ())
    }

    /// Tells the target; answers with what the gig looks like when it was funded.
    async fn deliver_seen(
        &self,
        effect: Effect,
        correlation_id: CorrelationId,
    ) -> Result<Option<GigView>, Failure> {
        let payment: PaymentId =
            self.shell.name().parse().map_err(|_| Failure::Corrupt("the payment's name".to_owned()))?;
        let (target, command) = match effect {
            Effect::Fulfil { target, claimed_at, transaction } => {
                (target, gig::Command::Fund { payer: Payer { payment, claimed_at }, transaction })
            }
            Effect::Withdraw { target, claimed_at, reason } => {
                (target, gig::Command::Release { payer: Payer { payment, claimed_at }, reason })
            }
        };
        let gig: GigId =
            target.name.parse().map_err(|_| Failure::Corrupt("a payment's target".to_owned()))?;
        match objects::gig_command(&self.env, &gig, command, &correlation_id).await? {
            Reply::Done { answer, .. } => Ok(Some(answer).filter(|view| view.record.is_some())),
            Reply::Refused(refusal) => {
                // Paid, and the gig will not have it: a person must return the money. Asking again changes nothing.
                let failure = Failure::Corrupt(format!("the gig refused: {}", refusal.code()));
                crate::log::failure(PaymentCore::KIND, self.shell.name(), "unfulfilled", &failure);
                Ok(None)
            }
            Reply::OperationReused => Ok(None),
        }
    }
}

fn unknown(cause: &str, transaction: Option<String>) -> PayReply {
    PayReply::Unknown { cause: cause.to_owned(), transaction }
}
