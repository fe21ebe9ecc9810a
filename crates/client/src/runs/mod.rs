//! Runs: one durable purchase each, from an intent to a verified order.
//!
//! ```no_run
//! # async fn example() -> Result<(), client::Error> {
//! use client::{
//!     Guildhall, fresh_message_id,
//!     runs::{Purchase, Question},
//!     wire::{CreateRun, ExecutionMode, PurchaseBody, RunFact, RunFrame, WalletKind},
//! };
//!
//! let runs = Guildhall::new("http://127.0.0.1:8787")?.runs();
//! let wanted = CreateRun {
//!     request: PurchaseBody { requirement: "coca-cola 2l".to_owned(), quantity: 1, max_budget_cents: "2500".to_owned() },
//!     executor_id: None,
//!     user_id: None,
//!     mandate: None,
//!     execution_mode: ExecutionMode::Simulated,
//!     wallet: WalletKind::Simulated,
//! };
//! let purchase = Purchase::of(&runs.start(&fresh_message_id()?, &wanted).await?.answer)?;
//! let mut watch = runs.watch(&purchase, 0)?;
//! while let Some(RunFrame::Event { event, run, .. }) = watch.next().await? {
//!     println!("{}", event.message);
//!     if let RunFact::ConfirmationRequested { .. } = event.fact
//!         && let Some(question) = Question::of(&run)?
//!     {
//!         // Look at it first: this agrees to exactly what it says.
//!         runs.confirm(&purchase, &question).await?;
//!     }
//! }
//! # Ok(())
//! # }
//! ```
//!
//! Whoever holds a run's token owns it: [`Purchase`]. A run under a mandate is begun by [`crate::mandates::Agent`] or
//! [`crate::mandates::Owner`], and confirmed, above the mandate's threshold, by its owner. Shops are looked at by an
//! [`Executor`].
//!
//! What the SDK promises of runs:
//! - One message id begins one run, however often it is sent.
//! - A yes is sent only to a [`Question`] whose digest covers what it shows.
//! - A [`Watch`] shows every event once and in order, whatever becomes of its connections.

mod executor;
mod frames;
mod purchase;
mod question;
#[cfg(test)]
mod tests;
mod watch;

use api::wire::{
    BalancesAnswer, ConfirmBody, CreateRun, DemoAnswer, EmptyBody, PaymentBody, RebindBody, RunAnswer,
    RunCreated, RunEventsAnswer, RunHistory, RunJournalAnswer, WalletBody,
};
use primitives::{ExecutorId, MessageId};
use serde::{Serialize, de::DeserializeOwned};

pub use executor::{Badge, Executor};
pub use purchase::Purchase;
pub use question::Question;
pub use watch::Watch;

use crate::{
    Error, Guildhall, Recorded,
    transport::{Call, Nobody, Transport},
};

pub(crate) const STARTING: &str = "starting the run";
pub(crate) const CONFIRMING: &str = "confirming the purchase";
const READING: &str = "reading the run";

/// The runs of a board. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Runs {
    transport: Transport,
}

impl Guildhall {
    /// The board's runs. Nothing is sent yet.
    pub fn runs(&self) -> Runs {
        Runs { transport: self.transport.clone() }
    }
}

impl Runs {
    /// Begins a run without a mandate, once under `id`, which has 16 to 255 characters. The same again answers with the
    /// same run, and with a fresh token as long as none was used.
    ///
    /// # Errors
    /// [`Error::Unresolved`] when it is not known whether the run was begun: ask again under the same id.
    /// [`Error::Refused`]: `token_used` when somebody has the run's token already; and what every call can meet.
    pub async fn start(&self, id: &MessageId, wanted: &CreateRun) -> Result<Recorded<RunCreated>, Error> {
        let call = self.transport.post(STARTING, "v1/runs", wanted)?.once_as(id)?;
        let (answer, _) = self.transport.until_known(&call, id, &Nobody).await?;
        Ok(Recorded { answer: answer.read(STARTING)?, replayed: answer.replayed() })
    }

    /// The executor of the simulated market.
    ///
    /// # Errors
    /// [`Error::Refused`] with `demo_off` where there is none, and what every call can meet.
    pub async fn demo_executor(&self) -> Result<ExecutorId, Error> {
        const ASKING: &str = "asking for the demonstration executor";
        let call = self.transport.get(ASKING, "v1/demo")?;
        let demo: DemoAnswer = self.transport.patiently(&call).await?.read(ASKING)?;
        demo.executor_id.parse().map_err(|why| outside(ASKING)(format!("its executor {why}")))
    }

    /// What an address holds of the token that runs are paid in.
    ///
    /// # Errors
    /// [`Error::Refused`] with `not_configured` where the board reads no chain, and what every call can meet.
    pub async fn balances(&self, address: &str) -> Result<BalancesAnswer, Error> {
        const ASKING: &str = "asking what the address holds";
        let mut call = self.transport.get(ASKING, "v1/chain/balances")?;
        call.url.query_pairs_mut().append_pair("address", address);
        self.transport.patiently(&call).await?.read(ASKING)
    }

    /// A run with its newest events, and what should happen next.
    ///
    /// # Errors
    /// [`Error::Refused`] with `unknown_run` when the token is not the run's, and what every call can meet.
    pub async fn show(&self, purchase: &Purchase) -> Result<RunHistory, Error> {
        self.get(&format!("v1/runs/{}", purchase.run), purchase).await
    }

