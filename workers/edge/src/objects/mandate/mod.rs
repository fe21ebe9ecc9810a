//! A mandate: its core in the shell, the rows that it keeps of what is over, and its part of the lists.

use api::binding::meter::object_name;
use api::binding::{Caller, MandateAsk, MandateCall, MandateReply, Once};
use api::listing::Projection;
use eip712::Address;
use mandate::life::{self, Command, Effect, Refusal};
use primitives::{Call, CorrelationId, Digest, ReservationId, RunId, SettlementId};
use session::once as used;
use shell::{
    Core, Failure, Kept, Shell, answer, core_of, fresh_correlation_id, now, number, only_messages,
    unknown_subject,
};
use wasm_bindgen::prelude::*;
use worker::{DurableObject, Env, Request, Response, State, durable_object};

mod answer;
mod rows;

use rows::Untold;

use super::used::Used;
use crate::ports::{ledger, mandates, meters, objects, runs};

struct MandateCore;

impl Core for MandateCore {
    core_of!(life);

    const KIND: &'static str = "mandate";
    /// What stands after a command is looked up by whoever wants to see it.
    type Answer = ();

    const TABLES: &'static str = include_str!("tables.sql");

    fn authorize(_: &life::State, _: &Command) -> Result<(), Refusal> {
        // The core judges who asks with each step; an operation's key holds its caller, and its answer says nothing.
        Ok(())
    }

    fn answer(_: &life::State) {}

    fn lifecycle(state: &life::State) -> &'static str {
        use mandate::Status;
        match state.book().map(|book| book.mandate.status) {
            None => "unborn",
            Some(Status::Active) => "active",
            Some(Status::Paused) => "paused",
            Some(Status::Revoked) => "revoked",
        }
    }

    fn keep(effect: &Effect, seq: u64, ordinal: u64) -> Result<Option<Kept>, Failure> {
        Ok(match effect {
            Effect::File(filed) => Some(Kept {
                statement: "INSERT OR REPLACE INTO filed (payment, request_id, body) VALUES (?, ?, ?)",
                values: vec![
                    filed.request.payment.to_string().into(),
                    filed.request.request_id.to_string().into(),
                    serde_json::to_string(filed)?.into(),
                ],
            }),
            Effect::Close { reservation, closed } => Some(Kept {
                statement: "INSERT OR REPLACE INTO closed (reservation, body) VALUES (?, ?)",
                values: vec![reservation.to_string().into(), serde_json::to_string(closed)?.into()],
            }),
            Effect::Log(line) => Some(Kept {
                statement: "INSERT INTO activity (seq, ordinal, body) VALUES (?, ?, ?)",
                values: vec![number(seq), number(ordinal), serde_json::to_string(line)?.into()],
            }),
            Effect::Tell { .. } => None,
        })
    }
}

/// The object.
#[durable_object(alarm)]
pub struct MandateObject {
    state: State,
    env: Env,
    shell: Shell<MandateCore>,
    /// The signatures of the owner and of the agent: neither can use up the other's room.
    used: [Used; 2],
}

impl DurableObject for MandateObject {
    fn new(state: State, env: Env) -> Self {
        let shell = Shell::new(&state);
        let used = [1, 2].map(|id| Used::new(state.storage().sql(), id));
        Self { state, env, shell, used }
    }

    async fn fetch(&self, _request: Request) -> worker::Result<Response> {
        only_messages()
    }

    async fn alarm(&self) -> worker::Result<Response> {
        self.shell.wake(&fresh_correlation_id())?;
        self.tell_lists().await?;
        self.drain().await?;
        Response::empty()
    }
}

#[wasm_bindgen]
impl MandateObject {
    /// Takes one message.
    pub async fn receive(&self, subject: String, body: String) -> Result<String, JsValue> {
        self.shell.look_after(&self.state).await;
        let name = self.shell.name();
        match subject.as_str() {
            "ask" => answer(self.ask(&body).await, MandateCore::KIND, name),
            "journal" => answer(self.shell.journal().entries(), MandateCore::KIND, name),
            "project" => answer(self.project_again().await, MandateCore::KIND, name),
            other => answer::<()>(Err(unknown_subject(other)), MandateCore::KIND, name),
        }
    }
}

