//! The object that plays the chain.

use core::{cell::OnceCell, time::Duration};

use primitives::{CorrelationId, Millis, PaymentId, UnixMillis};
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::*;
use worker::{Date, Delay, DurableObject, Env, Request, Response, Result, State, durable_object};
use x402::FacilitatorRequest;

use crate::{
    answer,
    judge::{self, Record, Refusal},
    mode::Mode,
    problem::Problem,
    reply::{self, Reply},
    request::{self, fingerprint},
    rule::{Delivery, Outcome, Ruling, rule},
    storage::Memory,
};

/// The binding's name.
pub(crate) const BINDING: &str = "SIMULATOR";
/// The one object's name: there is one chain.
pub(crate) const NAME: &str = "chain";
/// The subjects of its messages.
pub(crate) const VERIFY: &str = "verify";
pub(crate) const SETTLE: &str = "settle";
pub(crate) const READ: &str = "read";
pub(crate) const CHANGE: &str = "change";

/// Keeps which authorizations were settled, and how the simulator behaves.
#[durable_object(fetch)]
pub struct SimulatorObject {
    state: State,
    env: Env,
    memory: OnceCell<Memory>,
}

impl DurableObject for SimulatorObject {
    fn new(state: State, env: Env) -> Self {
        Self { state, env, memory: OnceCell::new() }
    }

    async fn fetch(&self, _: Request) -> Result<Response> {
        Response::error("this object takes messages", 404)
    }
}

/// A message from the front.
#[derive(Serialize, Deserialize)]
pub(crate) struct Message {
    pub(crate) correlation: CorrelationId,
    pub(crate) body: String,
}

#[wasm_bindgen]
impl SimulatorObject {
    /// Takes one message; the subject is one of the constants above.
    pub async fn receive(&self, subject: String, message: String) -> core::result::Result<String, JsValue> {
        let reply = self.answer(&subject, &message).await;
        let text = reply.and_then(|reply| Ok(serde_json::to_string(&reply)?));
        text.map_err(|error| JsValue::from_str(&error.to_string()))
    }
}

#[derive(Serialize)]
struct Shown {
    mode: Mode,
    settlements: u64,
}

/// The body of `PUT /simulator`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Change {
    mode: Mode,
}

impl SimulatorObject {
    async fn answer(&self, subject: &str, message: &str) -> Result<Reply> {
        let Message { correlation, body } = serde_json::from_str(message)?;
        match subject {
            VERIFY => self.verify(&body),
            SETTLE => self.settle(&correlation, &body).await,
            READ => self.show(&correlation),
            CHANGE => self.change(&correlation, &body),
            _ => Ok(reply::problem(&correlation, &Problem::NotFound)),
        }
    }

    fn memory(&self) -> Result<&Memory> {
        if let Some(memory) = self.memory.get() {
            return Ok(memory);
        }
        let memory = Memory::open(self.state.storage().sql())?;
        Ok(self.memory.get_or_init(|| memory))
    }

    /// The mode set at run time, else the one in `SIMULATOR_MODE`, else settling.
    fn mode(&self) -> Result<core::result::Result<Mode, Problem>> {
        if let Some(mode) = self.memory()?.mode()? {
            return Ok(Ok(mode));
        }
        let Ok(setting) = self.env.var("SIMULATOR_MODE") else { return Ok(Ok(Mode::Settle)) };
        let mode = setting.to_string().parse::<Mode>();
        Ok(mode.map_err(|fault| Problem::Misconfigured(format!("SIMULATOR_MODE {fault}."))))
    }

    fn verify(&self, body: &str) -> Result<Reply> {
        let request = match request::parse(body) {
            Ok(request) => request,
            Err(fault) => return reply::json(400, &answer::not_verified(&fault)),
        };
        let outcome = match admitted(&request) {
            Ok(payment) => judge::verifiable(&request, self.memory()?.record(&payment)?, now()),
            Err(refusal) => Err(refusal),
        };
        reply::json(200, &answer::verified(&request, &outcome))
    }

