//! What a payment's name belongs to: its core in the shell.

use primitives::{Call, CorrelationId, Reply};
use run::receipt::{self, Command, Holder, Refusal, State as Standing};
use shell::{Core, Failure, Shell, answer, core_of, only_messages, unknown_subject};
use wasm_bindgen::prelude::*;
use worker::{DurableObject, Env, Request, Response, State, durable_object};

struct ReceiptCore;

impl Core for ReceiptCore {
    core_of!(receipt);

    const KIND: &'static str = "receipt";
    /// Whose it is.
    type Answer = Option<Holder>;

    fn authorize(_: &Standing, _: &Command) -> Result<(), Refusal> {
        // Only runs and meters speak to it.
        Ok(())
    }

    fn answer(state: &Standing) -> Option<Holder> {
        state.holder().cloned()
    }

    fn lifecycle(state: &Standing) -> &'static str {
        state.name()
    }
}

/// The object.
#[durable_object(fetch)]
pub struct ReceiptObject {
    shell: Shell<ReceiptCore>,
}

impl DurableObject for ReceiptObject {
    fn new(state: State, _: Env) -> Self {
        Self { shell: Shell::new(&state) }
    }

    async fn fetch(&self, _request: Request) -> worker::Result<Response> {
        only_messages()
    }
}

#[wasm_bindgen]
impl ReceiptObject {
    /// Takes one message.
    pub async fn receive(&self, subject: String, body: String) -> Result<String, JsValue> {
        let name = self.shell.name();
        match subject.as_str() {
            "claim" => answer(self.claim(&body), ReceiptCore::KIND, name),
            "view" => answer(self.shell.read(|state| state.holder().cloned()), ReceiptCore::KIND, name),
            other => answer::<()>(Err(unknown_subject(other)), ReceiptCore::KIND, name),
        }
    }
}

impl ReceiptObject {
    /// Whose the name is from now on: of the first that claims it.
    fn claim(&self, body: &str) -> Result<Option<Holder>, Failure> {
        let (holder, correlation_id): (Holder, CorrelationId) = serde_json::from_str(body)?;
        let call = Call { command: Command::Claim { holder }, correlation_id, operation: None };
        match self.shell.run(call)?.reply {
            Reply::Done { answer, .. } => Ok(answer),
            Reply::Refused(_) => self.shell.read(|state| state.holder().cloned()),
            Reply::OperationReused => Err(Failure::Corrupt("a receipt keeps no operations".to_owned())),
        }
    }
}
