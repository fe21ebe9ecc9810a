//! A payment: its core in the shell, and the steps of one paid request.

use core::cell::RefCell;

use api::binding::{Fulfilment, Pay, PayReply, Proof, Standing};
use api::inbound::{Asked, Verdict, unknown as unknown_outcome};
use futures_channel::oneshot;
use payment::{Command, Effect, Fact, Lifecycle, Refusal};
use primitives::{Call, CorrelationId, PaymentId, Reply, UnixMillis};
use shell::{
    Core, Failure, Shell, answer, core_of, fresh_correlation_id, now, only_messages, unknown_subject,
};
use wasm_bindgen::prelude::*;
use worker::{DurableObject, Env, Request, Response, State, durable_object};

use super::goods::{self, Claimed, Reserved, Told};
use crate::config::config;
use crate::halt::{self, Step};
use crate::ports::facilitator::{self, Question};

struct PaymentCore;

impl Core for PaymentCore {
    core_of!(payment);

    const KIND: &'static str = "payment";
    type Answer = ();

    fn authorize(_: &payment::State, _: &Command) -> Result<(), Refusal> {
        // Only the product's own objects speak to a payment; the edge has verified the payer's signature.
        Ok(())
    }

    fn answer(_: &payment::State) {}

    fn lifecycle(state: &payment::State) -> &'static str {
        state.lifecycle().name()
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
        self.wake().await?;
        Response::empty()
    }
}

#[wasm_bindgen]
impl PaymentObject {
    /// Takes one message.
    pub async fn receive(&self, subject: String, body: String) -> Result<String, JsValue> {
        match subject.as_str() {
            "pay" => answer(self.pay(&body).await, PaymentCore::KIND, self.shell.name()),
            "standing" => answer(self.standing(&body).await, PaymentCore::KIND, self.shell.name()),
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
        let pay: Pay = serde_json::from_str(body)?;
        self.shell.restore_lost_alarm(&self.state).await?;
        if pay.proof == Proof::Open
            && !self.is_claimed(&pay)?
            && let Some(unproven) = self.prove(&pay).await?
        {
            return Ok(unproven);
        }
        let claim = Command::Claim {
            resource: pay.resource,
            target: pay.order.target(),
            authorization: pay.authorization.clone(),
            valid_before: pay.valid_before,
        };
        if let Err(refusal) = self.run(claim, &pay.correlation_id)? {
            return Ok(PayReply::PaymentRefused(refusal));
        }
        halt::at(Step::Claimed).await;
        self.turn().await;
        let outcome = self.carry(&pay).await;
        for waiter in self.waiting.take().unwrap_or_default() {
            // A waiter that has gone needs no word.
            let _ = waiter.send(());
        }
        outcome
    }

    /// Does what time asks for.
    async fn wake(&self) -> Result<(), Failure> {
        let correlation_id = fresh_correlation_id();
        let step = self.shell.wake(&correlation_id)?;
        if step.events.iter().any(|event| matches!(event.fact, Fact::LookupStarted { .. })) {
            self.ask(&correlation_id).await?;
        }
        self.drain().await
    }

    /// How the claim of that moment stands, should the alarm be late.
    async fn standing(&self, body: &str) -> Result<Standing, Failure> {
        let claimed_at: UnixMillis = serde_json::from_str(body)?;
        if self.shell.read(payment::deadline)?.is_some_and(|due| due <= now()) {
            self.wake().await?;
        }
        self.shell.read(|state| {
            let is_claim = state.claim().is_some_and(|claim| claim.claimed_at == claimed_at);
            match state {
                payment::State::Settled { transaction, .. } if is_claim => {
                    Standing::Settled { transaction: transaction.clone() }
                }
                payment::State::Refused { reason, .. } if is_claim => {
                    Standing::Void { reason: reason.clone() }
                }
                payment::State::Claimed(_)
                | payment::State::Settling { .. }
                | payment::State::Unknown { .. }
                    if is_claim =>
                {
                    Standing::Open
                }
                payment::State::Unclaimed
                | payment::State::Claimed(_)
                | payment::State::Settling { .. }
                | payment::State::Settled { .. }
                | payment::State::Refused { .. }
                | payment::State::Unknown { .. } => Standing::Void { reason: "claim_lapsed".to_owned() },
            }
        })
    }

    /// Whether this very payment, word for word, is the one that is claimed: then it was proven before.
    fn is_claimed(&self, pay: &Pay) -> Result<bool, Failure> {
        self.shell.read(|state| state.claim().is_some_and(|claim| claim.authorization == pay.authorization))
    }

    /// Has the facilitator say whether the payer signed, before anything is kept; `None` when it did.
    async fn prove(&self, pay: &Pay) -> Result<Option<PayReply>, Failure> {
        let settings = config(&self.env)?;
        let question = Question {
            payment: pay.payment.as_str(),
            authorization: &pay.authorization,
            correlation_id: &pay.correlation_id,
        };
        Ok(match facilitator::verify(&self.env, &settings, question).await {
            Verdict::Valid => None,
            Verdict::Invalid { reason, message } => Some(PayReply::Invalid { reason, message }),
            Verdict::Unknown { cause } => Some(PayReply::Unverified { cause: cause.to_owned() }),
        })
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
    async fn carry(&self, pay: &Pay) -> Result<PayReply, Failure> {
        match self.shell.read(Clone::clone)? {
            payment::State::Unclaimed => {
                // Another request with the same authorization found that it is paid for and let it go; so does this one.
                let found = goods::find(&self.env, &pay.order, &self.claimed(&pay.correlation_id)?).await?;
                Ok(match found {
                    Reserved::Fulfilled(fulfilment) => PayReply::AlreadyFulfilled { fulfilment },
                    Reserved::Declined(decline) => PayReply::Declined(decline),
                    Reserved::Held | Reserved::Unavailable => PayReply::Unavailable,
                })
            }
            payment::State::Claimed(_) => self.settle(pay).await,
            payment::State::Settling { .. } => self.take_up(pay).await,
            payment::State::Unknown { cause, transaction, .. } => Ok(unknown(&cause, transaction)),
            payment::State::Refused { reason, receipt, .. } => Ok(PayReply::Refused { reason, receipt }),
            payment::State::Settled { receipt, .. } => self.settled_before(pay, receipt).await,
        }
    }

    /// The payment as it is claimed now.
    fn claimed<'a>(&self, correlation_id: &'a CorrelationId) -> Result<Claimed<'a>, Failure> {
        let at = self.shell.read(|state| state.claim().map_or(UnixMillis(0), |claim| claim.claimed_at))?;
        Ok(Claimed { payment: self.id()?, at, correlation_id })
    }

