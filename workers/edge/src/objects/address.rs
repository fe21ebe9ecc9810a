//! How often one network address asks. Counted in memory only: who is forgotten begins anew.

use core::cell::Cell;

use shell::{Failure, answer, now, only_messages, unknown_subject};
use tenant::rate::{Rate, Standing, TooOften, Window};
use wasm_bindgen::prelude::*;
use worker::{DurableObject, Env, Request, Response, State, durable_object};

const KIND: &str = "address";

/// The object.
#[durable_object(fetch)]
pub struct AddressObject {
    name: String,
    window: Cell<Window>,
}

impl DurableObject for AddressObject {
    fn new(state: State, _: Env) -> Self {
        Self { name: state.id().name().unwrap_or_default(), window: Cell::default() }
    }

    async fn fetch(&self, _request: Request) -> worker::Result<Response> {
        only_messages()
    }
}

#[wasm_bindgen]
impl AddressObject {
    /// Takes one message.
    pub async fn receive(&self, subject: String, body: String) -> Result<String, JsValue> {
        match subject.as_str() {
            "charge" => answer(self.charge(&body), KIND, &self.name),
            other => answer::<()>(Err(unknown_subject(other)), KIND, &self.name),
        }
    }
}

impl AddressObject {
    /// Counts a request: what is left, or that nothing is.
    fn charge(&self, body: &str) -> Result<Result<Standing, Standing>, Failure> {
        let rate: Rate = serde_json::from_str(body)?;
        let mut window = self.window.get();
        let charged = window.charge(rate, now()).map_err(|TooOften(standing)| standing);
        self.window.set(window);
        Ok(charged)
    }
}
