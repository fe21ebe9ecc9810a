//! A purchase run: its core in the shell, those who watch it, and the ports that it drives.
//!
//! A message is answered as soon as its events are on disk; what they owe is driven on afterwards, in the background, and
//! by the alarm should this process not get to it.

use std::rc::Rc;

use api::binding::run::{RunAsk, RunCall, RunCaller, RunReply};
use api::inbound::run::{transaction_on, wallet_on};
use api::outbound::run as outbound;
use api::problem::Problem;
use primitives::{Call, CorrelationId, Reply};
use run::{Command, Effect, Event, Fact, Rails, Refusal, WalletReport};
use shell::{Core, Failure, Shell, Step, answer, core_of, fresh_correlation_id, now, unknown_subject};
use wasm_bindgen::prelude::*;
use worker::{
    DurableObject, Env, Request, Response, State, WebSocket, WebSocketIncomingMessage, durable_object,
};

mod drive;
mod stream;
mod watch;

use super::tickets::Tickets;
use crate::ports::objects;
use stream::From;
use watch::{Frame, Watchers};

struct RunCore;

impl Core for RunCore {
    core_of!(run);

    const KIND: &'static str = "run";
    /// What stands after a command is looked up by whoever wants to see it.
    type Answer = ();

    fn authorize(_: &run::State, _: &Command) -> Result<(), Refusal> {
        // The object lets in whoever may ask; the core judges what each may do.
        Ok(())
    }

    fn answer(_: &run::State) {}

    fn is_owed(effect: &Effect) -> bool {
        // The demo executor has no queue to take a command out of.
        !matches!(effect, Effect::Withdraw { executor, .. } if *executor == synthetic::demo_executor())
    }

    fn is_replay(_: &run::State, events: &[Event]) -> bool {
        events.iter().all(|event| matches!(event.fact, Fact::TokenReissued { .. }))
    }

    fn lifecycle(state: &run::State) -> &'static str {
        state.name()
    }
}

/// The object.
#[durable_object]
pub struct RunObject {
    inner: Rc<Inner>,
}

/// What outlives a message: a drive in the background and every stream hold on to it.
struct Inner {
    state: State,
    env: Env,
    shell: Shell<RunCore>,
    tickets: Tickets,
    watchers: Watchers,
}

impl DurableObject for RunObject {
    fn new(state: State, env: Env) -> Self {
        let (shell, tickets) = (Shell::new(&state), Tickets::new(state.storage().sql()));
        Self { inner: Rc::new(Inner { state, env, shell, tickets, watchers: Watchers::default() }) }
    }

    /// Opens a stream; everything else is a message.
    async fn fetch(&self, request: Request) -> worker::Result<Response> {
        self.inner.shell.look_after(&self.inner.state).await;
        self.inner.open(&request).map_err(|failure| {
            shell::log::failure(RunCore::KIND, self.inner.shell.name(), "failed", &failure);
            worker::Error::RustError("the object failed".to_owned())
        })
    }

    async fn alarm(&self) -> worker::Result<Response> {
        let id = fresh_correlation_id();
        self.inner.observed(|| self.inner.shell.wake(&id))?;
        self.inner.drain().await?;
        Response::empty()
    }

    async fn websocket_message(&self, socket: WebSocket, _: WebSocketIncomingMessage) -> worker::Result<()> {
        // Each message wakes the object, and says nothing: RFC 6455, section 7.4.1, a policy is violated.
        let _ =
            socket.close(Some(1008), Some("Watchers have nothing to say; talk to the routes of the run."));
        Ok(())
    }

    async fn websocket_close(
        &self,
        socket: WebSocket,
        _code: usize,
        _reason: String,
        _was_clean: bool,
    ) -> worker::Result<()> {
        let _ = socket.close(Some(1000), Some("Closed by the watcher."));
        Ok(())
    }

    async fn websocket_error(&self, _: WebSocket, _: worker::Error) -> worker::Result<()> {
        Ok(())
    }
}

#[wasm_bindgen]
impl RunObject {
    /// Takes one message.
    pub async fn receive(&self, subject: String, body: String) -> Result<String, JsValue> {
        let inner = &self.inner;
        inner.shell.look_after(&inner.state).await;
        let name = inner.shell.name();
        let outcome = match subject.as_str() {
            "ask" => answer(inner.ask(&body).await, RunCore::KIND, name),
            "tell" => answer(inner.hear(&body), RunCore::KIND, name),
            "wake" => answer(inner.wake(), RunCore::KIND, name),
            other => answer::<()>(Err(unknown_subject(other)), RunCore::KIND, name),
        };
        self.drive();
        outcome
    }
}

