//! The relay between a gig's two parties: verbatim, in order, bounded.
//!
//! Nothing here is stored. The object may sleep between messages; what it knew of sockets and budgets is rebuilt from
//! the sockets themselves when it wakes.

use core::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use api::limits;
use api::settings::TunnelRates;
use gig::Role;
use primitives::{CorrelationId, UnixMillis};
use shell::{Failure, now};
use worker::{Env, Response, ResponseBuilder, State, WebSocket, WebSocketIncomingMessage, WebSocketPair};

use crate::config::config;

/// A newer grant took the seat.
const TAKEN_OVER: u16 = 4001;
/// The grant ended: with its gig, or with its time.
const GRANT_ENDED: u16 = 4003;
/// Messages could not be kept for the other party any longer.
const PEER_ABSENT: u16 = 4008;
/// The budget is spent.
const TOO_MANY: u16 = 4029;
/// RFC 6455, section 7.4.1: a message too big to process.
const TOO_BIG: u16 = 1009;
/// Seconds of full rate that a socket may use at once.
const BURST_SECONDS: u64 = 5;

const fn tag(role: Role) -> &'static str {
    match role {
        Role::Buyer => "buyer",
        Role::Worker => "worker",
    }
}

const fn other(role: Role) -> Role {
    match role {
        Role::Buyer => Role::Worker,
        Role::Worker => Role::Buyer,
    }
}

/// What a socket may still send. It fills up within seconds, so an object that slept has lost nothing worth keeping.
#[derive(Clone, Copy)]
struct Budget {
    messages: u64,
    bytes: u64,
    at: UnixMillis,
}

/// One party's side.
struct Side {
    socket: RefCell<Option<WebSocket>>,
    budget: Cell<Option<Budget>>,
    /// Messages for this party that came before it did.
    held: RefCell<VecDeque<WebSocketIncomingMessage>>,
    held_bytes: Cell<usize>,
    held_since: Cell<Option<UnixMillis>>,
}

impl Side {
    const fn new() -> Self {
        Self {
            socket: RefCell::new(None),
            budget: Cell::new(None),
            held: RefCell::new(VecDeque::new()),
            held_bytes: Cell::new(0),
            held_since: Cell::new(None),
        }
    }

    fn drop_held(&self) -> usize {
        self.held_bytes.set(0);
        self.held_since.set(None);
        self.held.take().len()
    }
}

/// The tunnel of one gig.
pub struct Tunnel {
    buyer: Rc<Side>,
    worker: Rc<Side>,
    rates: TunnelRates,
    expires_at: Cell<UnixMillis>,
}

impl Tunnel {
    /// A tunnel without sockets.
    pub fn new(env: &Env) -> Self {
        // The route opens no tunnel while the set-up is wrong, so the least there can be is never felt.
        let least = TunnelRates { messages: 1, bytes: 1 };
        let rates = config(env).map_or(least, |settings| settings.tunnel);
        Self {
            buyer: Rc::new(Side::new()),
            worker: Rc::new(Side::new()),
            rates,
            expires_at: Cell::new(UnixMillis(u64::MAX)),
        }
    }

    const fn side(&self, role: Role) -> &Rc<Side> {
        match role {
            Role::Buyer => &self.buyer,
            Role::Worker => &self.worker,
        }
    }

    /// Opens a party's socket; an older one of the same party is closed, and what was kept for it is sent.
    pub fn open(
        &self,
        state: &State,
        role: Role,
        expires_at: Option<UnixMillis>,
        protocol: Option<&str>,
        correlation_id: &CorrelationId,
    ) -> Result<Response, Failure> {
        for older in state.get_websockets_with_tag(tag(role)) {
            close(&older, TAKEN_OVER, "A newer grant of the same party took this seat.");
        }
        let WebSocketPair { client, server } = WebSocketPair::new()?;
        state.accept_websocket_with_tags(&server, &[tag(role)]);
        // What an object that wakes from sleep needs to know of this socket.
        server.serialize_attachment(expires_at.map_or(0, |at| at.0))?;
        let side = self.side(role);
        for message in side.held.take() {
            send(&server, &message);
        }
        side.drop_held();
        side.budget.set(None);
        side.socket.replace(Some(server));
        if let Some(expires_at) = expires_at {
            self.expires_at.set(expires_at);
        }
        let mut response = ResponseBuilder::new()
            .with_status(101)
            .with_header("x-correlation-id", correlation_id.as_str())?;
        if let Some(protocol) = protocol {
            response = response.with_header("sec-websocket-protocol", protocol)?;
        }
        Ok(response.with_websocket(client).empty())
    }

    /// Passes one message on. Nothing is awaited: a later message must not overtake.
    pub fn relay(&self, state: &State, socket: &WebSocket, message: WebSocketIncomingMessage) {
        let Some(role) = self.role_of(state, socket) else {
            return close(socket, GRANT_ENDED, "This socket belongs to no party of the gig.");
        };
        let length = length(&message);
        if length > limits::TUNNEL_MESSAGE_BYTES {
            return close(socket, TOO_BIG, "A message may have at most 65536 bytes; send it in parts.");
        }
        let now = now();
        if now >= self.expires_at.get() {
            return close(socket, GRANT_ENDED, "The gig's time is up.");
        }
        if !self.spend(role, length, now) {
            return close(socket, TOO_MANY, "Messages come too fast; reconnect and send more slowly.");
        }
        let peer = self.side(other(role));
        let sent = peer.socket.borrow().as_ref().is_some_and(|socket| send(socket, &message));
        if sent {
            return;
        }
        self.rebuild(state);
        let sent = peer.socket.borrow().as_ref().is_some_and(|socket| send(socket, &message));
        if !sent {
            self.hold(state, socket, role, message, length, now);
        }
    }

