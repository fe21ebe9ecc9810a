//! Those who watch a run: each reads the journal from where it stands, and is woken when there is more.
//!
//! What was just recorded is rendered once and kept for a while, so that a hundred watchers cost one rendering. Whoever
//! comes from further back reads the journal itself.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use api::outbound::run::frame;
use futures_channel::mpsc;
use run::{Event, State};
use shell::Failure;

use super::Inner;

/// Rendered events that are kept: more than one step can record.
const KEPT: usize = 64;
/// Rows that a watcher reads at once.
const PAGE: u64 = 50;

/// An event as watchers get it, with its place in the journal.
pub(super) type Frame = (u64, Rc<str>);

#[derive(Default)]
pub(super) struct Watchers {
    signals: RefCell<Vec<mpsc::Sender<()>>>,
    /// The newest events, without a gap.
    kept: RefCell<VecDeque<Frame>>,
}

impl Watchers {
    /// Signals to a new watcher that there is more.
    pub(super) fn watch(&self) -> mpsc::Receiver<()> {
        let (sender, receiver) = mpsc::channel(1);
        self.signals.borrow_mut().push(sender);
        receiver
    }

    /// Whether anybody is here.
    pub(super) fn are_any(&self) -> bool {
        self.signals.borrow_mut().retain(|signal| !signal.is_closed());
        !self.signals.borrow().is_empty()
    }

    /// Keeps what was just recorded, and wakes everybody.
    pub(super) fn tell(&self, frames: &[Frame]) {
        {
            let mut kept = self.kept.borrow_mut();
            kept.extend(frames.iter().cloned());
            let surplus = kept.len().saturating_sub(KEPT);
            kept.drain(..surplus);
        }
        for signal in self.signals.borrow_mut().iter_mut() {
            // A full channel has a signal under way already; a closed one is dropped with the next look.
            let _ = signal.try_send(());
        }
    }

    /// Events were recorded that nobody rendered: what is kept has a gap from here on.
    pub(super) fn skip(&self) {
        self.kept.borrow_mut().clear();
    }

    /// What is kept after `position`, if all of it is.
    fn after(&self, position: u64) -> Option<Vec<Frame>> {
        let kept = self.kept.borrow();
        let first = kept.front()?.0;
        (first <= position.saturating_add(1))
            .then(|| kept.iter().filter(|(seq, _)| *seq > position).cloned().collect())
    }
}

/// Where one watcher stands.
#[derive(Default)]
pub(super) struct Reader {
    /// The last event that it has.
    pub(super) position: u64,
    /// The state after some event, while it reads the journal itself.
    folded: (u64, State),
}

impl Reader {
    /// A watcher that has everything up to `position`.
    pub(super) fn new(position: u64) -> Self {
        Self { position, folded: Default::default() }
    }

    /// The next events after its own, a page at most; none when it has all of them.
    pub(super) fn next(&mut self, inner: &Inner) -> Result<Vec<Frame>, Failure> {
        if self.position >= inner.shell.version()? {
            return Ok(Vec::new());
        }
        let frames = match inner.watchers.after(self.position) {
            Some(frames) => frames,
            None => self.read(inner)?,
        };
        if let Some((seq, _)) = frames.last() {
            self.position = *seq;
        }
        Ok(frames)
    }

    fn read(&mut self, inner: &Inner) -> Result<Vec<Frame>, Failure> {
        loop {
            let rows = inner.shell.journal().entries_after(self.folded.0, PAGE)?;
            if rows.is_empty() {
                return Ok(Vec::new());
            }
            let mut frames = Vec::new();
            for row in rows {
                let event = recorded(&row.body)?;
                let state = core::mem::take(&mut self.folded.1);
                let state = apply(state, &event)?;
                if row.seq > self.position {
                    frames.push((row.seq, Rc::from(frame(row.seq, &event, &state))));
                }
                self.folded = (row.seq, state);
            }
            if !frames.is_empty() {
                return Ok(frames);
            }
        }
    }
}

/// The event of a journal row.
pub(super) fn recorded(body: &str) -> Result<Event, Failure> {
    #[derive(serde::Deserialize)]
    struct Body {
        event: Event,
    }
    Ok(serde_json::from_str::<Body>(body)?.event)
}

/// Folds one recorded event.
pub(super) fn apply(state: State, event: &Event) -> Result<State, Failure> {
    run::apply(state, event).map_err(|corrupt| Failure::Corrupt(corrupt.to_string()))
}
