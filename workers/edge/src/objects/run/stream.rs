//! A run's events as they happen: server-sent events (WHATWG HTML, section 9.2), or frames of a WebSocket.

use std::rc::Rc;

use api::limits::{STREAM_BEAT, STREAM_LIFE};
use futures_channel::mpsc;
use futures_util::future::{Either, select};
use futures_util::stream::{StreamExt as _, unfold};
use primitives::UnixMillis;
use shell::{Failure, now};
use worker::{Response, ResponseBuilder, WebSocket, WebSocketPair};

use super::Inner;
use super::watch::Reader;

/// Events that a socket is sent when it connects. Whoever has missed more is shown where the run stands instead.
const CAUGHT_UP: u64 = 500;

/// Where a watcher goes on.
pub(super) enum From {
    /// After this event.
    After(u64),
    /// The event that it named is none of this run's: it is shown where the run stands, and goes on from there.
    Reset,
}

struct Watcher {
    inner: Rc<Inner>,
    reader: Reader,
    signal: mpsc::Receiver<()>,
    /// What is sent first.
    first: Option<String>,
    ends_at: UnixMillis,
}

/// A response that goes on until the run is over, or for a while; its reader then asks again with the last id.
pub(super) fn open(inner: &Rc<Inner>, from: &From) -> Result<Response, Failure> {
    let mut first = "retry: 3000\n\n".to_owned();
    let position = match from {
        From::After(seq) => *seq,
        From::Reset => {
            // Without an id: the reader's last one is not changed by it.
            let shown = inner.shell.read(api::outbound::run::reset)?;
            first.push_str(&format!("event: reset\ndata: {shown}\n\n"));
            inner.shell.version()?
        }
    };
    let watcher = Watcher {
        inner: Rc::clone(inner),
        reader: Reader::new(position),
        signal: inner.watchers.watch(),
        first: Some(first),
        ends_at: now().plus(STREAM_LIFE),
    };
    let chunks = unfold(watcher, |mut watcher| async move {
        let chunk = watcher.next().await?;
        Some((chunk.map(String::into_bytes).map_err(worker::Error::from), watcher))
    });
    Ok(ResponseBuilder::new().with_header("content-type", "text/event-stream")?.from_stream(chunks)?)
}

impl Watcher {
    async fn next(&mut self) -> Option<Result<String, Failure>> {
        if let Some(first) = self.first.take() {
            return Some(Ok(first));
        }
        loop {
            match self.reader.next(&self.inner) {
                Err(failure) => return Some(Err(failure)),
                Ok(frames) if frames.is_empty() => {}
                Ok(frames) => {
                    let event = |(seq, data)| format!("id: {seq}\nevent: run-event\ndata: {data}\n\n");
                    return Some(Ok(frames.into_iter().map(event).collect()));
                }
            }
            let left = self.ends_at.since(now());
            if left.0 == 0 || self.inner.is_over() {
                return None;
            }
            let beat = worker::Delay::from(core::time::Duration::from_millis(left.min(STREAM_BEAT).0));
            match select(self.signal.next(), beat).await {
                Either::Left((Some(()), _)) => {}
                Either::Left((None, _)) => return None,
                Either::Right(((), _)) => return Some(Ok(": keep-alive\n\n".to_owned())),
            }
        }
    }
}

/// Opens a socket that sleeps with its object, and sends what its reader has missed.
pub(super) fn socket(inner: &Inner, from: &From, protocol: Option<&str>) -> Result<Response, Failure> {
    let WebSocketPair { client, server } = WebSocketPair::new()?;
    inner.state.accept_web_socket(&server);
    let head = inner.shell.version()?;
    let missed = match from {
        From::After(seq) if head.saturating_sub(*seq) <= CAUGHT_UP => Some(*seq),
        From::After(_) | From::Reset => None,
    };
    match missed {
        Some(seq) => {
            let mut reader = Reader::new(seq);
            loop {
                let frames = reader.next(inner)?;
                if frames.is_empty() {
                    break;
                }
                frames.iter().for_each(|(_, data)| send(&server, data));
            }
        }
        None => {
            let shown = inner.shell.read(api::outbound::run::reset)?;
            send(&server, &shown);
        }
    }
    if inner.is_over() {
        close(&server);
    }
    let mut response = ResponseBuilder::new().with_status(101);
    if let Some(protocol) = protocol {
        response = response.with_header("sec-websocket-protocol", protocol)?;
    }
    Ok(response.with_websocket(client).empty())
}

/// Sends one frame to a socket. One that is gone is cleared away by the runtime.
pub(super) fn send(socket: &WebSocket, data: &str) {
    let _ = socket.send_with_str(data);
}

/// The run is over: nothing more comes.
pub(super) fn close(socket: &WebSocket) {
    let _ = socket.close(Some(1000), Some("The run is over."));
}
