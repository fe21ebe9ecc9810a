//! A browser's session: its core in the shell.

use api::binding::SessionReply;
use primitives::CorrelationId;
use session::{Command, Effect, Refusal};
use shell::{
    Core, Failure, Shell, answer, core_of, fresh_correlation_id, now, only_messages, unknown_subject,
};
use wasm_bindgen::prelude::*;
use worker::{DurableObject, Env, Request, Response, State, durable_object};

use crate::ports::objects;

struct SessionCore;

impl Core for SessionCore {
    core_of!(session);

    const KIND: &'static str = "session";
    type Answer = session::State;

    fn authorize(_: &session::State, _: &Command) -> Result<(), Refusal> {
        // Only the edge and other sessions speak to it; whoever knows its name holds the cookie.
        Ok(())
    }

    fn answer(state: &session::State) -> session::State {
        state.clone()
    }

    fn lifecycle(state: &session::State) -> &'static str {
        state.lifecycle().name()
    }
}

/// The object.
#[durable_object(alarm)]
pub struct SessionObject {
    state: State,
    env: Env,
    shell: Shell<SessionCore>,
}

impl DurableObject for SessionObject {
    fn new(state: State, env: Env) -> Self {
        let shell = Shell::new(&state);
        Self { state, env, shell }
    }

    async fn fetch(&self, _request: Request) -> worker::Result<Response> {
        only_messages()
    }

    async fn alarm(&self) -> worker::Result<Response> {
        self.shell.wake(&fresh_correlation_id())?;
        self.drain().await?;
        self.forget().await?;
        Response::empty()
    }
}

#[wasm_bindgen]
impl SessionObject {
    /// Takes one message.
    pub async fn receive(&self, subject: String, body: String) -> Result<String, JsValue> {
        let name = self.shell.name();
        match subject.as_str() {
            "command" => answer(self.command(&body).await, SessionCore::KIND, name),
            other => answer::<()>(Err(unknown_subject(other)), SessionCore::KIND, name),
        }
    }
}

impl SessionObject {
    async fn command(&self, body: &str) -> Result<SessionReply, Failure> {
        let step = self.shell.run(serde_json::from_str(body)?)?;
        if !step.events.is_empty() {
            self.drain().await?;
            self.forget().await?;
        }
        Ok(step.reply)
    }

    async fn drain(&self) -> Result<(), Failure> {
        self.shell.drain(|effect, correlation_id| self.deliver(effect, correlation_id)).await
    }

    async fn deliver(&self, effect: Effect, correlation_id: CorrelationId) -> Result<(), Failure> {
        let Effect::Begin { session, account, since } = effect;
        // A refusal settles it as well: the session was over before it began.
        objects::session(&self.env, &session, Command::Begin { account, since }, &correlation_id)
            .await
            .map(|_| ())
    }

    /// Lets go of a name that has ended, or has the alarm do it when its time has come.
    async fn forget(&self) -> Result<(), Failure> {
        let Some(over) = self.shell.read(session::forgettable_from)? else { return Ok(()) };
        if self.state.storage().get_alarm().await?.is_some() {
            // Something is still owed, and this comes after it.
            return Ok(());
        }
        if now() < over {
            self.shell.journal().set_alarm(Some(over))
        } else {
            self.shell.erase(&self.state).await
        }
    }
}
