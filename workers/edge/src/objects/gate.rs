//! How many executors one source has registered: its core in the shell. It forgets itself once nothing counts.

use executor::gate::{self, Command, Refusal, State as Standing};
use primitives::{Call, CorrelationId, Reply};
use shell::{Core, Failure, Shell, answer, core_of, fresh_correlation_id, only_messages, unknown_subject};
use wasm_bindgen::prelude::*;
use worker::{DurableObject, Env, Request, Response, State, durable_object};

struct GateCore;

impl Core for GateCore {
    core_of!(gate);

    const KIND: &'static str = "gate";
    type Answer = ();

    fn authorize(_: &Standing, _: &Command) -> Result<(), Refusal> {
        // Only the edge speaks to it.
        Ok(())
    }

    fn answer(_: &Standing) {}

    fn lifecycle(state: &Standing) -> &'static str {
        state.name()
    }
}

/// The object.
#[durable_object(alarm)]
pub struct GateObject {
    state: State,
    shell: Shell<GateCore>,
}

impl DurableObject for GateObject {
    fn new(state: State, _: Env) -> Self {
        let shell = Shell::new(&state);
        Self { state, shell }
    }

    async fn fetch(&self, _request: Request) -> worker::Result<Response> {
        only_messages()
    }

    async fn alarm(&self) -> worker::Result<Response> {
        self.shell.wake(&fresh_correlation_id())?;
        if self.shell.read(|state| state.admitted() == 0)? {
            self.shell.erase(&self.state).await?;
        }
        Response::empty()
    }
}

#[wasm_bindgen]
impl GateObject {
    /// Takes one message.
    pub async fn receive(&self, subject: String, body: String) -> Result<String, JsValue> {
        self.shell.look_after(&self.state).await;
        let name = self.shell.name();
        match subject.as_str() {
            "admit" => answer(self.admit(&body), GateCore::KIND, name),
            other => answer::<()>(Err(unknown_subject(other)), GateCore::KIND, name),
        }
    }
}

impl GateObject {
    fn admit(&self, body: &str) -> Result<Result<(), Refusal>, Failure> {
        let correlation_id: CorrelationId = serde_json::from_str(body)?;
        match self.shell.run(Call { command: Command::Admit, correlation_id, operation: None })?.reply {
            Reply::Done { .. } => Ok(Ok(())),
            Reply::Refused(refusal) => Ok(Err(refusal)),
            Reply::OperationReused => Err(Failure::Corrupt("a gate keeps no operations".to_owned())),
        }
    }
}