    /// Keeps a message for a party that is on its way.
    fn hold(
        &self,
        state: &State,
        sender: &WebSocket,
        role: Role,
        message: WebSocketIncomingMessage,
        length: usize,
        now: UnixMillis,
    ) {
        let side = self.side(other(role));
        let bytes = side.held_bytes.get().saturating_add(length);
        if bytes > limits::HELD_BYTES || side.held.borrow().len() >= limits::HELD_MESSAGES {
            let lost = side.drop_held().saturating_add(1);
            return close(sender, PEER_ABSENT, &peer_absent(lost));
        }
        side.held.borrow_mut().push_back(message);
        side.held_bytes.set(bytes);
        if side.held_since.get().is_none() {
            side.held_since.set(Some(now));
            state.wait_until(give_up(Rc::clone(side), sender.clone(), now));
        }
    }

    /// Whose socket this is.
    fn role_of(&self, state: &State, socket: &WebSocket) -> Option<Role> {
        let known = |side: &Side| side.socket.borrow().as_ref().is_some_and(|known| same(known, socket));
        if known(&self.buyer) {
            return Some(Role::Buyer);
        }
        if known(&self.worker) {
            return Some(Role::Worker);
        }
        self.rebuild(state);
        if let Ok(Some(expires_at)) = socket.deserialize_attachment::<u64>() {
            self.expires_at.set(UnixMillis(expires_at));
        }
        [Role::Buyer, Role::Worker]
            .into_iter()
            .find(|role| self.side(*role).socket.borrow().as_ref().is_some_and(|known| same(known, socket)))
    }

    /// Finds the open sockets again.
    fn rebuild(&self, state: &State) {
        for role in [Role::Buyer, Role::Worker] {
            let open = |socket: &WebSocket| socket.as_ref().ready_state() == 1;
            let found = state.get_websockets_with_tag(tag(role)).into_iter().find(open);
            self.side(role).socket.replace(found);
        }
    }

    /// Takes a message out of the sender's budget, if it still fits.
    fn spend(&self, role: Role, length: usize, now: UnixMillis) -> bool {
        let full = Budget {
            messages: self.rates.messages.saturating_mul(BURST_SECONDS),
            bytes: self.rates.bytes.saturating_mul(BURST_SECONDS),
            at: now,
        };
        let cell = &self.side(role).budget;
        let mut budget = cell.get().unwrap_or(full);
        let elapsed = now.since(budget.at).0;
        if elapsed > 0 {
            let refill = |rate: u64| rate.saturating_mul(elapsed) / 1_000;
            budget.messages = budget.messages.saturating_add(refill(self.rates.messages)).min(full.messages);
            budget.bytes = budget.bytes.saturating_add(refill(self.rates.bytes)).min(full.bytes);
            budget.at = now;
        }
        let length = u64::try_from(length).unwrap_or(u64::MAX);
        match (budget.messages.checked_sub(1), budget.bytes.checked_sub(length)) {
            (Some(messages), Some(bytes)) => {
                cell.set(Some(Budget { messages, bytes, at: budget.at }));
                true
            }
            _ => false,
        }
    }

    /// Closes every socket because the gig is over.
    pub fn close_all(&self, state: &State, reason: &str) {
        for socket in state.get_websockets() {
            close(&socket, GRANT_ENDED, reason);
        }
        self.forget();
    }

    /// A party's socket has closed; the close is answered, since the runtime leaves that to us.
    pub fn closed(&self, socket: &WebSocket, code: usize, reason: &str) {
        self.forget();
        let code = match u16::try_from(code) {
            // 1005 and 1006 are never sent: they say that no code came.
            Ok(1005) | Err(_) => 1000,
            Ok(1006) => 1011,
            Ok(code) => code,
        };
        close(socket, code, reason);
    }

    /// Forgets the sockets; they are found again with the next message.
    pub fn forget(&self) {
        self.buyer.socket.replace(None);
        self.worker.socket.replace(None);
    }
}

/// Waits for the other party. The pending timer keeps the object awake, and with it what it keeps in memory.
async fn give_up(side: Rc<Side>, sender: WebSocket, since: UnixMillis) {
    worker::Delay::from(core::time::Duration::from_secs(limits::HELD_SECONDS)).await;
    if side.held_since.get() == Some(since) {
        let lost = side.drop_held();
        close(&sender, PEER_ABSENT, &peer_absent(lost));
    }
}

fn peer_absent(lost: usize) -> String {
    format!("The other party is not here; {lost} messages were not delivered. Reconnect and send them again.")
}

fn same(known: &WebSocket, socket: &WebSocket) -> bool {
    let (known, socket): (&wasm_bindgen::JsValue, &wasm_bindgen::JsValue) =
        (known.as_ref().as_ref(), socket.as_ref().as_ref());
    known == socket
}

const fn length(message: &WebSocketIncomingMessage) -> usize {
    match message {
        WebSocketIncomingMessage::String(text) => text.len(),
        WebSocketIncomingMessage::Binary(bytes) => bytes.len(),
    }
}

fn send(socket: &WebSocket, message: &WebSocketIncomingMessage) -> bool {
    match message {
        WebSocketIncomingMessage::String(text) => socket.send_with_str(text).is_ok(),
        WebSocketIncomingMessage::Binary(bytes) => socket.send_with_bytes(bytes).is_ok(),
    }
}

/// Closes a socket, which may be closing already. A reason has at most 123 bytes (RFC 6455, section 5.5).
fn close(socket: &WebSocket, code: u16, reason: &str) {
    let mut end = reason.len().min(123);
    while !reason.is_char_boundary(end) {
        end = end.saturating_sub(1);
    }
    let _ = socket.close(Some(code), reason.get(..end));
}
