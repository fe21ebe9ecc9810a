//! A browser executor: its queue in the shell, and those who wait at it: polls and sockets.

use core::cell::RefCell;

use api::binding::executor::{ExecutorAsk, ExecutorReply, ExecutorView};
use api::outbound::run as outbound;
use executor::{Command, Effect, Occasion, Order, Refusal};
use futures_channel::oneshot;
use primitives::{Call, CorrelationId, Digest, ExecutorId, Millis, Reply, RunId};
use shell::{
    Core, Failure, Shell, Step, answer, core_of, fresh_correlation_id, now, unknown_subject, within,
};
use wasm_bindgen::prelude::*;
use worker::{
    DurableObject, Env, Request, Response, State, WebSocket, WebSocketIncomingMessage, durable_object,
};

mod socket;

use super::tickets::Tickets;
use crate::ports::runs;

struct ExecutorCore;

impl Core for ExecutorCore {
    core_of!(executor);

    const KIND: &'static str = "executor";
    type Answer = ();

    fn authorize(_: &executor::State, _: &Command) -> Result<(), Refusal> {
        // Whoever shows the secret is let in by the object; the rest comes from runs.
        Ok(())
    }

    fn answer(_: &executor::State) {}

    fn lifecycle(state: &executor::State) -> &'static str {
        state.lifecycle().name()
    }
}

/// The object.
#[durable_object]
pub struct ExecutorObject {
    state: State,
    env: Env,
    shell: Shell<ExecutorCore>,
    tickets: Tickets,
    /// Polls that wait for something to do.
    waiting: RefCell<Vec<oneshot::Sender<()>>>,
}

impl DurableObject for ExecutorObject {
    fn new(state: State, env: Env) -> Self {
        let (shell, tickets) = (Shell::new(&state), Tickets::new(state.storage().sql()));
        socket::answer_pings(&state);
        Self { state, env, shell, tickets, waiting: RefCell::default() }
    }

    /// Opens a socket; everything else is a message.
    async fn fetch(&self, request: Request) -> worker::Result<Response> {
        self.shell.look_after(&self.state).await;
        self.open(&request).map_err(|failure| {
            shell::log::failure(ExecutorCore::KIND, self.shell.name(), "failed", &failure);
            worker::Error::RustError("the object failed".to_owned())
        })
    }

    async fn alarm(&self) -> worker::Result<Response> {
        let id = fresh_correlation_id();
        self.hear_pings(&id)?;
        self.shell.wake(&id)?;
        self.drain().await?;
        Response::empty()
    }

    async fn websocket_message(&self, _: WebSocket, _: WebSocketIncomingMessage) -> worker::Result<()> {
        // Whatever it says, it is there.
        self.run(Command::Seen, &fresh_correlation_id())?;
        Ok(())
    }

    async fn websocket_close(
        &self,
        socket: WebSocket,
        _code: usize,
        _reason: String,
        _was_clean: bool,
    ) -> worker::Result<()> {
        let _ = socket.close(Some(1000), Some("Closed by the executor."));
        Ok(())
    }

    async fn websocket_error(&self, _: WebSocket, _: worker::Error) -> worker::Result<()> {
        Ok(())
    }
}

#[wasm_bindgen]
impl ExecutorObject {
    /// Takes one message.
    pub async fn receive(&self, subject: String, body: String) -> Result<String, JsValue> {
        self.shell.look_after(&self.state).await;
        let name = self.shell.name();
        match subject.as_str() {
            "ask" => answer(self.ask(&body).await, ExecutorCore::KIND, name),
            other => answer::<()>(Err(unknown_subject(other)), ExecutorCore::KIND, name),
        }
    }
}

impl ExecutorObject {
    async fn ask(&self, body: &str) -> Result<ExecutorReply, Failure> {
        let (ask, id): (ExecutorAsk, CorrelationId) = serde_json::from_str(body)?;
        // Should the alarm be late, time takes effect now.
        if self.shell.read(executor::deadline)?.is_some_and(|due| due <= now()) {
            self.run(Command::Wake, &id)?;
            self.drain().await?;
        }
        Ok(match ask {
            ExecutorAsk::Knows => Ok(ExecutorView::Known(self.shell.read(|state| state.queue().is_some())?)),
            ExecutorAsk::Register { secret, label } => self.done(Command::Register { secret, label }, &id)?,
            ExecutorAsk::Order(order) => {
                let done = self.done(Command::Enqueue { order }, &id)?;
                self.drain().await?;
                done
            }
            ExecutorAsk::Settle { command_id, until } => {
                self.done(Command::Settle { command_id, until }, &id)?
            }
            ExecutorAsk::Withdraw { command_id, until } => {
                self.done(Command::Withdraw { command_id, until }, &id)?
            }
            ExecutorAsk::Renew { command_id, progress } => {
                self.done(Command::Renew { command_id, progress }, &id)?
            }
            ExecutorAsk::Poll { token, limit, occasion, wait } => match self.let_in(&token)? {
                Ok(()) => self.poll(limit, occasion, wait, &id).await?,
                Err(refusal) => Err(refusal),
            },
            ExecutorAsk::Show { token } => match self.let_in(&token)? {
                Ok(()) => Ok(self.shown(&id)?),
                Err(refusal) => Err(refusal),
            },
            ExecutorAsk::Ticket { token, ticket } => match self.let_in(&token)? {
                Ok(()) => Ok(ExecutorView::Ticket { until: self.tickets.issue(&ticket)? }),
                Err(refusal) => Err(refusal),
            },
        })
    }

