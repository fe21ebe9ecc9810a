//! A gig: its core in the shell, its tunnel, and its row on the board.

use api::binding::{GigReply, GigView, JournalReply};
use gig::{Command, Event, Fact, Refusal, Role};
use primitives::{AgentIdentity, Call, CorrelationId, Digest};
use shell::{Core, Failure, Shell, Step, answer, core_of, fresh_correlation_id, unknown_subject};
use wasm_bindgen::prelude::*;

use super::tunnel::Tunnel;
use crate::config;
use crate::ports::{board, objects};

use worker::{
    DurableObject, Env, Request, Response, State, WebSocket, WebSocketIncomingMessage, durable_object,
};

struct GigCore;

impl Core for GigCore {
    core_of!(gig);

    const KIND: &'static str = "gig";
    type Answer = GigView;

    fn authorize(state: &gig::State, command: &Command) -> Result<(), Refusal> {
        let (role, by, grant) = match command {
            Command::Deliver { by, grant, .. } | Command::Abandon { by, grant, .. } => {
                (Role::Worker, by, grant)
            }
            Command::Accept { by, grant, .. }
            | Command::Revise { by, grant, .. }
            | Command::Cancel { by, grant, .. } => (Role::Buyer, by, grant),
            // These have no recorded answer; `decide` judges who asks.
            Command::Reserve { .. }
            | Command::Release { .. }
            | Command::Fund { .. }
            | Command::Claim { .. }
            | Command::IssueTicket { .. }
            | Command::Join { .. }
            | Command::Reconnect { .. }
            | Command::Wake => return Ok(()),
        };
        gig::authorize(state, role, by, grant).map(|_| ())
    }

    fn answer(state: &gig::State) -> GigView {
        api::outbound::view(state).unwrap_or_else(api::outbound::reserved)
    }

    fn is_replay(state: &gig::State, events: &[Event]) -> bool {
        let reissued = |event: &Event| matches!(event.fact, Fact::GrantReissued { .. });
        state.gig().is_some() && events.iter().all(reissued)
    }

    fn lifecycle(state: &gig::State) -> &'static str {
        state.lifecycle().map_or("UNPOSTED", gig::Lifecycle::name)
    }
}

/// The object.
#[durable_object]
pub struct GigObject {
    state: State,
    env: Env,
    shell: Shell<GigCore>,
    tunnel: Tunnel,
}

impl DurableObject for GigObject {
    fn new(state: State, env: Env) -> Self {
        let (shell, tunnel) = (Shell::new(&state), Tunnel::new(&env));
        Self { state, env, shell, tunnel }
    }

    /// Opens a tunnel; everything else is a message.
    async fn fetch(&self, request: Request) -> worker::Result<Response> {
        self.shell.look_after(&self.state).await;
        self.join(request).await.map_err(|failure| {
            shell::log::failure(GigCore::KIND, self.shell.name(), "failed", &failure);
            worker::Error::RustError("the object failed".to_owned())
        })
    }

    async fn alarm(&self) -> worker::Result<Response> {
        let step = self.shell.wake(&fresh_correlation_id())?;
        self.settle_up(&step);
        self.tell_board().await?;
        self.drain().await?;
        Response::empty()
    }

    async fn websocket_message(
        &self,
        socket: WebSocket,
        message: WebSocketIncomingMessage,
    ) -> worker::Result<()> {
        self.tunnel.relay(&self.state, &socket, message);
        Ok(())
    }

    async fn websocket_close(
        &self,
        socket: WebSocket,
        code: usize,
        reason: String,
        _was_clean: bool,
    ) -> worker::Result<()> {
        self.tunnel.closed(&socket, code, &reason);
        Ok(())
    }

    async fn websocket_error(&self, _socket: WebSocket, _error: worker::Error) -> worker::Result<()> {
        self.tunnel.forget();
        Ok(())
    }
}