    fn id(&self) -> Result<PaymentId, Failure> {
        self.shell.name().parse().map_err(|_| Failure::Corrupt("the payment's name".to_owned()))
    }

    /// Reserve the target, then settle, then have it fulfilled. Each step is on disk before the next begins.
    async fn settle(&self, pay: &Pay) -> Result<PayReply, Failure> {
        let id = &pay.correlation_id;
        let claimed = self.claimed(id)?;
        let let_go = match goods::reserve(&self.env, &pay.order, &claimed).await {
            Ok(Reserved::Held) => None,
            Ok(Reserved::Fulfilled(fulfilment)) => {
                Some(("already_funded", PayReply::AlreadyFulfilled { fulfilment }))
            }
            Ok(Reserved::Declined(decline)) => Some(("declined", PayReply::Declined(decline))),
            Ok(Reserved::Unavailable) | Err(_) => Some(("unavailable", PayReply::Unavailable)),
        };
        if let Some((reason, reply)) = let_go {
            // Whether the release is refused does not matter to the caller: nothing was charged either way.
            let _ = self.run(Command::Release { reason: reason.to_owned() }, id)?;
            return Ok(reply);
        }
        halt::at(Step::Reserved).await;
        if self.claimed(id)?.at != claimed.at {
            // The target took so long that the claim lapsed meanwhile; what was reserved is another claim's affair.
            return Ok(PayReply::Unavailable);
        }
        if let Err(refusal) = self.run(Command::Settle, id)? {
            return Ok(PayReply::PaymentRefused(refusal));
        }
        halt::at(Step::Intended).await;
        self.ask(id).await?;
        halt::at(Step::Recorded).await;
        self.conclude().await
    }

