//! The same rules, written down once more in another way: a list of messages with their moments, looked at as a whole.

use std::collections::BTreeMap;

use endpoint::{Command, Effect, Known, Outcome, Status, limits};
use primitives::{UnixMillis, WebhookId};

/// What becomes of a message.
#[derive(Debug, Clone, PartialEq)]
enum Sheet {
    Waits(u32, UnixMillis),
    Called(u32),
    Over(Status),
}

/// An endpoint on paper.
#[derive(Debug, Clone, Default)]
pub(crate) struct Paper {
    is_off: bool,
    bad_since: Option<UnixMillis>,
    sheets: BTreeMap<WebhookId, Sheet>,
}

impl Paper {
    fn open(&self) -> usize {
        self.sheets.values().filter(|sheet| !matches!(sheet, Sheet::Over(_))).count()
    }

    fn off(&mut self) {
        self.is_off = true;
        for sheet in self.sheets.values_mut().filter(|sheet| matches!(sheet, Sheet::Waits(..))) {
            *sheet = Sheet::Over(Status::Missed);
        }
    }

    fn again(&mut self, id: &WebhookId, now: UnixMillis) {
        if !matches!(self.sheets.get(id), Some(Sheet::Called(_))) {
            self.sheets.insert(id.clone(), Sheet::Waits(1, now));
        }
    }

    /// Takes a command that was not refused; answers which attempts begin.
    pub(crate) fn hears(&mut self, command: &Command, now: UnixMillis) -> Vec<(WebhookId, u32)> {
        match command {
            Command::Accept { arrivals } => {
                for arrival in arrivals {
                    let id = &arrival.message.id;
                    if arrival.known == Known::Filed || self.sheets.contains_key(id) {
                        continue;
                    }
                    let fits = !self.is_off && self.open() < limits::PENDING;
                    let sheet = if fits { Sheet::Waits(1, now) } else { Sheet::Over(Status::Missed) };
                    self.sheets.insert(id.clone(), sheet);
                }
            }
            Command::Test { message } => {
                self.sheets.entry(message.id.clone()).or_insert(Sheet::Waits(1, now));
            }
            Command::Answered { message, attempt, result } => {
                self.answered(message, *attempt, result.outcome, now)
            }
            Command::Resend { message, .. } => self.again(message, now),
            Command::Recover { messages } => {
                for id in messages {
                    if matches!(self.sheets.get(id), Some(Sheet::Over(_)) | None)
                        && self.open() < limits::PENDING
                    {
                        self.again(id, now);
                    }
                }
            }
            Command::Enable if self.is_off => (self.is_off, self.bad_since) = (false, None),
            Command::Disable if !self.is_off => self.off(),
            _ => {}
        }
        self.begin(now)
    }

    fn answered(&mut self, id: &WebhookId, attempt: u32, outcome: Outcome, now: UnixMillis) {
        if self.sheets.get(id) != Some(&Sheet::Called(attempt)) {
            return;
        }
        let long = self.bad_since.is_some_and(|since| now.0 - since.0 >= limits::FAILING_MAX.0);
        let (sheet, is_last_straw) = match outcome {
            Outcome::Taken => (Sheet::Over(Status::Delivered), false),
            Outcome::Again { pause: Some(pause) } if !self.is_off && !long => {
                (Sheet::Waits(attempt + 1, now.plus(pause)), false)
            }
            Outcome::Again { .. } => (Sheet::Over(Status::Failed), long),
            Outcome::Gone => (Sheet::Over(Status::Failed), true),
        };
        self.sheets.insert(id.clone(), sheet);
        self.bad_since = if outcome == Outcome::Taken { None } else { self.bad_since.or(Some(now)) };
        if is_last_straw && !self.is_off {
            self.off();
        }
    }

    fn begin(&mut self, now: UnixMillis) -> Vec<(WebhookId, u32)> {
        let called = self.sheets.values().filter(|sheet| matches!(sheet, Sheet::Called(_))).count();
        let mut due: Vec<_> = self
            .sheets
            .iter()
            .filter_map(|(id, sheet)| match sheet {
                Sheet::Waits(attempt, at) if *at <= now && !self.is_off => Some((*at, id.clone(), *attempt)),
                Sheet::Waits(..) | Sheet::Called(_) | Sheet::Over(_) => None,
            })
            .collect();
        due.sort();
        due.truncate(limits::AT_ONCE.saturating_sub(called));
        for (_, id, attempt) in &due {
            self.sheets.insert(id.clone(), Sheet::Called(*attempt));
        }
        due.into_iter().map(|(_, id, attempt)| (id, attempt)).collect()
    }

    /// Where each message stands, as its row says.
    pub(crate) fn standing(&self) -> impl Iterator<Item = (&WebhookId, Status)> {
        self.sheets.iter().map(|(id, sheet)| match sheet {
            Sheet::Over(status) => (id, *status),
            Sheet::Waits(..) | Sheet::Called(_) => (id, Status::Pending),
        })
    }

    /// The attempts that effects ask for.
    pub(crate) fn attempts(owed: &[Effect]) -> Vec<(WebhookId, u32)> {
        owed.iter()
            .filter_map(|effect| match effect {
                Effect::Attempt { message, attempt } => Some((message.clone(), *attempt)),
                Effect::Keep(_) | Effect::Tell { .. } => None,
            })
            .collect()
    }
}
