//! What an owner keeps for itself: its core in the shell.

use account::{Command, Refusal};
use api::binding::AccountReply;
use shell::{Core, Failure, Shell, answer, core_of, only_messages, unknown_subject};
use wasm_bindgen::prelude::*;
use worker::{DurableObject, Env, Request, Response, State, durable_object};

struct AccountCore;

impl Core for AccountCore {
    core_of!(account);

    const KIND: &'static str = "account";
    type Answer = account::State;

    fn authorize(_: &account::State, _: &Command) -> Result<(), Refusal> {
        // Only the edge speaks to it, and for nobody but the owner whose address is its name.
        Ok(())
    }

    fn answer(state: &account::State) -> account::State {
        state.clone()
    }

    fn lifecycle(state: &account::State) -> &'static str {
        state.name()
    }
}

/// The object.
#[durable_object(fetch)]
pub struct AccountObject {
    shell: Shell<AccountCore>,
}

impl DurableObject for AccountObject {
    fn new(state: State, _: Env) -> Self {
        Self { shell: Shell::new(&state) }
    }

    async fn fetch(&self, _request: Request) -> worker::Result<Response> {
        only_messages()
    }
}

#[wasm_bindgen]
impl AccountObject {
    /// Takes one message.
    pub async fn receive(&self, subject: String, body: String) -> Result<String, JsValue> {
        let name = self.shell.name();
        match subject.as_str() {
            "command" => answer(self.command(&body), AccountCore::KIND, name),
            "view" => answer(self.shell.read(Clone::clone), AccountCore::KIND, name),
            other => answer::<()>(Err(unknown_subject(other)), AccountCore::KIND, name),
        }
    }
}

impl AccountObject {
    fn command(&self, body: &str) -> Result<AccountReply, Failure> {
        Ok(self.shell.run(serde_json::from_str(body)?)?.reply)
    }
}