    /// Takes up a settlement whose request is gone. Only one request at a time carries a payment, so whoever asked
    /// died with its process and will not hear the answer; this one looks it up instead of waiting for the alarm.
    async fn take_up(&self, pay: &Pay) -> Result<PayReply, Failure> {
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
            Ok(settings) => {
                let payment = self.shell.name();
                let question = Question { payment, authorization: &authorization, correlation_id };
                facilitator::settle(&self.env, &settings, question, asked).await
            }
            Err(_) => unknown_outcome("not_configured"),
        };
        halt::at(Step::Answered).await;
        // A refusal here means that another answer came first, and that one stands.
        let _ = self.run(Command::Report(outcome), correlation_id)?;
        Ok(())
    }

    /// After the facilitator's answer: the target is told, and the caller is told what came of it.
    async fn conclude(&self) -> Result<PayReply, Failure> {
        match self.shell.read(Clone::clone)? {
            payment::State::Settled { receipt, .. } => {
                let fulfilled: RefCell<Option<Fulfilment>> = RefCell::new(None);
                self.shell
                    .drain(|effect, correlation_id| {
                        let fulfilled = &fulfilled;
                        async move {
                            if let Some(fulfilment) = self.tell(effect, correlation_id).await? {
                                fulfilled.replace(Some(fulfilment));
                            }
                            Ok(())
                        }
                    })
                    .await?;
                Ok(match fulfilled.take() {
                    Some(fulfilment) => PayReply::Fulfilled { fulfilment, receipt, replayed: false },
                    None => PayReply::FulfilmentPending { receipt },
                })
            }
            payment::State::Refused { reason, receipt, .. } => {
                self.drain().await?;
                Ok(PayReply::Refused { reason, receipt })
            }
            payment::State::Unknown { cause, transaction, .. } => Ok(unknown(&cause, transaction)),
            payment::State::Unclaimed | payment::State::Claimed(_) | payment::State::Settling { .. } => {
                Ok(unknown("interrupted", None))
            }
        }
    }

    /// The same request once more, after it was paid: what was bought, as a second look shows it.
    async fn settled_before(&self, pay: &Pay, receipt: String) -> Result<PayReply, Failure> {
        self.drain().await?;
        Ok(match goods::reserve(&self.env, &pay.order, &self.claimed(&pay.correlation_id)?).await? {
            Reserved::Fulfilled(fulfilment) => PayReply::Fulfilled { fulfilment, receipt, replayed: true },
            Reserved::Held | Reserved::Unavailable => PayReply::FulfilmentPending { receipt },
            Reserved::Declined(decline) => PayReply::Declined(decline),
        })
    }

    async fn drain(&self) -> Result<(), Failure> {
        self.shell
            .drain(
                |effect, correlation_id| async move { self.tell(effect, correlation_id).await.map(|_| ()) },
            )
            .await
    }

    /// Tells the target what came of the payment; answers with what was bought once it is the buyer's.
    async fn tell(
        &self,
        effect: Effect,
        correlation_id: CorrelationId,
    ) -> Result<Option<Fulfilment>, Failure> {
        let told = goods::tell(&self.env, self.id()?, effect, &correlation_id).await?;
        halt::at(Step::Told).await;
        Ok(match told {
            Told::Fulfilled(fulfilment) => Some(fulfilment),
            Told::Noted => None,
            Told::Refused(code) => {
                // Paid, and the target will not have it: a person must return the money. Asking again changes nothing.
                let failure = Failure::Corrupt(format!("the target refused: {code}"));
                shell::log::failure(PaymentCore::KIND, self.shell.name(), "unfulfilled", &failure);
                None
            }
        })
    }
}

fn unknown(cause: &str, transaction: Option<String>) -> PayReply {
    PayReply::Unknown { cause: cause.to_owned(), transaction }
}
