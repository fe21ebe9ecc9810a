//! A mandate that the contract keeps: its mirror in the shell, the rows that it keeps of what is over, its part of the lists,
//! and what it has the chain's side do.
//!
//! Signatures of HTTP requests are used before they come here: the object of the ledger's mandate of that id was asked first.

use api::binding::custody::{self as said, Answered, Creation, Heard, Look, Sent, Span};
use api::binding::{MandateCall, MandateReply};
use api::chain_mandates::{self, adoption, calldata, observation};
use api::listing::Projection;
use eip712::B256;
use mandate::mirror::{self, Command, Effect, Observation, Refusal};
use primitives::{Call, CorrelationId, Reply};
use serde::de::DeserializeOwned;
use shell::{
    Core, Failure, Kept, Shell, Step, answer, core_of, fresh_correlation_id, number, only_messages,
    unknown_subject,
};
use wasm_bindgen::prelude::*;
use worker::{DurableObject, Env, Request, Response, SqlStorageValue, State, durable_object};

mod answer;
mod rows;

use rows::Untold;

use crate::ports::{custody, ledger, objects};

struct MirrorCore;

impl Core for MirrorCore {
    core_of!(mirror);

    const KIND: &'static str = "mirror";
    /// What stands after a command is looked up by whoever wants to see it.
    type Answer = ();

    const TABLES: &'static str = include_str!("tables.sql");

    fn authorize(_: &mirror::State, _: &Command) -> Result<(), Refusal> {
        // The core judges who asks with each step; nothing is kept under a key.
        Ok(())
    }

    fn answer(_: &mirror::State) {}

    fn lifecycle(state: &mirror::State) -> &'static str {
        use mandate::Status;
        match state.mirror().map(|mirror| mirror.tip.mandate.status) {
            None => "unborn",
            Some(Status::Active) => "active",
            Some(Status::Paused) => "paused",
            Some(Status::Revoked) => "revoked",
        }
    }

    fn keep(effect: &Effect, seq: u64, ordinal: u64) -> Result<Option<Kept>, Failure> {
        Ok(match effect {
            Effect::File(filed) => Some(Kept {
                statement: "INSERT OR REPLACE INTO filed (payment, request_id, moved, body) VALUES (?, ?, ?, ?)",
                values: vec![
                    filed.request.payment.to_string().into(),
                    filed.request.request_id.to_string().into(),
                    number(seq),
                    serde_json::to_string(filed)?.into(),
                ],
            }),
            Effect::Refunded { payment, total } => Some(Kept {
                statement: "UPDATE filed SET moved = ?, body = json_set(body, '$.payment.refunded', ?) WHERE payment = ?",
                values: vec![number(seq), total.to_string().into(), payment.to_string().into()],
            }),
            Effect::Log { line, place } => Some(Kept {
                statement: "INSERT INTO activity (seq, ordinal, moved, block, undone, line, place)
                            VALUES (?, ?, ?, ?, 0, ?, ?)",
                values: vec![
                    number(seq),
                    number(ordinal),
                    number(seq),
                    place.map_or(SqlStorageValue::Null, |place| number(place.block.number)),
                    serde_json::to_string(line)?.into(),
                    serde_json::to_string(place)?.into(),
                ],
            }),
            Effect::Undo { after } => Some(Kept {
                statement: "UPDATE activity SET undone = 1, moved = ? WHERE block > ? AND undone = 0",
                values: vec![number(seq), number(*after)],
            }),
            Effect::Send { .. } | Effect::Look { .. } => None,
        })
    }
}

/// The object.
#[durable_object(alarm)]
pub struct MirrorObject {
    state: State,
    env: Env,
    shell: Shell<MirrorCore>,
}

impl DurableObject for MirrorObject {
    fn new(state: State, env: Env) -> Self {
        let shell = Shell::new(&state);
        Self { state, env, shell }
    }

    async fn fetch(&self, _request: Request) -> worker::Result<Response> {
        only_messages()
    }

    async fn alarm(&self) -> worker::Result<Response> {
        self.shell.wake(&fresh_correlation_id())?;
        self.drain().await?;
        self.tell_lists().await?;
        Response::empty()
    }
}

#[wasm_bindgen]
impl MirrorObject {
    /// Takes one message.
    pub async fn receive(&self, subject: String, body: String) -> Result<String, JsValue> {
        self.shell.look_after(&self.state).await;
        let (kind, name) = (MirrorCore::KIND, self.shell.name());
        match subject.as_str() {
            "ask" => answer(self.ask(&body).await, kind, name),
            "adopt" => answer(self.adopted(&body).await, kind, name),
            "observe" => answer(self.observed(&body, Command::Observe).await, kind, name),
            "rewind" => answer(self.observed(&body, Command::Rewind).await, kind, name),
            "sent" => {
                let sent = |Sent { payment, transaction }| Command::Sent { payment, transaction };
                answer(self.told(&body, sent).await, kind, name)
            }
            "answered" => {
                let answered = |Answered { payment, turn, answer }| Command::Answered {
                    payment,
                    turn,
                    answer: chain_mandates::answer(&answer),
                };
                answer(self.told(&body, answered).await, kind, name)
            }
            "journal" => answer(self.shell.journal().entries(), kind, name),
            "project" => answer(self.project_again().await, kind, name),
            other => answer::<()>(Err(unknown_subject(other)), kind, name),
        }
    }
}

