//! A webhook endpoint: its core in the shell, the rows that it keeps of messages and attempts, and the calls that it makes.
//!
//! A message is answered as soon as its events are on disk. Calls are made in the background, and by the alarm should this
//! process not get to it: an attempt that is begun is owed, and so is made again if its outcome was not recorded.

use std::rc::Rc;

use api::binding::endpoint::{EndpointAnswer, EndpointAsk, EndpointCall, EndpointReply};
use api::outbound::webhook as outbound;
use endpoint::{Command, Effect, Refusal};
use primitives::{Call, CorrelationId, Digest, EndpointId, Operation, Reply, TenantId};
use shell::{
    Core, Failure, Kept, Shell, Step, answer, core_of, fresh_correlation_id, now, only_messages, random,
    unknown_subject,
};
use wasm_bindgen::prelude::*;
use worker::{DurableObject, Env, Request, Response, State, durable_object};

mod drive;
mod rows;

struct EndpointCore;

impl Core for EndpointCore {
    core_of!(endpoint);

    const KIND: &'static str = "endpoint";
    /// What there is to see is looked up by whoever wants to see it.
    type Answer = ();

    const TABLES: &'static str = include_str!("tables.sql");

    fn authorize(_: &endpoint::State, _: &Command) -> Result<(), Refusal> {
        // The object lets in whose it is.
        Ok(())
    }

    fn answer(_: &endpoint::State) {}

    fn lifecycle(state: &endpoint::State) -> &'static str {
        state.name()
    }

    fn keep(effect: &Effect, seq: u64, _ordinal: u64) -> Result<Option<Kept>, Failure> {
        match effect {
            Effect::Keep(row) => rows::kept(row, seq).map(Some),
            Effect::Attempt { .. } | Effect::Tell { .. } => Ok(None),
        }
    }
}

/// The object.
#[durable_object(alarm)]
pub struct EndpointObject {
    inner: Rc<Inner>,
}

/// What outlives a message: calls in the background hold on to it.
struct Inner {
    state: State,
    env: Env,
    shell: Shell<EndpointCore>,
}

impl DurableObject for EndpointObject {
    fn new(state: State, env: Env) -> Self {
        let shell = Shell::new(&state);
        Self { inner: Rc::new(Inner { state, env, shell }) }
    }

    async fn fetch(&self, _request: Request) -> worker::Result<Response> {
        only_messages()
    }

    async fn alarm(&self) -> worker::Result<Response> {
        self.inner.shell.wake(&fresh_correlation_id())?;
        self.inner.drain().await?;
        Response::empty()
    }
}

#[wasm_bindgen]
impl EndpointObject {
    /// Takes one message.
    pub async fn receive(&self, subject: String, body: String) -> Result<String, JsValue> {
        let inner = &self.inner;
        inner.shell.look_after(&inner.state).await;
        let name = inner.shell.name();
        let outcome = match subject.as_str() {
            "ask" => answer(inner.ask(&body), EndpointCore::KIND, name),
            "project" => answer(inner.tell_again().await, EndpointCore::KIND, name),
            other => answer::<()>(Err(unknown_subject(other)), EndpointCore::KIND, name),
        };
        self.go_on();
        outcome
    }
}

impl EndpointObject {
    /// Goes on in the background with what is owed.
    fn go_on(&self) {
        let inner = Rc::clone(&self.inner);
        self.inner.state.wait_until(async move {
            if let Err(failure) = inner.drain().await {
                shell::log::failure(EndpointCore::KIND, inner.shell.name(), "drive_failed", &failure);
            }
        });
    }
}

/// A no, or what keeps this from answering.
enum No {
    Refused(Refusal),
    Reused,
    Failure(Failure),
}

impl From<Failure> for No {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

impl From<serde_json::Error> for No {
    fn from(error: serde_json::Error) -> Self {
        Self::Failure(error.into())
    }
}

impl Inner {
    fn ask(&self, body: &str) -> Result<EndpointReply, Failure> {
        let EndpointCall { tenant, correlation_id, ask } = serde_json::from_str(body)?;
        // Should the alarm be late, time takes effect now.
        if self.shell.read(endpoint::deadline)?.is_some_and(|due| due <= now()) {
            self.run(Command::Wake, &correlation_id, None)?;
        }
        match self.answered(tenant, ask, &correlation_id) {
            Ok(answer) => Ok(EndpointReply::Done(answer)),
            Err(No::Refused(refusal)) => Ok(EndpointReply::Refused(refusal)),
            Err(No::Reused) => Ok(EndpointReply::OperationReused),
            Err(No::Failure(failure)) => Err(failure),
        }
    }