impl MandateObject {
    async fn ask(&self, body: &str) -> Result<MandateReply, Failure> {
        let call: MandateCall = serde_json::from_str(body)?;
        if let Caller::Signature(account, once) = &call.caller
            && let Err(refusal) = self.once(*account, once, &call.ask).await?
        {
            let (problem, retry_after) = api::caller::once_refused(&refusal);
            return Ok(MandateReply::Refused { problem: Box::new(problem), retry_after });
        }
        if matches!(call.ask, MandateAsk::Create { .. }) {
            self.announce().await;
        }
        self.catch_up(&call.correlation_id)?;
        let reply = self.answer(call).await?;
        self.tell_lists().await?;
        Ok(reply)
    }

    /// Uses a signature. Parties use theirs here, everyone else in an object of their own: strangers get in nobody's way,
    /// and leave nothing in what is not theirs. Which object makes a mandate depends on a key that no signature has to
    /// cover, so that a creation's is used there, too.
    async fn once(
        &self,
        account: Address,
        once: &Once,
        ask: &MandateAsk,
    ) -> Result<Result<(), used::Refusal>, Failure> {
        let is_creation = matches!(ask, MandateAsk::Create { .. });
        let parties = self.shell.read(|state| {
            let book = state.book().filter(|_| !is_creation);
            book.map(|book| [book.mandate.owner, book.mandate.agent]).unwrap_or_default()
        })?;
        let [owners, agents] = &self.used;
        match parties.map(|party| party == account) {
            [true, _] => owners.once(once),
            [false, true] => agents.once(once),
            [false, false] => mandates::use_once(&self.env, account, once).await,
        }
    }

    /// Has the directory know a mandate before there is one: should its maker be cut off as soon as it is made, the sweep
    /// finds it. What fails here is done when it is shown.
    async fn announce(&self) {
        if let Err(failure) = objects::know(&self.env, self.shell.name()).await {
            shell::log::failure(MandateCore::KIND, self.shell.name(), "announcement_postponed", &failure);
        }
    }

    /// Records what time has done before anyone looks, should the alarm be late.
    fn catch_up(&self, correlation_id: &CorrelationId) -> Result<(), Failure> {
        if self.shell.read(life::deadline)?.is_some_and(|due| due <= now()) {
            self.run(Command::Wake, correlation_id.clone(), None)?;
        }
        Ok(())
    }

    /// Has the core judge a command.
    fn run(
        &self,
        command: Command,
        correlation_id: CorrelationId,
        operation: Option<primitives::Operation>,
    ) -> Result<shell::Step<MandateCore>, Failure> {
        self.shell.run(Call { command, correlation_id, operation })
    }

    /// The first attempt to show what changed in the lists; the alarm makes the others. What is shown are the lines of the
    /// log since the last time, and the requests that they are about.
    async fn tell_lists(&self) -> Result<(), Failure> {
        while let Some(Untold { projection, seq, is_first, is_last }) = self.untold()? {
            let outcome = self.show(&projection, is_first).await;
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
        self.run(Command::Wake, fresh_correlation_id(), None)?;
        self.shell.unproject()?;
        self.tell_lists().await?;
        self.shell.read(|state| state.book().is_some())
    }

    /// Tells whoever holds a reservation, by the prefix of its id, that time has ended it.
    async fn tell(&self, asker: &str, reservation: Digest, id: &CorrelationId) -> Result<(), Failure> {
        if let Ok(run) = asker.parse::<RunId>() {
            return runs::tell(&self.env, &run, run::Command::BudgetLapsed { reservation }, id).await;
        }
        let bills = asker.parse::<SettlementId>().map(|bill| bill.meter());
        let meter = bills.or_else(|_| asker.parse::<ReservationId>().map(|work| work.meter()));
        match meter {
            // Its own time for what it holds ends before the mandate's: to look is all that it may have missed.
            Ok(meter) => meters::project(&self.env, &object_name(&meter, 0), id).await,
            Err(_) => Ok(()),
        }
    }

    async fn drain(&self) -> Result<(), Failure> {
        self.shell
            .drain(|effect, id| async move {
                match effect {
                    Effect::Tell { asker, reservation } => {
                        self.tell(&asker, Digest(reservation.0), &id).await
                    }
                    Effect::File(_) | Effect::Close { .. } | Effect::Log(_) => Ok(()),
                }
            })
            .await
    }
}