impl MirrorObject {
    async fn ask(&self, body: &str) -> Result<MandateReply, Failure> {
        let call: MandateCall = serde_json::from_str(body)?;
        // What is seen and judged is what time has left.
        self.run(Command::Wake, &call.correlation_id)?;
        let reply = self.answer(call).await?;
        self.tell_lists().await?;
        Ok(reply)
    }

    /// The chain's side has found a mandate.
    async fn adopted(&self, body: &str) -> Result<Heard, Failure> {
        let creation: Creation = serde_json::from_str(body)?;
        let (made, command) = adoption(&creation, String::new()).map_err(unreadable)?;
        if made.id.to_string() != self.shell.name() {
            return Err(Failure::Runtime("the creation is another mandate's".to_owned()));
        }
        objects::know(&self.env, self.shell.name()).await?;
        self.hear(command).await
    }

    /// The chain's side has read some blocks.
    async fn observed(&self, body: &str, command: fn(Box<Observation>) -> Command) -> Result<Heard, Failure> {
        let span: Span = serde_json::from_str(body)?;
        let observed = self.shell.read(|state| state.mirror().map(|mirror| observation(mirror, span)))?;
        let Some(observed) = observed else { return Ok(Err(Refusal::Unborn)) };
        self.hear(command(Box::new(observed.map_err(unreadable)?))).await
    }

    /// The chain's side has done something.
    async fn told<T: DeserializeOwned>(
        &self,
        body: &str,
        command: impl FnOnce(T) -> Command,
    ) -> Result<Heard, Failure> {
        self.hear(command(serde_json::from_str(body)?)).await
    }

    async fn hear(&self, command: Command) -> Result<Heard, Failure> {
        let heard = match self.run(command, &fresh_correlation_id())?.reply {
            Reply::Refused(refusal) => Err(refusal),
            Reply::Done { .. } | Reply::OperationReused => Ok(()),
        };
        self.tell_lists().await?;
        Ok(heard)
    }

    fn run(&self, command: Command, correlation_id: &CorrelationId) -> Result<Step<MirrorCore>, Failure> {
        self.shell.run(Call { command, correlation_id: correlation_id.clone(), operation: None })
    }

    /// The first attempt to show what changed in the lists; the alarm makes the others. What has no mandate is in no list.
    async fn tell_lists(&self) -> Result<(), Failure> {
        while let Some(Untold { projection, seq, is_first, is_last }) = self.untold()? {
            let outcome = match projection {
                Some(projection) => self.show(&projection, is_first).await,
                None => ledger::forget(&self.env, self.shell.name()).await,
            };
            self.shell.projected(seq, &outcome)?;
            if outcome.is_err() || is_last {
                break;
            }
        }
        Ok(())
    }

    /// Known to the directory before it is shown, so that lists that are lost can be made anew.
    async fn show(&self, projection: &Projection, is_first: bool) -> Result<(), Failure> {
        if is_first {
            objects::know(&self.env, self.shell.name()).await?;
        }
        ledger::write(&self.env, projection).await
    }

    /// Whether there is a mandate here to tell of.
    async fn project_again(&self) -> Result<bool, Failure> {
        self.run(Command::Wake, &fresh_correlation_id())?;
        self.shell.unproject()?;
        self.tell_lists().await?;
        self.shell.read(|state| state.mirror().is_some())
    }

    async fn drain(&self) -> Result<(), Failure> {
        self.shell.drain(|effect, correlation_id| self.deliver(effect, correlation_id)).await
    }

    /// Puts a question to the chain's side. One after which another was put is of no interest any more.
    async fn deliver(&self, effect: Effect, correlation_id: CorrelationId) -> Result<(), Failure> {
        let mandate = self.mandate_id()?;
        let (payment, turn, reply) = match effect {
            Effect::Send { payment, turn, call } if self.is_latest(payment, turn)? => {
                let send = said::Send { mandate, payment, turn, calldata: calldata(&call) };
                (payment, turn, custody::send(&self.env, &send, &correlation_id).await?)
            }
            Effect::Look { payment, turn } if self.is_latest(payment, turn)? => {
                let look = Look { mandate, payment, turn };
                (payment, turn, custody::look(&self.env, &look, &correlation_id).await?)
            }
            Effect::Send { .. }
            | Effect::Look { .. }
            | Effect::File(_)
            | Effect::Refunded { .. }
            | Effect::Log { .. }
            | Effect::Undo { .. } => return Ok(()),
        };
        // What does not fit any more is refused by the core, and changes nothing.
        if let Some(transaction) = reply.transaction {
            self.run(Command::Sent { payment, transaction }, &correlation_id)?;
        }
        if let Some(word) = reply.answer {
            let answer = chain_mandates::answer(&word);
            self.run(Command::Answered { payment, turn, answer }, &correlation_id)?;
        }
        Ok(())
    }

    fn is_latest(&self, payment: B256, turn: u32) -> Result<bool, Failure> {
        self.shell.read(|state| {
            let ask = state.mirror().and_then(|mirror| mirror.asks.get(&payment));
            ask.is_some_and(|ask| ask.turn == turn && ask.errand().is_some())
        })
    }

    fn mandate_id(&self) -> Result<B256, Failure> {
        let name = self.shell.name();
        name.parse().map_err(|_| Failure::Corrupt(format!("{name} is no mandate's id")))
    }
}

fn unreadable(why: api::chain_mandates::Unreadable) -> Failure {
    Failure::Runtime(why.to_string())
}