    /// A page of a run's events, from the one after `after` on. The answer's `next_after` begins the page that follows.
    ///
    /// # Errors
    /// As [`Runs::show`].
    pub async fn events(
        &self,
        purchase: &Purchase,
        after: u64,
        limit: Option<u32>,
    ) -> Result<RunEventsAnswer, Error> {
        let limit = limit.map(|limit| format!("&limit={limit}")).unwrap_or_default();
        self.get(&format!("v1/runs/{}/events?after={after}{limit}", purchase.run), purchase).await
    }

    /// Everything that happens to a run after the event `after`, as it happens. Nothing is sent yet.
    ///
    /// # Errors
    /// [`Error::OutsideContract`] when the token is none.
    pub fn watch(&self, purchase: &Purchase, after: u64) -> Result<Watch, Error> {
        let path = format!("v1/runs/{}/events", purchase.run);
        let call = self.transport.get("watching the run", &path)?.bearing(&purchase.run_token)?;
        Ok(Watch::new(self.transport.clone(), call.accepting("text/event-stream"), after))
    }

    /// Agrees to exactly what a question says.
    ///
    /// # Errors
    /// [`Error::Refused`]: `confirmation_mismatch` when something else is asked by now, `confirmation_over` when it comes
    /// too late, `owner_signature_required` when the mandate's owner has to agree ([`crate::mandates::Owner::confirm`]);
    /// and what every call can meet.
    pub async fn confirm(
        &self,
        purchase: &Purchase,
        question: &Question<'_>,
    ) -> Result<Recorded<RunAnswer>, Error> {
        self.act(CONFIRMING, purchase, "confirm", &question.yes()).await
    }

    /// Does not agree: nothing is charged, and the run is over.
    ///
    /// # Errors
    /// [`Error::Refused`] when nothing is asked, and what every call can meet.
    pub async fn reject(&self, purchase: &Purchase) -> Result<Recorded<RunAnswer>, Error> {
        let no = ConfirmBody { reject: Some(true), ..ConfirmBody::default() };
        self.act("rejecting the purchase", purchase, "confirm", &no).await
    }

    /// Says what the wallet says of itself: that it is there, what it can spend, or that it is gone.
    ///
    /// # Errors
    /// [`Error::Refused`]: `wallet_report_stale`, or a run that is over; and what every call can meet.
    pub async fn wallet_state(
        &self,
        purchase: &Purchase,
        wallet: &WalletBody,
    ) -> Result<Recorded<RunAnswer>, Error> {
        self.act("saying which wallet pays", purchase, "wallet-state", wallet).await
    }

    /// Says that the wallet has paid. The same payment again is the same.
    ///
    /// # Errors
    /// [`Error::Refused`]: `signature_used` when another run was paid with it; and what every call can meet.
    pub async fn pay(
        &self,
        purchase: &Purchase,
        payment: &PaymentBody,
    ) -> Result<Recorded<RunAnswer>, Error> {
        self.act("saying that the wallet has paid", purchase, "payment", payment).await
    }

    /// Stops a run. Once a payment may have been made, it is looked for first, and may win.
    ///
    /// # Errors
    /// [`Error::Refused`]: `payment_under_way`, `already_paid` or `run_over`; and what every call can meet.
    pub async fn cancel(&self, purchase: &Purchase) -> Result<Recorded<RunAnswer>, Error> {
        self.act("cancelling the run", purchase, "cancel", &EmptyBody {}).await
    }

    /// Has another executor look at the shops.
    ///
    /// # Errors
    /// [`Error::Refused`]: `unknown_executor`, or a run that is over; and what every call can meet.
    pub async fn rebind(
        &self,
        purchase: &Purchase,
        executor: &ExecutorId,
    ) -> Result<Recorded<RunAnswer>, Error> {
        let body = RebindBody { executor_id: executor.to_string() };
        self.act("binding the run to the executor", purchase, "executor", &body).await
    }

    /// The run's journal: every event with its hash (see [`crate::verify_journal`]).
    ///
    /// # Errors
    /// As [`Runs::show`].
    pub async fn journal(&self, purchase: &Purchase) -> Result<RunJournalAnswer, Error> {
        self.get(&format!("v1/runs/{}/journal", purchase.run), purchase).await
    }

    async fn get<T: DeserializeOwned>(&self, path: &str, purchase: &Purchase) -> Result<T, Error> {
        let call = self.transport.get(READING, path)?.bearing(&purchase.run_token)?;
        self.transport.patiently(&call).await?.read(READING)
    }

    /// Everything that an owner does can be said twice: what was taken is answered again.
    async fn act(
        &self,
        operation: &'static str,
        purchase: &Purchase,
        act: &str,
        body: &impl Serialize,
    ) -> Result<Recorded<RunAnswer>, Error> {
        let call = self.transport.post(operation, &format!("v1/runs/{}/{act}", purchase.run), body)?;
        self.recorded(&call.bearing(&purchase.run_token)?).await
    }

    async fn recorded<T: DeserializeOwned>(&self, call: &Call) -> Result<Recorded<T>, Error> {
        let answer = self.transport.patiently(call).await?;
        Ok(Recorded { answer: answer.read(call.operation)?, replayed: answer.replayed() })
    }
}

/// What an answer that is not as it must be becomes.
fn outside(operation: &'static str) -> impl Fn(String) -> Error {
    move |why| Error::OutsideContract { operation, why }
}
