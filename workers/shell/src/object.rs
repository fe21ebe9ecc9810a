//! The one loop around every core: load, judge, record, arm, answer; then drain what is owed.
//!
//! A step from load to record has no `await` in it, so nothing else can happen in the object meanwhile. What a core
//! must know from outside comes in with the command.

use core::cell::{Cell, RefCell};

use primitives::{Call, CorrelationId, Digest, Reply, UnixMillis, canonical_json};
use serde::Serialize;
use worker::State;

use crate::drain::{UnderWay, pause};
use crate::failure::Failure;
use crate::interface::Core;
use crate::journal::{Entry, Journal, Owed, Record, Stored};
use crate::log;
use crate::outside::now;

/// How long an owed effect waits before the alarm takes it up, should this process not get to it.
const OWED_WAIT: primitives::Millis = primitives::Millis::from_seconds(5);

struct Loaded<C: Core> {
    state: C::State,
    stored: Stored,
}

/// What one command came to.
pub struct Step<C: Core> {
    /// For the caller.
    pub reply: Reply<C::Answer, C::Refusal>,
    /// What happened now.
    pub events: Vec<C::Event>,
}

/// One object's loop.
pub struct Shell<C: Core> {
    pub(crate) journal: Journal,
    pub(crate) name: String,
    loaded: RefCell<Option<Loaded<C>>>,
    /// When the board is told again after it could not be reached, and how often that has failed.
    projection_retry: Cell<Option<(UnixMillis, u32)>>,
    looked_after: Cell<bool>,
    /// Effects that are being delivered.
    pub(crate) under_way: RefCell<UnderWay>,
}

impl<C: Core> Shell<C> {
    /// The loop of an object that is being constructed. Nothing is read yet.
    pub fn new(state: &State) -> Self {
        Self {
            journal: Journal::new(state),
            name: state.id().name().unwrap_or_default(),
            loaded: RefCell::new(None),
            projection_retry: Cell::new(None),
            looked_after: Cell::new(false),
            under_way: RefCell::default(),
        }
    }

    /// The object's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The object's store, for what only one kind of object does.
    pub const fn journal(&self) -> &Journal {
        &self.journal
    }

    /// Looks at the state.
    pub fn read<T>(&self, look: impl FnOnce(&C::State) -> T) -> Result<T, Failure> {
        self.with(|loaded| Ok(look(&loaded.state)))
    }

    fn with<T>(&self, work: impl FnOnce(&mut Loaded<C>) -> Result<T, Failure>) -> Result<T, Failure> {
        let mut slot = self.loaded.borrow_mut();
        if slot.is_none() {
            *slot = Some(self.load()?);
        }
        match slot.as_mut() {
            Some(loaded) => work(loaded),
            None => Err(Failure::Runtime("nothing was loaded".to_owned())),
        }
    }

    fn load(&self) -> Result<Loaded<C>, Failure> {
        Ok(match self.journal.load()? {
            Some(stored) => Loaded { state: serde_json::from_str(&stored.snapshot)?, stored },
            None => Loaded {
                state: C::State::default(),
                stored: Stored {
                    seq: 0,
                    head: Digest::ZERO,
                    snapshot: String::new(),
                    alarm_at: None,
                    projected_seq: 0,
                },
            },
        })
    }

    /// Judges one command and records what follows from it. All of it, or nothing, is on disk afterwards.
    pub fn run(&self, call: Call<C::Command>) -> Result<Step<C>, Failure> {
        let now = now();
        let outcome = self.with(|loaded| self.step(loaded, call, now));
        if outcome.is_err() {
            // What is in memory may be ahead of the disk: forget it.
            self.loaded.take();
        }
        outcome
    }

    fn step(
        &self,
        loaded: &mut Loaded<C>,
        call: Call<C::Command>,
        now: UnixMillis,
    ) -> Result<Step<C>, Failure> {
        let refused = |refusal: C::Refusal| {
            log::refused(
                C::KIND,
                &self.name,
                &call.correlation_id,
                C::lifecycle(&loaded.state),
                C::code(&refusal),
            );
            Ok(Step { reply: Reply::Refused(refusal), events: Vec::new() })
        };
        if let Err(refusal) = C::authorize(&loaded.state, &call.command) {
            return refused(refusal);
        }
        if let Some(operation) = &call.operation
            && let Some((fingerprint, answer)) = self.journal.operation(&operation.key)?
        {
            let reply = if fingerprint == operation.fingerprint.to_string() {
                Reply::Done { answer: serde_json::from_str(&answer)?, replayed: true }
            } else {
                Reply::OperationReused
            };
            return Ok(Step { reply, events: Vec::new() });
        }
        let events = match C::decide(&loaded.state, call.command, now) {
            Ok(events) => events,
            Err(refusal) => return refused(refusal),
        };
        let replayed = C::is_replay(&loaded.state, &events);
        let key = call.operation.as_ref().map(|operation| (operation.key.as_str(), operation.fingerprint));
        let answer = self.commit(loaded, &events, key, &call.correlation_id, now)?;
        Ok(Step { reply: Reply::Done { answer, replayed }, events })
    }

