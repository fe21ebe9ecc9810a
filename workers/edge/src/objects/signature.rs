//! The used signatures of one agent, for requests that are for no object of their own. It forgets everything once nothing
//! that it keeps could be used again.

use api::binding::Once;
use shell::{Failure, answer, now, only_messages, unknown_subject};
use wasm_bindgen::prelude::*;
use worker::{DurableObject, Env, Request, Response, State, durable_object};

use super::used::Used;

const KIND: &str = "signature";

/// The object.
#[durable_object(alarm)]
pub struct SignatureObject {
    state: State,
    used: Used,
}

impl DurableObject for SignatureObject {
    fn new(state: State, _: Env) -> Self {
        let used = Used::new(state.storage().sql(), 1);
        Self { state, used }
    }

    async fn fetch(&self, _request: Request) -> worker::Result<Response> {
        only_messages()
    }

    async fn alarm(&self) -> worker::Result<Response> {
        match self.used.over()? {
            Some(at) if at > now() => self.wake_at(at).await?,
            Some(_) | None => {
                self.state.storage().delete_all().await?;
                self.used.forget();
            }
        }
        Response::empty()
    }
}

#[wasm_bindgen]
impl SignatureObject {
    /// Takes one message.
    pub async fn receive(&self, subject: String, body: String) -> Result<String, JsValue> {
        let name = self.state.id().name().unwrap_or_default();
        match subject.as_str() {
            "use" => answer(self.take(&body).await, KIND, &name),
            other => answer::<()>(Err(unknown_subject(other)), KIND, &name),
        }
    }
}

impl SignatureObject {
    async fn take(&self, body: &str) -> Result<Result<(), session::once::Refusal>, Failure> {
        let once: Once = serde_json::from_str(body)?;
        let outcome = self.used.once(&once)?;
        if let (Ok(()), Some(at)) = (&outcome, self.used.over()?)
            && self.state.storage().get_alarm().await?.is_none()
        {
            self.wake_at(at).await?;
        }
        Ok(outcome)
    }

    async fn wake_at(&self, at: primitives::UnixMillis) -> Result<(), Failure> {
        let wait = core::time::Duration::from_millis(at.since(now()).0);
        Ok(self.state.storage().set_alarm(wait).await?)
    }
}