    async fn settle(&self, correlation: &CorrelationId, body: &str) -> Result<Reply> {
        let started = now();
        let request = match request::parse(body) {
            Ok(request) => request,
            Err(fault) => return reply::json(400, &answer::not_settled(&fault)),
        };
        let mode = match self.mode()? {
            Ok(mode) => mode,
            Err(problem) => return Ok(reply::problem(correlation, &problem)),
        };
        let payment = match admitted(&request) {
            Ok(payment) => payment,
            Err(refusal) => {
                log(correlation, None, &Outcome::Refused(refusal.clone()), mode, started);
                return reply::json(200, &answer::refused(&request, &refusal));
            }
        };
        let ruling = self.decide(&request, &payment, mode, started)?;
        log(correlation, Some(&payment), &ruling.outcome, mode, started);
        deliver(ruling.delivery, answer::settled(&request, &payment, &ruling.outcome).as_ref()).await
    }

    /// Looks up, judges and remembers, without a moment in which another call could come between.
    fn decide(
        &self,
        request: &FacilitatorRequest,
        payment: &PaymentId,
        mode: Mode,
        now: UnixMillis,
    ) -> Result<Ruling> {
        let memory = self.memory()?;
        let fingerprint = fingerprint(request)?;
        let ruling = match judge::standing(request, fingerprint, memory.record(payment)?, now) {
            Ok(standing) => rule(mode, standing),
            Err(refusal) => {
                let outcome = Outcome::Refused(refusal);
                return Ok(Ruling { outcome, record: None, delivery: Delivery::Prompt });
            }
        };
        if let Some(status) = ruling.record {
            memory.keep(payment, &Record { fingerprint, status }, now)?;
        }
        Ok(ruling)
    }

    fn show(&self, correlation: &CorrelationId) -> Result<Reply> {
        match self.mode()? {
            Ok(mode) => {
                let settlements = self.memory()?.settlements()?;
                reply::json(200, &Shown { mode, settlements })
            }
            Err(problem) => Ok(reply::problem(correlation, &problem)),
        }
    }

    fn change(&self, correlation: &CorrelationId, body: &str) -> Result<Reply> {
        let Ok(change) = serde_json::from_str::<Change>(body) else {
            return Ok(reply::problem(correlation, &Problem::SimulatorBody));
        };
        self.memory()?.set_mode(change.mode)?;
        self.show(correlation)
    }
}

/// The name of the request's authorization, if this facilitator deals with such requests at all.
fn admitted(request: &FacilitatorRequest) -> core::result::Result<PaymentId, Refusal> {
    judge::admit(request)?;
    Ok(x402::identify(&request.payment_requirements, &request.payment_payload)?)
}

async fn deliver(delivery: Delivery, answer: Option<&x402::SettleResponse>) -> Result<Reply> {
    match delivery {
        Delivery::Prompt => reply::json(200, &answer),
        Delivery::Late(span) => {
            wait(span).await;
            reply::json(200, &answer)
        }
        Delivery::Silent(span) => {
            wait(span).await;
            Ok(reply::text(504, "text/plain", "Gateway Timeout".to_owned()))
        }
        Delivery::Page => {
            let page = "<!doctype html><title>Welcome</title><p>It works.".to_owned();
            Ok(reply::text(200, "text/html", page))
        }
        Delivery::BadGateway => Ok(reply::text(502, "text/html", "<h1>Bad Gateway</h1>".to_owned())),
    }
}

async fn wait(span: Millis) {
    Delay::from(Duration::from_millis(span.0)).await;
}

fn now() -> UnixMillis {
    UnixMillis(Date::now().as_millis())
}

/// One line for each settlement. S4: neither payload nor signature; the payment's name is a hash.
fn log(
    correlation: &CorrelationId,
    payment: Option<&PaymentId>,
    outcome: &Outcome,
    mode: Mode,
    started: UnixMillis,
) {
    let (word, reason) = match outcome {
        Outcome::Settled => ("settled", None),
        Outcome::Pending => ("pending", None),
        Outcome::Refused(refusal) => ("refused", Some(refusal.code())),
        Outcome::Nothing => ("nothing", None),
    };
    let line = serde_json::json!({
        "event": "settle",
        "correlation_id": correlation,
        "payment": payment,
        "outcome": word,
        "reason": reason,
        "simulator_mode": mode,
        "duration_ms": now().since(started).0,
    });
    worker::console_log!("{line}");
}