    fn let_in(&self, token: &Digest) -> Result<Result<(), Refusal>, Failure> {
        self.shell.read(|state| executor::authorize(state, token))
    }

    fn run(&self, command: Command, id: &CorrelationId) -> Result<Step<ExecutorCore>, Failure> {
        self.shell.run(Call { command, correlation_id: id.clone(), operation: None })
    }

    fn done(&self, command: Command, id: &CorrelationId) -> Result<ExecutorReply, Failure> {
        match self.run(command, id)?.reply {
            Reply::Done { .. } => Ok(Ok(ExecutorView::Done)),
            Reply::Refused(refusal) => Ok(Err(refusal)),
            Reply::OperationReused => Err(Failure::Corrupt("a queue keeps no operations".to_owned())),
        }
    }

    /// What is to be done, as soon as there is something or the wait is over.
    async fn poll(
        &self,
        limit: usize,
        occasion: Occasion,
        wait: Millis,
        id: &CorrelationId,
    ) -> Result<ExecutorReply, Failure> {
        let end = now().plus(wait);
        loop {
            let orders = match self.lease(limit, occasion, id)? {
                Ok(orders) => orders,
                Err(refusal) => return Ok(Err(refusal)),
            };
            let left = end.since(now());
            if !orders.is_empty() || left.0 == 0 {
                let given: Vec<&Order> = orders.iter().collect();
                return Ok(Ok(ExecutorView::Answered(serde_json::to_string(&outbound::commands(&given)?)?)));
            }
            let (sender, signal) = oneshot::channel();
            self.waiting.borrow_mut().retain(|waiting| !waiting.is_canceled());
            self.waiting.borrow_mut().push(sender);
            let _ = within(left.0, signal).await;
        }
    }

    fn lease(
        &self,
        limit: usize,
        occasion: Occasion,
        id: &CorrelationId,
    ) -> Result<Result<Vec<Order>, Refusal>, Failure> {
        let step = self.run(Command::Lease { limit, occasion }, id)?;
        if let Reply::Refused(refusal) = step.reply {
            return Ok(Err(refusal));
        }
        self.shell.read(|state| Ok(executor::given(state, &step.events).into_iter().cloned().collect()))
    }

    fn shown(&self, id: &CorrelationId) -> Result<ExecutorView, Failure> {
        self.hear_pings(id)?;
        let name = self.id()?;
        let shown = self.shell.read(|state| outbound::executor(&name, state, now()))?;
        Ok(ExecutorView::Answered(serde_json::to_string(&shown)?))
    }

    /// Records that a socket has pinged, which was answered without waking anybody.
    fn hear_pings(&self, id: &CorrelationId) -> Result<(), Failure> {
        if socket::heard_at(&self.state).is_some_and(|at| at.plus(executor::limits::HEARD_LATELY) > now()) {
            self.run(Command::Seen, id)?;
        }
        Ok(())
    }

    fn id(&self) -> Result<ExecutorId, Failure> {
        self.shell.name().parse().map_err(|_| Failure::Corrupt("the executor's name".to_owned()))
    }

    /// Whoever polls is woken first; of what is left, each open socket is sent all.
    fn give_out(&self, id: &CorrelationId) -> Result<(), Failure> {
        if let Some(poll) = self.next_poll() {
            let _ = poll.send(());
            return Ok(());
        }
        let sockets = self.state.get_websockets();
        if sockets.is_empty() {
            return Ok(());
        }
        if let Ok(orders) = self.lease(socket::AT_ONCE, Occasion::Push, id)? {
            for order in orders {
                socket::push(&sockets, order.body.as_str());
            }
        }
        Ok(())
    }

    fn next_poll(&self) -> Option<oneshot::Sender<()>> {
        let mut waiting = self.waiting.borrow_mut();
        waiting.retain(|poll| !poll.is_canceled());
        waiting.pop()
    }

    async fn drain(&self) -> Result<(), Failure> {
        let executor = &self.id()?;
        self.shell
            .drain(|effect, id| async move {
                match effect {
                    Effect::Push { .. } => self.give_out(&id),
                    Effect::Lost { run, command_id } => {
                        self.tell_lost(&run, executor, &command_id, &id).await
                    }
                    // A run that still waits has an end of its own.
                    Effect::Expired { .. } => Ok(()),
                }
            })
            .await
    }

    async fn tell_lost(
        &self,
        run: &RunId,
        executor: &ExecutorId,
        command_id: &executor::CommandId,
        id: &CorrelationId,
    ) -> Result<(), Failure> {
        let command = run::Command::ExecutorLost {
            executor: executor.clone(),
            command_id: runs::command_of(command_id),
        };
        runs::tell(&self.env, run, command, id).await
    }

    /// Opens a socket. What the caller shows comes in headers because the upgrade has no body: digests only.
    fn open(&self, request: &Request) -> Result<Response, Failure> {
        let header = |name: &str| request.headers().get(name).ok().flatten();
        let digest = |name: &str| header(name).and_then(|text| serde_json::from_str::<Digest>(&text).ok());
        let is_let_in = match (digest("x-guildhall-token"), digest("x-guildhall-ticket")) {
            (Some(token), _) => self.let_in(&token)?.is_ok(),
            (None, Some(ticket)) => self.tickets.spend(&ticket)?,
            (None, None) => false,
        };
        if !is_let_in {
            return Ok(Response::empty()?.with_status(401));
        }
        let response = socket::accept(&self.state, header("x-guildhall-protocol").as_deref())?;
        let id = fresh_correlation_id();
        self.run(Command::Seen, &id)?;
        self.give_out(&id)?;
        Ok(response)
    }
}
