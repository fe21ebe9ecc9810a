//! A payer's own name for a purchase: its core in the shell.

use api::binding::BindReply;
use payment::identifier::{self, Binding, Command, Effect, Event, Refusal, State as Standing};
use primitives::UnixMillis;
use shell::{Core, Failure, Shell, answer, only_messages, unknown_subject};
use wasm_bindgen::prelude::*;
use worker::{DurableObject, Env, Request, Response, State, durable_object};

struct IdentifierCore;

impl Core for IdentifierCore {
    const KIND: &'static str = "identifier";
    type State = Standing;
    type Command = Command;
    type Event = Event;
    type Effect = Effect;
    type Refusal = Refusal;
    type Answer = Option<Binding>;

    fn authorize(_: &Standing, _: &Command) -> Result<(), Refusal> {
        // Only the edge speaks to it.
        Ok(())
    }

    fn decide(state: &Standing, command: Command, now: UnixMillis) -> Result<Vec<Event>, Refusal> {
        identifier::decide(state, command, now)
    }

    fn apply(state: Standing, event: &Event) -> Result<Standing, Failure> {
        identifier::apply(state, event).map_err(|corrupt| Failure::Corrupt(corrupt.to_string()))
    }

    fn effects(before: &Standing, event: &Event) -> Vec<Effect> {
        identifier::effects(before, event)
    }

    fn deadline(state: &Standing) -> Option<UnixMillis> {
        identifier::deadline(state)
    }

    fn answer(state: &Standing) -> Option<Binding> {
        state.binding().cloned()
    }

    fn is_replay(_: &Standing, events: &[Event]) -> bool {
        events.is_empty()
    }

    fn lifecycle(state: &Standing) -> &'static str {
        state.name()
    }

    fn code(refusal: &Refusal) -> &'static str {
        refusal.code()
    }

    fn wake() -> Command {
        Command::Wake
    }
}

/// The object.
#[durable_object(fetch)]
pub struct IdentifierObject {
    shell: Shell<IdentifierCore>,
}

impl DurableObject for IdentifierObject {
    fn new(state: State, _: Env) -> Self {
        Self { shell: Shell::new(&state) }
    }

    async fn fetch(&self, _request: Request) -> worker::Result<Response> {
        only_messages()
    }
}

#[wasm_bindgen]
impl IdentifierObject {
    /// Takes one message.
    pub async fn receive(&self, subject: String, body: String) -> Result<String, JsValue> {
        let name = self.shell.name();
        match subject.as_str() {
            "bind" => answer(self.bind(&body), IdentifierCore::KIND, name),
            "view" => answer(self.shell.read(|state| state.binding().cloned()), IdentifierCore::KIND, name),
            other => answer::<()>(Err(unknown_subject(other)), IdentifierCore::KIND, name),
        }
    }
}

impl IdentifierObject {
    fn bind(&self, body: &str) -> Result<BindReply, Failure> {
        Ok(self.shell.run(serde_json::from_str(body)?)?.reply)
    }
}
