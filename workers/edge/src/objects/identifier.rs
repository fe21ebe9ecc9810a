//! A payer's own name for a purchase: its core in the shell.

use api::binding::BindReply;
use payment::identifier::{self, Binding, Command, Refusal, State as Standing};
use shell::{Core, Failure, Shell, answer, core_of, only_messages, unknown_subject};
use wasm_bindgen::prelude::*;
use worker::{DurableObject, Env, Request, Response, State, durable_object};

struct IdentifierCore;

impl Core for IdentifierCore {
    core_of!(identifier);

    const KIND: &'static str = "identifier";
    type Answer = Option<Binding>;

    fn authorize(_: &Standing, _: &Command) -> Result<(), Refusal> {
        // Only the edge speaks to it.
        Ok(())
    }

    fn answer(state: &Standing) -> Option<Binding> {
        state.binding().cloned()
    }

    fn lifecycle(state: &Standing) -> &'static str {
        state.name()
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
