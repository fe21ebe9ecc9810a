//! A tenant: its core in the shell, the rows that it keeps, the door at which keys are let in, and what it tells of itself.
//!
//! A message is answered as soon as its events are on disk. The log in D1 and endpoints are told in the background.

use std::rc::Rc;

use api::binding::tenant::{TenantCall, TenantReply};
use primitives::{Call, CorrelationId, Operation, TenantId};
use shell::{
    Core, Failure, Kept, Shell, Step, answer, core_of, fresh_correlation_id, now, only_messages,
    unknown_subject,
};
use tenant::{Command, Effect, Refusal};
use wasm_bindgen::prelude::*;
use worker::{DurableObject, Env, Request, Response, State, durable_object};

mod answer;
mod door;
mod rows;
mod tell;
mod view;

use door::Door;
use tell::Telling;

use crate::ports::endpoints;

struct TenantCore;

impl Core for TenantCore {
    core_of!(tenant);

    const KIND: &'static str = "tenant";
    /// What stands after a command is looked up: a recorded answer holds nothing that could be a secret.
    type Answer = ();

    const TABLES: &'static str = include_str!("tables.sql");
    const TELLS_LATER: bool = true;

    fn authorize(_: &tenant::State, _: &Command) -> Result<(), Refusal> {
        // Whoever asks was let in at the door.
        Ok(())
    }

    fn answer(_: &tenant::State) {}

    fn lifecycle(state: &tenant::State) -> &'static str {
        state.name()
    }

    fn keep(effect: &Effect, seq: u64, ordinal: u64) -> Result<Option<Kept>, Failure> {
        match effect {
            Effect::Keep(row) => rows::kept(row, now()).map(Some),
            Effect::Tell(news) => rows::line(news, seq, ordinal, now()).map(Some),
            Effect::Drop { .. } => Ok(None),
        }
    }
}

/// The object.
#[durable_object(alarm)]
pub struct TenantObject {
    inner: Rc<Inner>,
}

/// What outlives a message: what goes on in the background holds on to it.
struct Inner {
    state: State,
    env: Env,
    shell: Shell<TenantCore>,
    door: Door,
    telling: Telling,
}

impl DurableObject for TenantObject {
    fn new(state: State, env: Env) -> Self {
        let shell = Shell::new(&state);
        let (door, telling) = (Door::default(), Telling::default());
        Self { inner: Rc::new(Inner { state, env, shell, door, telling }) }
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
impl TenantObject {
    /// Takes one message.
    pub async fn receive(&self, subject: String, body: String) -> Result<String, JsValue> {
        let inner = &self.inner;
        inner.shell.look_after(&inner.state).await;
        let name = inner.shell.name();
        match subject.as_str() {
            "ask" => {
                let outcome = answer(inner.ask(&body), TenantCore::KIND, name);
                self.go_on();
                outcome
            }
            "project" => answer(inner.tell_again().await, TenantCore::KIND, name),
            other => answer::<()>(Err(unknown_subject(other)), TenantCore::KIND, name),
        }
    }
}

impl TenantObject {
    /// Goes on in the background with what is owed and what is to be told.
    fn go_on(&self) {
        let inner = Rc::clone(&self.inner);
        self.inner.state.wait_until(async move {
            if let Err(failure) = inner.drain().await {
                shell::log::failure(TenantCore::KIND, inner.shell.name(), "drive_failed", &failure);
            }
            if let Err(failure) = inner.tell().await {
                shell::log::failure(TenantCore::KIND, inner.shell.name(), "telling_failed", &failure);
            }
        });
    }
}

impl Inner {
    fn ask(&self, body: &str) -> Result<TenantReply, Failure> {
        let call: TenantCall = serde_json::from_str(body)?;
        self.answered(call)
    }

    /// Has the core judge a command.
    fn run(
        &self,
        command: Command,
        correlation_id: &CorrelationId,
        operation: Option<Operation>,
    ) -> Result<Step<TenantCore>, Failure> {
        self.shell.run(Call { command, correlation_id: correlation_id.clone(), operation })
    }

    fn id(&self) -> Result<TenantId, Failure> {
        self.shell.name().parse().map_err(|_| Failure::Corrupt("a tenant's name".to_owned()))
    }

    async fn drain(&self) -> Result<(), Failure> {
        let tenant = &self.id()?;
        self.shell
            .drain(|effect, id| async move {
                match effect {
                    Effect::Drop { endpoint } => endpoints::remove(&self.env, &endpoint, tenant, &id).await,
                    // Rows of the object's own.
                    Effect::Keep(_) | Effect::Tell(_) => Ok(()),
                }
            })
            .await
    }
}
