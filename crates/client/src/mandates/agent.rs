//! What an agent does: asks for payments, waits for their approval.

use core::time::Duration;

use api::wire::{
    EmptyBody, Evaluation, Mandate, MandatesAnswer, Payment, Progress, RequestBody, RequestsAnswer, Verdict,
};
use eip712::{B256, mandates::payment_id};

use super::{Mandates, Page, READING, Wish, account::Account, list, message, outside};
use crate::{
    Error, entropy,
    limits::{FIRST_LOOK, LONGEST_LOOK},
};

const REQUESTING: &str = "asking for the payment";
const EVALUATING: &str = "asking whether the payment is allowed";

/// An agent, by its key.
#[derive(Debug, Clone, Copy)]
pub struct Agent<'a>(pub(super) Account<'a>);

/// What became of a wish.
#[derive(Debug, Clone, PartialEq)]
pub enum Requested {
    /// A rule of the mandate is against it. Nothing was signed or sent.
    Refused(Box<Evaluation>),
    /// It is there: escrowed, or waiting for the owner's approval.
    Made(Box<Payment>),
}

impl Mandates {
    /// Asks what the rules say to a wish. The answer's message says what was asked for, under the mandate's terms; what is
    /// not so is an error.
    ///
    /// # Errors
    /// [`Error::OutsideContract`] when the message says something else; [`Error::Refused`]; and what every call can meet.
    pub async fn evaluate(&self, wish: &Wish) -> Result<Evaluation, Error> {
        let mandate = self.mandate(wish.mandate).await?;
        let path = format!("v1/mandates/{}/evaluate", wish.mandate);
        let call = self.transport.post(EVALUATING, &path, &wish.ask())?;
        let evaluation: Evaluation = self.transport.patiently(&call).await?.read(EVALUATING)?;
        let message = message::signable(&evaluation.request).map_err(outside(EVALUATING))?;
        wish.is_completed_by(&message, &mandate, entropy::now()).map_err(outside(EVALUATING))?;
        if message::hash(&evaluation.payment) != Ok(payment_id(&message)) {
            return Err(outside(EVALUATING)("its payment is not the one of its message".to_owned()));
        }
        Ok(evaluation)
    }
}