    /// Applies events, then records them with everything that belongs to them.
    fn commit(
        &self,
        loaded: &mut Loaded<C>,
        events: &[C::Event],
        operation: Option<(&str, Digest)>,
        correlation_id: &CorrelationId,
        now: UnixMillis,
    ) -> Result<C::Answer, Failure> {
        if events.is_empty() && operation.is_none() {
            return Ok(C::answer(&loaded.state));
        }
        let from = C::lifecycle(&loaded.state);
        let mut state = loaded.state.clone();
        let (mut seq, mut head) = (loaded.stored.seq, loaded.stored.head);
        let (mut entries, mut owed, mut kept) = (Vec::with_capacity(events.len()), Vec::new(), Vec::new());
        for event in events {
            seq = seq.saturating_add(1);
            for (ordinal, effect) in (0..).zip(C::effects(&state, event)) {
                if let Some(row) = C::keep(&effect, seq, ordinal)? {
                    kept.push(row);
                    continue;
                }
                if !C::is_owed(&effect) {
                    continue;
                }
                let effect = serde_json::to_string(&effect)?;
                let correlation_id = correlation_id.as_str().to_owned();
                owed.push(Owed { seq, ordinal, effect, correlation_id, attempts: 0 });
            }
            state = C::apply(state, event)?;
            let entry = entry(seq, head, event, correlation_id, now)?;
            head = entry.hash;
            entries.push(entry);
        }
        let owed_next_at = now.plus(OWED_WAIT);
        let mut alarm_at = C::deadline(&state);
        if !owed.is_empty() {
            alarm_at = Some(alarm_at.map_or(owed_next_at, |at| at.min(owed_next_at)));
        }
        let alarm_before = loaded.stored.alarm_at;
        let alarm_at = with_telling::<C>(self.with_projection_retry(alarm_at), true, now);
        let alarm_at = keep_sooner(alarm_before, alarm_at, now);
        let answer = C::answer(&state);
        let operation = match operation {
            Some((key, fingerprint)) => Some((key, fingerprint.to_string(), serde_json::to_string(&answer)?)),
            None => None,
        };
        let snapshot = serde_json::to_string(&state)?;
        let projected_seq = loaded.stored.projected_seq;
        let stored = Stored { seq, head, snapshot, alarm_at, projected_seq };
        let tables = C::TABLES;
        self.journal.record(&Record {
            entries,
            stored: &stored,
            operation,
            tables,
            kept,
            owed,
            owed_next_at,
        })?;
        if alarm_at != alarm_before {
            self.journal.set_alarm(alarm_at)?;
        }
        log::transition(C::KIND, &self.name, correlation_id, from, C::lifecycle(&state), seq);
        *loaded = Loaded { state, stored };
        Ok(answer)
    }

    fn with_projection_retry(&self, at: Option<UnixMillis>) -> Option<UnixMillis> {
        match (at, self.projection_retry.get()) {
            (Some(at), Some((retry_at, _))) => Some(at.min(retry_at)),
            (None, Some((retry_at, _))) => Some(retry_at),
            (at, None) => at,
        }
    }

    /// Sets the alarm to the earliest of deadline, owed effects and the projection's retry, if that has changed.
    pub(crate) fn rearm(&self) -> Result<(), Failure> {
        self.with(|loaded| {
            let owed_at = self.owed_at()?;
            let at = match (C::deadline(&loaded.state), owed_at) {
                (Some(deadline), Some(owed_at)) => Some(deadline.min(owed_at)),
                (deadline, owed_at) => deadline.or(owed_at),
            };
            let is_behind = loaded.stored.projected_seq < loaded.stored.seq;
            let at = with_telling::<C>(self.with_projection_retry(at), is_behind, now());
            let at = keep_sooner(loaded.stored.alarm_at, at, now());
            if at != loaded.stored.alarm_at {
                self.journal.set_alarm(at)?;
                self.journal.note(loaded.stored.projected_seq, at)?;
                loaded.stored.alarm_at = at;
            }
            Ok(())
        })
    }

    /// Once per cold start: an alarm that the runtime lost is set anew. A failure is for the log.
    pub async fn look_after(&self, state: &State) {
        if !self.looked_after.replace(true)
            && let Err(failure) = self.restore_lost_alarm(state).await
        {
            log::failure(C::KIND, &self.name, "alarm_unchecked", &failure);
        }
    }

