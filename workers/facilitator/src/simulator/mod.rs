//! The object that plays the chain.

mod judge;
mod mode;
mod rule;
mod storage;

use core::{cell::OnceCell, time::Duration};

use primitives::{CorrelationId, Digest, Millis, PaymentId, UnixMillis};
use serde::{Deserialize, Serialize};
use settlement::Asker;
use wasm_bindgen::prelude::*;
use worker::{Date, Delay, DurableObject, Env, Request, Response, Result, State, durable_object};
use x402::FacilitatorRequest;

use crate::{
    answer::{self, Ending, Source, Words},
    ask::Ask,
    catalogue,
    problem::Problem,
    reply::{self, Reply},
    request::{self, fingerprint},
    route::Route,
};
use judge::{Collected, Record, Refusal, Status};
use mode::Mode;
use rule::{Delivery, Outcome, Ruling, rule};
use storage::Memory;

/// The binding's name.
const BINDING: &str = "SIMULATOR";
/// The one object's name: there is one chain.
const NAME: &str = "chain";
/// The subjects of its messages.
const VERIFY: &str = "verify";
const SETTLE: &str = "settle";
const READ: &str = "read";
const CHANGE: &str = "change";

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

/// Has the object answer a request to one of its routes.
pub(crate) async fn ask(env: &Env, route: Route, ask: &Ask) -> Result<Reply> {
    let subject = match route {
        Route::Verify => VERIFY,
        Route::Settle => SETTLE,
        Route::ReadSimulator => READ,
        Route::ChangeSimulator => CHANGE,
        Route::Signatures | Route::Supported | Route::Health | Route::Discovery => {
            return Ok(reply::problem(&ask.correlation, &Problem::NotFound));
        }
    };
    Ok(shell::send(env, BINDING, NAME, subject, ask).await?)
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
        let ask: Ask = serde_json::from_str(message)?;
        let Ask { correlation, body, .. } = &ask;
        match subject {
            VERIFY => self.verify(body),
            SETTLE => self.settle(&ask).await,
            READ => self.show(correlation),
            CHANGE => self.change(correlation, body),
            _ => Ok(reply::problem(correlation, &Problem::NotFound)),
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
            Err(fault) => return reply::json(400, &answer::not_verified(&fault, Source::Simulator)),
        };
        let outcome = match admitted(&request) {
            Ok(payment) => {
                let record = self.memory()?.record(&payment)?;
                judge::verifiable(&request, fingerprint(&request)?, record.as_ref(), now())
            }
            Err(refusal) => Err(refusal),
        };
        let outcome = outcome.map_err(|refusal| words(&refusal));
        reply::json(200, &answer::verified(&request, outcome, Source::Simulator))
    }

    async fn settle(&self, Ask { correlation, asker, body }: &Ask) -> Result<Reply> {
        let started = now();
        let request = match request::parse(body) {
            Ok(request) => request,
            Err(fault) => return reply::json(400, &answer::not_settled(&fault, Source::Simulator)),
        };
        let mode = match self.mode()? {
            Ok(mode) => mode,
            Err(problem) => return Ok(reply::problem(correlation, &problem)),
        };
        let payment = match admitted(&request) {
            Ok(payment) => payment,
            Err(refusal) => {
                log(correlation, None, &Outcome::Refused(refusal.clone()), mode, started);
                let ending = Ending::Refused { words: words(&refusal), transaction: String::new() };
                return reply::json(200, &answer::settled(&request, ending, Source::Simulator));
            }
        };
        let ruling = self.decide(&request, &payment, asker, mode, started)?;
        if ruling.record == Some(Status::Settled) {
            self.list(&request)?;
        }
        log(correlation, Some(&payment), &ruling.outcome, mode, started);
        let ending = ending(&payment, ruling.outcome);
        let answer = ending.map(|ending| answer::settled(&request, ending, Source::Simulator));
        deliver(ruling.delivery, answer.as_ref()).await
    }

    /// Looks up, judges and remembers, without a moment in which another call could come between.
    fn decide(
        &self,
        request: &FacilitatorRequest,
        payment: &PaymentId,
        asker: &Asker,
        mode: Mode,
        now: UnixMillis,
    ) -> Result<Ruling> {
        let memory = self.memory()?;
        let fingerprint = fingerprint(request)?;
        let record = memory.record(payment)?;
        let mut ruling = match judge::standing(request, fingerprint, record.as_ref(), now) {
            Ok(standing) => rule(mode, standing),
            Err(refusal) => {
                let outcome = Outcome::Refused(refusal);
                return Ok(Ruling { outcome, record: None, delivery: Delivery::Prompt });
            }
        };
        let is_told =
            ruling.outcome == Outcome::Settled && record.as_ref().is_none_or(|record| record.is_for(asker));
        if ruling.outcome == Outcome::Settled && !is_told {
            ruling.outcome = Outcome::Duplicate;
        }
        let known = record.as_ref().map_or(Collected::Not, |record| record.collected);
        let collected = if is_told { Collected::Once } else { known };
        // Written when either changes.
        if let Some(status) = ruling.record.or((collected != known).then_some(Status::Settled)) {
            let asker = record.map_or_else(|| asker.clone(), |record| record.asker);
            memory.keep(payment, &Record { fingerprint, status, asker, collected }, now)?;
        }
        Ok(ruling)
    }

    /// Lists the resource that was paid for. Nobody waits for it.
    fn list(&self, request: &FacilitatorRequest) -> Result<()> {
        if let Some(entry) = catalogue::entry(request)? {
            let (env, settled_at) = (self.env.clone(), now());
            wasm_bindgen_futures::spawn_local(async move {
                if let Err(failure) = catalogue::publish(&env, &entry, settled_at).await {
                    shell::log::failure("simulator", NAME, "not_listed", &failure);
                }
            });
        }
        Ok(())
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

/// A refusal in the protocol's words.
fn words(refusal: &Refusal) -> Words {
    Words { code: refusal.code().to_owned(), message: refusal.to_string() }
}

/// What the caller is told; `None` where there is nothing to say.
fn ending(payment: &PaymentId, outcome: Outcome) -> Option<Ending> {
    match outcome {
        Outcome::Settled => Some(Ending::Settled { transaction: transaction(payment) }),
        Outcome::Pending => Some(Ending::Pending { transaction: transaction(payment) }),
        Outcome::Duplicate => Some(Ending::Duplicate { transaction: transaction(payment) }),
        Outcome::Refused(refusal) => {
            let sent = if refusal == Refusal::Failed { transaction(payment) } else { String::new() };
            Some(Ending::Refused { words: words(&refusal), transaction: sent })
        }
        Outcome::Nothing => None,
    }
}

/// The hash of the transaction that a chain would have: the same for every copy of an authorization.
fn transaction(payment: &PaymentId) -> String {
    format!("0x{}", Digest::of(&[b"guildhall simulated transaction v1\0", payment.as_str().as_bytes()]))
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
        Outcome::Duplicate => ("duplicate", None),
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