#[wasm_bindgen]
impl GigObject {
    /// Takes one message.
    pub async fn receive(&self, subject: String, body: String) -> Result<String, JsValue> {
        self.shell.look_after(&self.state).await;
        let name = self.shell.name();
        match subject.as_str() {
            "command" => answer(self.command(&body).await, GigCore::KIND, name),
            "view" => answer(self.shell.read(api::outbound::view), GigCore::KIND, name),
            "journal" => answer(self.journal(&body), GigCore::KIND, name),
            "project" => answer(self.project_again().await, GigCore::KIND, name),
            "panic" if config::hooks_enabled(&self.env) => panic_on_request(),
            other => answer::<()>(Err(unknown_subject(other)), GigCore::KIND, name),
        }
    }
}

impl GigObject {
    async fn command(&self, body: &str) -> Result<GigReply, Failure> {
        let call: Call<Command> = serde_json::from_str(body)?;
        let step = self.shell.run(call)?;
        self.settle_up(&step);
        self.tell_board().await?;
        Ok(step.reply)
    }

    /// Closes the sockets of a gig that a step has ended.
    fn settle_up(&self, step: &Step<GigCore>) {
        if step.events.is_empty() {
            return;
        }
        if let Ok(Some(reason)) = self.shell.read(|state| state.is_over().then(|| end_reason(state))) {
            self.tunnel.close_all(&self.state, &reason);
        }
    }

    /// The first attempt to show a change on the board; the alarm makes the others.
    async fn tell_board(&self) -> Result<(), Failure> {
        if let Some((state, seq)) = self.shell.unprojected()? {
            let outcome = self.show(&state, seq).await;
            self.shell.projected(seq, &outcome)?;
        }
        Ok(())
    }

    async fn show(&self, state: &gig::State, seq: u64) -> Result<(), Failure> {
        match (state.gig(), board::row(state, seq)?) {
            (Some(gig), Some(row)) => objects::show(&self.env, &gig.terms.gig_id, &row).await,
            _ => Ok(()),
        }
    }

    async fn project_again(&self) -> Result<(), Failure> {
        let step = self.shell.run(Call {
            command: Command::Wake,
            correlation_id: fresh_correlation_id(),
            operation: None,
        })?;
        self.settle_up(&step);
        self.shell.unproject()?;
        self.tell_board().await
    }

    async fn drain(&self) -> Result<(), Failure> {
        self.shell.drain(|effect, _| async move { match effect {} }).await
    }

    fn journal(&self, body: &str) -> Result<JournalReply, Failure> {
        let (by, grant): (AgentIdentity, Digest) = serde_json::from_str(body)?;
        let judged = self.shell.read(|state| {
            let as_worker = gig::authorize(state, Role::Worker, &by, &grant).map(|_| ());
            as_worker.or_else(|_| gig::authorize(state, Role::Buyer, &by, &grant).map(|_| ()))
        })?;
        match judged {
            Ok(()) => Ok(Ok(self.shell.journal().entries()?)),
            Err(refusal) => Ok(Err(refusal)),
        }
    }

    /// Opens a socket. The call is in a header because the upgrade has no body; it holds digests only.
    async fn join(&self, request: Request) -> Result<Response, Failure> {
        let call = request.headers().get("x-guildhall-call")?.unwrap_or_default();
        let call: Call<Command> = serde_json::from_str(&call)?;
        let correlation_id: CorrelationId = call.correlation_id.clone();
        let protocol = request.headers().get("x-guildhall-protocol")?;
        let step = self.shell.run(call)?;
        let joined = step
            .events
            .iter()
            .find_map(|event| if let Fact::Joined { role } = event.fact { Some(role) } else { None });
        let Some(role) = joined else {
            return Ok(Response::ok(serde_json::to_string(&step.reply)?)?);
        };
        let expires_at = self.shell.read(|state| state.gig().map(|gig| gig.expires_at))?;
        let response =
            self.tunnel.open(&self.state, role, expires_at, protocol.as_deref(), &correlation_id)?;
        self.tell_board().await?;
        Ok(response)
    }
}

/// What the parties' sockets are told when the gig ends.
fn end_reason(state: &gig::State) -> String {
    let lifecycle = state.lifecycle().map_or("UNPOSTED", gig::Lifecycle::name);
    format!("The gig is {lifecycle}; read its status.")
}

#[expect(
    clippy::panic,
    reason = "a test wants to see what a panic does; only reachable in development with hooks on"
)]
fn panic_on_request() -> Result<String, JsValue> {
    panic!("a panic that a test asked for")
}