    /// Whether the runtime still has the alarm that was set last; sets it anew if not. Asked once per cold start.
    pub async fn restore_lost_alarm(&self, state: &State) -> Result<(), Failure> {
        let expected = self.with(|loaded| Ok(loaded.stored.alarm_at))?;
        if let Some(expected) = expected
            && state.storage().get_alarm().await?.is_none()
        {
            self.journal.set_alarm(Some(expected.max(now().plus(primitives::Millis(1)))))?;
            log::note(C::KIND, &self.name, "alarm_restored");
        }
        Ok(())
    }

    /// Forgets everything, on disk and in memory: the object is as it was before its first command.
    pub async fn erase(&self, state: &State) -> Result<(), Failure> {
        state.storage().delete_all().await?;
        self.loaded.take();
        Ok(())
    }

    /// What the alarm does first: lets time take effect. The alarm that fired is gone, whatever was noted.
    pub fn wake(&self, correlation_id: &CorrelationId) -> Result<Step<C>, Failure> {
        self.with(|loaded| {
            loaded.stored.alarm_at = None;
            Ok(())
        })?;
        self.run(Call { command: C::wake(), correlation_id: correlation_id.clone(), operation: None })
    }

    /// The state to be shown on the board, if the board has not been told of it.
    pub fn unprojected(&self) -> Result<Option<(C::State, u64)>, Failure> {
        self.with(|loaded| {
            let behind = loaded.stored.projected_seq < loaded.stored.seq;
            Ok(behind.then(|| (loaded.state.clone(), loaded.stored.seq)))
        })
    }

    /// Up to where the board has been told, and how far it should have been; none when it knows all.
    pub fn behind(&self) -> Result<Option<(u64, u64)>, Failure> {
        self.with(|Loaded { stored, .. }| {
            Ok((stored.projected_seq < stored.seq).then_some((stored.projected_seq, stored.seq)))
        })
    }

    /// The journal's length.
    pub fn version(&self) -> Result<u64, Failure> {
        self.with(|loaded| Ok(loaded.stored.seq))
    }

    /// Forgets that the board was told, so that it is told again.
    pub fn unproject(&self) -> Result<(), Failure> {
        self.with(|loaded| {
            loaded.stored.projected_seq = 0;
            Ok(())
        })
    }

    /// The board has been told up to `seq`, or could not be.
    ///
    /// Success is noted on disk with the next event, not by a write of its own: after a crash the board is told once
    /// more, which changes nothing.
    pub fn projected(&self, seq: u64, outcome: &Result<(), Failure>) -> Result<(), Failure> {
        match outcome {
            Ok(()) => {
                self.with(|loaded| {
                    loaded.stored.projected_seq = loaded.stored.projected_seq.max(seq);
                    Ok(())
                })?;
                if self.projection_retry.take().is_none() {
                    return Ok(());
                }
            }
            Err(failure) => {
                log::failure(C::KIND, &self.name, "projection_postponed", failure);
                let next = match self.projection_retry.get() {
                    // A command before that moment tries as well; it must not push the alarm's own try further away.
                    Some((at, failures)) if at > now() => (at, failures),
                    Some((_, failures)) => {
                        let failures = failures.saturating_add(1);
                        (now().plus(pause(failures)), failures)
                    }
                    None => (now().plus(pause(0)), 0),
                };
                self.projection_retry.set(Some(next));
            }
        }
        self.rearm()
    }
}

/// `at`, or sooner for the board's sake while it is behind and told in the background.
fn with_telling<C: Core>(at: Option<UnixMillis>, is_behind: bool, now: UnixMillis) -> Option<UnixMillis> {
    if !C::TELLS_LATER || !is_behind {
        return at;
    }
    let tell_at = now.plus(OWED_WAIT);
    Some(at.map_or(tell_at, |at| at.min(tell_at)))
}

/// The alarm for `wanted`. One that is set already and comes sooner stays: a wake-up too early is harmless, and setting
/// an alarm is a write. Never at or before now.
fn keep_sooner(set: Option<UnixMillis>, wanted: Option<UnixMillis>, now: UnixMillis) -> Option<UnixMillis> {
    let wanted = wanted?.max(now.plus(primitives::Millis(1)));
    Some(set.filter(|set| *set > now && *set < wanted).unwrap_or(wanted))
}

/// A journal row: its body is canonical JSON, its hash chains it to everything before.
fn entry<E: Serialize>(
    seq: u64,
    previous: Digest,
    event: &E,
    correlation_id: &CorrelationId,
    now: UnixMillis,
) -> Result<Entry, Failure> {
    #[derive(Serialize)]
    struct Body<'a, E> {
        at: String,
        correlation_id: &'a CorrelationId,
        event: &'a E,
        seq: u64,
    }
    let body = canonical_json(&Body { at: now.to_rfc3339(), correlation_id, event, seq })?;
    let hash = Digest::of(&[&previous.0, body.as_bytes()]);
    Ok(Entry { seq, body, hash })
}