impl RunObject {
    /// Goes on in the background with what is owed.
    fn drive(&self) {
        let inner = Rc::clone(&self.inner);
        self.inner.state.wait_until(async move {
            if let Err(failure) = inner.drain().await {
                shell::log::failure(RunCore::KIND, inner.shell.name(), "drive_failed", &failure);
            }
        });
    }
}

impl Inner {
    async fn ask(&self, body: &str) -> Result<RunReply, Failure> {
        let RunCall { by, correlation_id, ask } = serde_json::from_str(body)?;
        if let RunAsk::Create(creation) = ask {
            // Known before it is there, so that the sweep finds one whose maker is cut off.
            objects::know(&self.env, self.shell.name()).await?;
            return self.told(Command::Create(creation), &correlation_id);
        }
        if let Err(refusal) = self.let_in(&by)? {
            return Ok(RunReply::Refused(Box::new(outbound::refused(&refusal))));
        }
        self.catch_up(&correlation_id)?;
        match ask {
            RunAsk::Create(_) => Err(Failure::Corrupt("a creation that was taken".to_owned())),
            RunAsk::Tell(command) => match self.misfit(&command)? {
                Some(problem) => Ok(RunReply::Refused(Box::new(problem))),
                None => self.told(*command, &correlation_id),
            },
            RunAsk::Pay(payment) => {
                if let Err(problem) = self.on_rails(|rails| transaction_on(rails, &payment.signature))? {
                    return Ok(RunReply::Refused(Box::new(problem)));
                }
                let claim = self.look_up(&payment).await?;
                self.told(Command::Pay { payment, claim }, &correlation_id)
            }
            RunAsk::Show { after, limit } => {
                let after = after.unwrap_or(self.shell.version()?.saturating_sub(u64::from(limit)));
                let events = self.events(after, limit)?;
                self.seen(|state| outbound::shown(state, &events))
            }
            RunAsk::Events { after, limit } => {
                let events = self.events(after, limit)?;
                self.seen(|state| outbound::page(state, &events))
            }
            RunAsk::Journal => Ok(RunReply::Journal(self.shell.journal().entries()?)),
            RunAsk::Ticket { ticket } => Ok(RunReply::Ticket { until: self.tickets.issue(&ticket)? }),
        }
    }

    /// Whether whoever asks may be answered at all: what is not theirs looks like what is not there.
    fn let_in(&self, by: &RunCaller) -> Result<Result<(), Refusal>, Failure> {
        self.shell.read(|state| match by {
            RunCaller::Token(token) => run::authorize(state, token),
            RunCaller::Executor(_) => run::authorize_executor(state),
            RunCaller::Account(account) => run::authorize_account(state, account),
            RunCaller::Anyone | RunCaller::Ticket(_) => Err(Refusal::Unknown),
        })
    }

    /// A port's or another object's answer.
    fn hear(&self, body: &str) -> Result<(), Failure> {
        let (command, correlation_id): (Command, CorrelationId) = serde_json::from_str(body)?;
        self.run(command, &correlation_id).map(|_| ())
    }

    fn told(&self, command: Command, id: &CorrelationId) -> Result<RunReply, Failure> {
        let step = self.run(command, id)?;
        let refused = step.events.iter().rev().find_map(refusal);
        match (step.reply, refused) {
            (Reply::Done { replayed, .. }, None) => {
                let answer = self.shell.read(outbound::snapshot)?;
                Ok(RunReply::Answered { answer, replayed })
            }
            (Reply::Done { .. }, Some(refusal)) | (Reply::Refused(refusal), _) => {
                Ok(RunReply::Refused(Box::new(outbound::refused(&refusal))))
            }
            (Reply::OperationReused, _) => Err(Failure::Corrupt("a run keeps no operations".to_owned())),
        }
    }

    /// Why a wallet is none of the run's network, if it is not.
    fn misfit(&self, command: &Command) -> Result<Option<Problem>, Failure> {
        let Command::Wallet(WalletReport { address: Some(address), .. }) = command else { return Ok(None) };
        let judged = self.on_rails(|rails| match rails {
            Rails::Simulated { .. } => Ok(()),
            Rails::Chain { network } => wallet_on(network, address),
        })?;
        Ok(judged.err())
    }

    /// What a rule says of the run's rails.
    fn on_rails(
        &self,
        judge: impl FnOnce(&Rails) -> Result<(), Problem>,
    ) -> Result<Result<(), Problem>, Failure> {
        self.shell.read(|state| state.run().map_or(Ok(()), |run| judge(run.rails())))
    }

