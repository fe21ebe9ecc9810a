//! Watching a run: its events as they happen, over as many connections as it takes.

use api::wire::RunFrame;

use super::{
    frames::{Decoder, Frame},
    outside,
};
use crate::{
    Error,
    answer::Opened,
    limits::{ANSWER_BYTES, ATTEMPTS, STREAM_PAUSE},
    repetition::{may_pass, pause},
    transport::{Call, Transport},
};

/// A run's events. A connection that ends is opened anew after the last event that came, as an `EventSource` does (HTML
/// Standard, section 9.2): after the pause that the board asks for.
pub struct Watch {
    transport: Transport,
    call: Call,
    decoder: Decoder,
    stream: Option<Opened>,
    /// The number of the last event that was shown.
    seen: u64,
    /// How often in a row no connection came about.
    failures: u32,
    is_over: bool,
}

impl core::fmt::Debug for Watch {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.debug_struct("Watch").field("seen", &self.seen).finish_non_exhaustive()
    }
}

impl Watch {
    pub(super) fn new(transport: Transport, call: Call, after: u64) -> Self {
        let last_id = if after == 0 { String::new() } else { after.to_string() };
        let decoder = Decoder::after(last_id);
        Self { transport, call, decoder, stream: None, seen: after, failures: 0, is_over: false }
    }

    /// What happened next; `None` once the run is over and everything was shown. [`RunFrame::Reset`] when there is no such
    /// place to go on from as was asked for: what follows goes on from the run that it shows.
    ///
    /// It can be dropped while it waits: nothing is lost by that.
    ///
    /// # Errors
    /// [`Error::Refused`] when the run is not to be watched; [`Error::Unreachable`] when no connection came about for a
    /// while; [`Error::OutsideContract`].
    pub async fn next(&mut self) -> Result<Option<RunFrame>, Error> {
        loop {
            if self.is_over {
                return Ok(None);
            }
            let frame = self.decoder.next(ANSWER_BYTES).map_err(|_| self.outside("an event is too long"))?;
            if let Some(frame) = frame {
                if let Some(seen) = self.see(&frame)? {
                    return Ok(Some(seen));
                }
                continue;
            }
            match &mut self.stream {
                None => self.connect().await?,
                Some(stream) => match stream.piece().await {
                    Ok(Some(bytes)) => self.decoder.push(&bytes),
                    // At its end and when it broke alike: what was not whole comes again.
                    Ok(None) | Err(_) => {
                        self.stream = None;
                        self.decoder.reconnect();
                        tokio::time::sleep(self.decoder.retry().unwrap_or(STREAM_PAUSE)).await;
                    }
                },
            }
        }
    }

    async fn connect(&mut self) -> Result<(), Error> {
        let mut call = self.call.clone();
        if !self.decoder.last_id().is_empty() {
            let last_id =
                self.decoder.last_id().parse().map_err(|_| self.outside("an event's id is none"))?;
            call.headers.insert("last-event-id", last_id);
        }
        match self.transport.open(&call).await {
            Ok(Some(stream)) if stream.has_type("text/event-stream") => {
                self.stream = Some(stream);
                self.failures = 0;
            }
            Ok(Some(_)) => return Err(self.outside("it is no stream of events")),
            Ok(None) => self.is_over = true,
            Err(error) if may_pass(&error) && self.failures < ATTEMPTS => {
                self.failures = self.failures.saturating_add(1);
                tokio::time::sleep(pause(self.failures, &error)).await;
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// What a frame says, unless it was shown before or is of a kind that we do not know.
    fn see(&mut self, frame: &Frame) -> Result<Option<RunFrame>, Error> {
        if !matches!(frame.event.as_str(), "run-event" | "reset") {
            return Ok(None);
        }
        let said = serde_json::from_str(&frame.data)
            .map_err(|why| self.outside(&format!("a {} cannot be read: {why}", frame.event)))?;
        match &said {
            RunFrame::Event { event, run, .. } => {
                if event.seq <= self.seen {
                    return Ok(None);
                }
                self.seen = event.seq;
                self.is_over = run.is_terminal && event.seq >= run.version;
            }
            RunFrame::Reset { run } => {
                self.seen = run.version;
                self.is_over = run.is_terminal;
                self.decoder.go_on_after(run.version.to_string());
            }
        }
        Ok(Some(said))
    }

    fn outside(&self, why: &str) -> Error {
        outside(self.call.operation)(why.to_owned())
    }
}
