//! Sockets of an executor: commands are pushed to it, and a ping is answered without waking the object.

use api::binding::executor::{PING, PONG};
use primitives::UnixMillis;
use shell::Failure;
use wasm_bindgen::prelude::*;
use worker::worker_sys::WebSocketRequestResponsePair;
use worker::{Response, ResponseBuilder, State, WebSocket, WebSocketPair};

/// Orders that are given to a socket at once; what is more comes when these are settled or let go.
pub(super) const AT_ONCE: usize = 16;

#[wasm_bindgen]
extern "C" {
    /// The part of an object's state that the `worker` crate does not bind.
    type RawState;
    #[wasm_bindgen(method, catch, js_name = getWebSocketAutoResponseTimestamp)]
    fn auto_response_at(this: &RawState, socket: &JsValue) -> Result<Option<js_sys::Date>, JsValue>;
}

/// Has the runtime answer pings by itself.
pub(super) fn answer_pings(state: &State) {
    if let Ok(pair) = WebSocketRequestResponsePair::new(PING, PONG) {
        // Without it a ping would wake the object, and count all the same.
        state.set_websocket_auto_response(&pair);
    }
}

/// When some socket was last heard to ping, if one ever was.
pub(super) fn heard_at(state: &State) -> Option<UnixMillis> {
    let raw: &JsValue = state.as_raw().as_ref();
    let raw: &RawState = raw.unchecked_ref();
    let at = |socket: WebSocket| raw.auto_response_at(socket.as_ref()).ok().flatten();
    let millis = |at: js_sys::Date| UnixMillis(worker::Date::from(at).as_millis());
    state.get_websockets().into_iter().filter_map(at).map(millis).max()
}

/// Opens a socket that sleeps with its object.
pub(super) fn accept(state: &State, protocol: Option<&str>) -> Result<Response, Failure> {
    let WebSocketPair { client, server } = WebSocketPair::new()?;
    state.accept_web_socket(&server);
    let mut response = ResponseBuilder::new().with_status(101);
    if let Some(protocol) = protocol {
        response = response.with_header("sec-websocket-protocol", protocol)?;
    }
    Ok(response.with_websocket(client).empty())
}

/// Sends a command to every socket. Which of them is there shows by who answers.
pub(super) fn push(sockets: &[WebSocket], command: &str) {
    for socket in sockets {
        let _ = socket.send_with_str(format!("{{\"type\":\"command\",\"command\":{command}}}"));
    }
}