    fn answered(&self, tenant: TenantId, ask: EndpointAsk, id: &CorrelationId) -> Result<EndpointAnswer, No> {
        if let EndpointAsk::Open { url, description } = ask {
            return self.shown(Command::Open { tenant, url, description }, None, id);
        }
        let is_its = self.shell.read(|state| endpoint::authorize(state, &tenant))?;
        match (&ask, is_its) {
            // Whoever tells what has happened does not wait for who has gone.
            (EndpointAsk::Deliver { .. } | EndpointAsk::Remove, Err(_)) => return Ok(EndpointAnswer::Done),
            (_, Err(refusal)) => return Err(No::Refused(refusal)),
            (_, Ok(())) => {}
        }
        match ask {
            EndpointAsk::Open { .. } => Err(Failure::Corrupt("an opening that was taken".to_owned()).into()),
            EndpointAsk::Show => self.view(false),
            EndpointAsk::Change { url, description } => {
                self.shown(Command::Change { url, description }, None, id)
            }
            EndpointAsk::Enable => self.shown(Command::Enable, None, id),
            EndpointAsk::Disable => self.shown(Command::Disable, None, id),
            EndpointAsk::Rotate { overlap, operation } => {
                self.shown(Command::Rotate { overlap }, operation, id)
            }
            EndpointAsk::Remove => self.told(Command::Remove, None, id).map(|_| EndpointAnswer::Done),
            EndpointAsk::Deliver { messages } => {
                let command = Command::Accept { arrivals: self.arrivals(messages)? };
                self.told(command, None, id).map(|_| EndpointAnswer::Done)
            }
            EndpointAsk::Test => {
                let test = outbound::test(&self.id()?, now(), &Digest(random()?))?;
                let message = test.id.clone();
                self.told(Command::Test { message: test }, None, id)?;
                Ok(EndpointAnswer::Sent { message })
            }
            EndpointAsk::Attempts { before, limit } => {
                let (rows, next) = self.attempts(before, limit)?;
                Ok(EndpointAnswer::Attempts { rows, next })
            }
            EndpointAsk::Resend { message } => {
                let known = self.known(&message)?;
                self.told(Command::Resend { message: message.clone(), known }, None, id)?;
                Ok(EndpointAnswer::Sent { message })
            }
            EndpointAsk::Recover { since } => {
                let messages = self.lost(since)?;
                let found = messages.len();
                let step = self.told(Command::Recover { messages }, None, id)?;
                let count = step.events.iter().map(endpoint::Event::resent).sum();
                Ok(EndpointAnswer::Recovered { count, has_more: found > count })
            }
        }
    }

    fn run(
        &self,
        command: Command,
        correlation_id: &CorrelationId,
        operation: Option<Operation>,
    ) -> Result<Step<EndpointCore>, Failure> {
        self.shell.run(Call { command, correlation_id: correlation_id.clone(), operation })
    }

    fn told(
        &self,
        command: Command,
        operation: Option<Operation>,
        id: &CorrelationId,
    ) -> Result<Step<EndpointCore>, No> {
        let step = self.run(command, id, operation)?;
        match step.reply {
            Reply::Done { .. } => Ok(step),
            Reply::Refused(refusal) => Err(No::Refused(refusal)),
            Reply::OperationReused => Err(No::Reused),
        }
    }

    fn shown(
        &self,
        command: Command,
        operation: Option<Operation>,
        id: &CorrelationId,
    ) -> Result<EndpointAnswer, No> {
        let step = self.told(command, operation, id)?;
        self.view(matches!(step.reply, Reply::Done { replayed: true, .. }))
    }

    fn view(&self, replayed: bool) -> Result<EndpointAnswer, No> {
        let view = self.shell.read(endpoint::State::view)?.ok_or(No::Refused(Refusal::UnknownEndpoint))?;
        Ok(EndpointAnswer::Shown { view: Box::new(view), replayed })
    }

    fn id(&self) -> Result<EndpointId, Failure> {
        self.shell.name().parse().map_err(|_| Failure::Corrupt("the endpoint's name".to_owned()))
    }
}