    fn seen(&self, show: impl FnOnce(&run::State) -> String) -> Result<RunReply, Failure> {
        Ok(RunReply::Answered { answer: self.shell.read(show)?, replayed: false })
    }

    fn events(&self, after: u64, limit: u32) -> Result<Vec<(u64, Event)>, Failure> {
        let rows = self.shell.journal().entries_after(after, u64::from(limit))?;
        rows.into_iter().map(|row| Ok((row.seq, watch::recorded(&row.body)?))).collect()
    }

    /// Records what time has done before anyone looks, should the alarm be late.
    fn catch_up(&self, id: &CorrelationId) -> Result<(), Failure> {
        if self.shell.read(run::deadline)?.is_some_and(|due| due <= now()) {
            self.run(Command::Wake, id)?;
        }
        Ok(())
    }

    /// Whether the run still needs somebody to look after it.
    fn wake(&self) -> Result<bool, Failure> {
        self.run(Command::Wake, &fresh_correlation_id())?;
        Ok(!self.is_over() || self.shell.owes()?)
    }

    fn run(&self, command: Command, correlation_id: &CorrelationId) -> Result<Step<RunCore>, Failure> {
        let call = Call { command, correlation_id: correlation_id.clone(), operation: None };
        self.observed(|| self.shell.run(call))
    }

    /// Takes a step, and shows whoever watches what happened in it.
    fn observed(
        &self,
        step: impl FnOnce() -> Result<Step<RunCore>, Failure>,
    ) -> Result<Step<RunCore>, Failure> {
        let sockets = self.state.get_websockets();
        let is_watched = !sockets.is_empty() || self.watchers.are_any();
        let before =
            if is_watched { Some((self.shell.read(Clone::clone)?, self.shell.version()?)) } else { None };
        let step = step()?;
        if step.events.is_empty() {
            return Ok(step);
        }
        let Some((mut state, mut seq)) = before else {
            self.watchers.skip();
            return Ok(step);
        };
        let mut frames: Vec<Frame> = Vec::with_capacity(step.events.len());
        for event in &step.events {
            seq = seq.saturating_add(1);
            state = watch::apply(state, event)?;
            frames.push((seq, Rc::from(outbound::frame(seq, event, &state))));
        }
        for socket in &sockets {
            frames.iter().for_each(|(_, data)| stream::send(socket, data));
        }
        self.watchers.tell(&frames);
        if self.is_over() {
            sockets.iter().for_each(stream::close);
        }
        Ok(step)
    }

    fn is_over(&self) -> bool {
        self.shell.read(run::State::is_over).unwrap_or(false)
    }

    /// Opens a stream. What the caller shows comes in a header because an upgrade has no body: digests only.
    fn open(self: &Rc<Self>, request: &Request) -> Result<Response, Failure> {
        let header = |name: &str| request.headers().get(name).ok().flatten();
        let by: RunCaller = serde_json::from_str(&header("x-guildhall-caller").unwrap_or_default())?;
        let judged = match &by {
            RunCaller::Ticket(ticket) => (!self.tickets.spend(ticket)?).then(outbound::ticket_used),
            RunCaller::Anyone | RunCaller::Token(_) | RunCaller::Executor(_) | RunCaller::Account(_) => {
                self.let_in(&by)?.err().map(|refusal| outbound::refused(&refusal))
            }
        };
        if let Some(problem) = judged {
            return Ok(Response::ok(serde_json::to_string(&problem)?)?.with_status(400));
        }
        self.catch_up(&fresh_correlation_id())?;
        let head = self.shell.version()?;
        let from = match header("x-guildhall-after").as_deref().map(str::parse) {
            None => From::After(0),
            Some(Ok(seq)) if seq <= head => From::After(seq),
            Some(_) => From::Reset,
        };
        if header("upgrade").is_some() {
            return stream::socket(self, &from, header("x-guildhall-protocol").as_deref());
        }
        match from {
            // Whoever has all of a run that is over need not ask again.
            From::After(seq) if seq == head && self.is_over() => Ok(Response::empty()?.with_status(204)),
            From::After(_) | From::Reset => stream::open(self, &from),
        }
    }

    async fn drain(&self) -> Result<(), Failure> {
        self.shell.drain(|effect: Effect, id| async move { self.perform(effect, id).await }).await
    }
}

/// The no to the caller that an event records. A yes that was kept and does not fit is dropped by the run itself.
fn refusal(event: &Event) -> Option<Refusal> {
    let Fact::SignalRefused { signal, refusal } = &event.fact else { return None };
    (signal != "held_confirm").then(|| refusal.clone())
}
