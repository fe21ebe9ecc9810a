//! A meter, or one shard of it: its core in the shell, the rows that it keeps of what is over, and what it tells of itself.
//!
//! A message is answered as soon as its events are on disk. Lists and endpoints are told in the background, what happened
//! meanwhile in one go: a bulk waits for nobody.

use std::rc::Rc;

use api::binding::meter::{MeterCall, MeterReply, meter_of};
use meter::{Command, Effect, Refusal};
use primitives::{Call, CorrelationId, MeterId, Operation};
use shell::{
    Core, Failure, Kept, Shell, Step, answer, core_of, fresh_correlation_id, now, only_messages,
    unknown_subject,
};
use wasm_bindgen::prelude::*;
use worker::{DurableObject, Env, Request, Response, State, durable_object};

mod answer;
mod drive;
mod noted;
mod rows;
mod tell;

use noted::Noted;
use tell::Telling;

struct MeterCore;

impl Core for MeterCore {
    core_of!(meter);

    const KIND: &'static str = "meter";
    /// The number of the last settlement, under which the bill of an operation is found again.
    type Answer = u64;

    const TABLES: &'static str = include_str!("tables.sql");
    const TELLS_LATER: bool = true;

    fn authorize(_: &meter::State, _: &Command) -> Result<(), Refusal> {
        // The edge lets in whoever may ask.
        Ok(())
    }

    fn answer(state: &meter::State) -> u64 {
        state.book().map_or(0, |book| book.number)
    }

    fn lifecycle(state: &meter::State) -> &'static str {
        state.name()
    }

    fn is_owed(effect: &Effect) -> bool {
        match effect {
            Effect::Credit { .. }
            | Effect::Hold { .. }
            | Effect::Unhold { .. }
            | Effect::Pay { .. }
            | Effect::Look { .. } => true,
            // A meter is registered before its first event is recorded. Whoever follows the tenant's events is told of each
            // line of the log, which is on disk.
            Effect::Register | Effect::Announce(_) | Effect::Keep(_) | Effect::Tell(_) => false,
        }
    }

    fn keep(effect: &Effect, seq: u64, ordinal: u64) -> Result<Option<Kept>, Failure> {
        match effect {
            Effect::Keep(row) => rows::kept(row, seq).map(Some),
            Effect::Tell(news) => rows::line(news, seq, ordinal, now()).map(Some),
            Effect::Announce(_)
            | Effect::Register
            | Effect::Credit { .. }
            | Effect::Hold { .. }
            | Effect::Unhold { .. }
            | Effect::Pay { .. }
            | Effect::Look { .. } => Ok(None),
        }
    }
}

/// The object.
#[durable_object(alarm)]
pub struct MeterObject {
    inner: Rc<Inner>,
}

/// What outlives a message: what goes on in the background holds on to it.
struct Inner {
    state: State,
    env: Env,
    shell: Shell<MeterCore>,
    noted: Noted,
    telling: Telling,
}

impl DurableObject for MeterObject {
    fn new(state: State, env: Env) -> Self {
        let (shell, noted) = (Shell::new(&state), Noted::new(state.storage().sql()));
        Self { inner: Rc::new(Inner { state, env, shell, noted, telling: Telling::default() }) }
    }

    async fn fetch(&self, _request: Request) -> worker::Result<Response> {
        only_messages()
    }

    async fn alarm(&self) -> worker::Result<Response> {
        self.inner.shell.wake(&fresh_correlation_id())?;
        self.inner.drain().await?;
        self.inner.tell().await?;
        Response::empty()
    }
}

#[wasm_bindgen]
impl MeterObject {
    /// Takes one message.
    pub async fn receive(&self, subject: String, body: String) -> Result<String, JsValue> {
        let inner = &self.inner;
        inner.shell.look_after(&inner.state).await;
        let name = inner.shell.name();
        let outcome = match subject.as_str() {
            "ask" => answer(inner.ask(&body).await, MeterCore::KIND, name),
            other => answer::<()>(Err(unknown_subject(other)), MeterCore::KIND, name),
        };
        self.go_on();
        outcome
    }
}

impl MeterObject {
    /// Goes on in the background with what is owed and what is to be told.
    fn go_on(&self) {
        let inner = Rc::clone(&self.inner);
        self.inner.state.wait_until(async move {
            if let Err(failure) = inner.drain().await {
                shell::log::failure(MeterCore::KIND, inner.shell.name(), "drive_failed", &failure);
            }
            if let Err(failure) = inner.tell().await {
                shell::log::failure(MeterCore::KIND, inner.shell.name(), "telling_failed", &failure);
            }
        });
    }
}

impl Inner {
    async fn ask(&self, body: &str) -> Result<MeterReply, Failure> {
        let MeterCall { correlation_id, ask } = serde_json::from_str(body)?;
        self.catch_up(&correlation_id)?;
        self.answered(ask, &correlation_id).await
    }

    /// Records what time has done before anyone looks, should the alarm be late.
    fn catch_up(&self, id: &CorrelationId) -> Result<(), Failure> {
        if self.shell.read(meter::deadline)?.is_some_and(|due| due <= now()) {
            self.run(Command::Wake, id, None)?;
        }
        Ok(())
    }

    /// Has the core judge a command.
    fn run(
        &self,
        command: Command,
        correlation_id: &CorrelationId,
        operation: Option<Operation>,
    ) -> Result<Step<MeterCore>, Failure> {
        self.shell.run(Call { command, correlation_id: correlation_id.clone(), operation })
    }

    /// The meter that this is, or is a shard of.
    fn meter(&self) -> Result<MeterId, Failure> {
        meter_of(self.shell.name()).ok_or_else(|| Failure::Corrupt("a meter's name".to_owned()))
    }
}