impl Agent<'_> {
    /// Asks for a payment: asks what the rules say, checks that the completed message says what is wished, signs it, and
    /// repeats it as long as its outcome is not known.
    ///
    /// For a wish that may have been sent before, use [`Agent::repeat`].
    ///
    /// # Errors
    /// [`Error::Unresolved`] when the outcome is still not known at the end: repeat the wish. Else as
    /// [`Mandates::evaluate`].
    pub async fn request(&self, wish: &Wish) -> Result<Requested, Error> {
        let evaluation = self.0.ledger.evaluate(wish).await?;
        match evaluation.verdict {
            Verdict::Refused => Ok(Requested::Refused(Box::new(evaluation))),
            Verdict::Allowed | Verdict::NeedsApproval => {
                let body = RequestBody { request: evaluation.request, signature: None };
                Ok(Requested::Made(Box::new(self.send(body).await?)))
            }
        }
    }

    /// Asks for a payment that may have been asked for before: looks it up, and sends what was signed then, which
    /// submits it if it was approved. If it was not, asks for it now.
    ///
    /// # Errors
    /// [`Error::OutsideContract`] when something else was asked for under the wish's request id; else as
    /// [`Agent::request`].
    pub async fn repeat(&self, wish: &Wish) -> Result<Requested, Error> {
        let path = format!("v1/mandates/{}/requests/{}", wish.mandate, wish.request_id);
        let made: Payment = match self.0.get(&path, |_| {}).await {
            Err(error) if error.code() == Some("unknown_request") => return self.request(wish).await,
            made => made?,
        };
        let payment = message::hash(&made.payment).map_err(outside(READING))?;
        let message = message::is_of(&made, payment).map_err(outside(READING))?;
        wish.is_said_by(&message).map_err(outside(READING))?;
        let body = RequestBody { request: made.request, signature: None };
        Ok(Requested::Made(Box::new(self.send(body).await?)))
    }

    /// Looks at a payment that waits for its owner until it does not, at most for `patience`, and submits it when it is
    /// approved. Answers where it stands then, which may still be waiting.
    ///
    /// # Errors
    /// As [`Agent::request`].
    pub async fn wait_for_approval(&self, payment: &Payment, patience: Duration) -> Result<Payment, Error> {
        let id = message::hash(&payment.payment).map_err(outside(READING))?;
        let mut seen = payment.clone();
        let mut pauses = pauses(patience);
        loop {
            match seen.progress {
                Progress::Approved => {
                    message::is_of(&seen, id).map_err(outside(READING))?;
                    return self.send(RequestBody { request: seen.request, signature: None }).await;
                }
                Progress::AwaitingApproval => {
                    let Some(pause) = pauses.next() else { return Ok(seen) };
                    tokio::time::sleep(pause).await;
                    seen = self.payment(id).await?;
                }
                Progress::Requested
                | Progress::Submitted
                | Progress::Cancelling
                | Progress::Failed
                | Progress::Rejected
                | Progress::Expired
                | Progress::Cancelled
                | Progress::Escrowed
                | Progress::Delivered
                | Progress::Disputed
                | Progress::Settled
                | Progress::Refunded
                | Progress::Voided
                | Progress::TimedOut => return Ok(seen),
            }
        }
    }

    /// A payment with the parts that only owner and agent see.
    ///
    /// # Errors
    /// As [`Mandates::payment`].
    pub async fn payment(&self, payment: B256) -> Result<Payment, Error> {
        self.0.payment(payment).await
    }

    /// The active mandates of this agent.
    ///
    /// # Errors
    /// What every call can meet.
    pub async fn mandates(&self, page: &Page) -> Result<MandatesAnswer, Error> {
        self.0.get("v1/agent/mandates", |url| page.write_to(url)).await
    }

    /// A page of a mandate's requests, newest first.
    ///
    /// # Errors
    /// [`Error::Refused`] when this is not the mandate's agent, and what every call can meet.
    pub async fn requests(
        &self,
        mandate: B256,
        progress: Option<Progress>,
        page: &Page,
    ) -> Result<RequestsAnswer, Error> {
        self.0.requests(mandate, progress, page).await
    }

    /// Makes sure that a request that was not authorized never is.
    ///
    /// # Errors
    /// [`Error::Refused`] when it was authorized, and what every call can meet.
    pub async fn cancel(&self, payment: &Payment) -> Result<Payment, Error> {
        self.0.act("cancelling the request", payment, "cancel", &EmptyBody {}).await
    }

    /// Gives the mandate up for ever. What is escrowed stays.
    ///
    /// # Errors
    /// [`Error::Refused`] when this is not the mandate's agent, and what every call can meet.
    pub async fn renounce(&self, mandate: B256) -> Result<Mandate, Error> {
        const RENOUNCING: &str = "renouncing the mandate";
        let path = format!("v1/mandates/{mandate}/renounce");
        self.0.ledger.ours(RENOUNCING, self.0.write(RENOUNCING, &path, &EmptyBody {}).await?)
    }

    /// Signs the message and sends it. The same message again is the same payment.
    async fn send(&self, body: RequestBody) -> Result<Payment, Error> {
        let message = message::signable(&body.request).map_err(outside(REQUESTING))?;
        let body = RequestBody { signature: Some(self.0.seal(&message)), ..body };
        let path = format!("v1/mandates/{}/requests", message.mandate);
        let call = self.0.ledger.transport.post(REQUESTING, &path, &body)?;
        let id = message::id_of(message.requestId)?;
        let payment: Payment = self.0.move_money(&call, &id).await?.answer;
        message::is_of(&payment, payment_id(&message)).map_err(outside(REQUESTING))?;
        Ok(payment)
    }
}

impl Account<'_> {
    pub(super) async fn requests(
        &self,
        mandate: B256,
        progress: Option<Progress>,
        page: &Page,
    ) -> Result<RequestsAnswer, Error> {
        let write = |url: &mut reqwest::Url| {
            list::put_word(url, "progress", progress);
            page.write_to(url);
        };
        self.get(&format!("v1/mandates/{mandate}/requests"), write).await
    }
}

/// The pauses between looks: each twice as long as its predecessor, and together at most `patience`.
pub(super) fn pauses(patience: Duration) -> impl Iterator<Item = Duration> {
    let (mut next, mut left) = (FIRST_LOOK, patience);
    core::iter::from_fn(move || {
        let pause = next.min(left);
        left = left.saturating_sub(pause);
        next = next.saturating_mul(2).min(LONGEST_LOOK);
        (!pause.is_zero()).then_some(pause)
    })
}
