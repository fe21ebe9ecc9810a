//! An executor's queue as somebody would keep it with paper and pencil: by what is said to it alone, without events.

use executor::{Command, CommandId, Occasion, Progress, limits};
use primitives::UnixMillis;

/// Why an order is not to be given out.
#[derive(Debug, Clone, PartialEq)]
enum Hold {
    Given,
    Started,
    Parked,
}

/// One line for each order. It is crossed out, but never erased.
#[derive(Debug, Clone, PartialEq)]
struct Line {
    command_id: CommandId,
    until: UnixMillis,
    /// `None` for one that was closed before it came.
    came_at: Option<UnixMillis>,
    is_closed: bool,
    hold: Option<(Hold, UnixMillis)>,
}

impl Line {
    fn is_pending(&self, now: UnixMillis) -> bool {
        self.came_at.is_some() && !self.is_closed && now < self.until
    }

    fn may_be_given(&self, occasion: Occasion, now: UnixMillis) -> bool {
        let is_asked_for = occasion == Occasion::PollAll;
        let is_free = match &self.hold {
            None => true,
            Some((Hold::Parked, until)) => is_asked_for || *until <= now,
            Some((Hold::Given | Hold::Started, until)) => *until <= now,
        };
        is_free && self.is_pending(now)
    }
}

/// The paper.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Paper {
    lines: Vec<Line>,
    /// When the executor was heard last.
    pub(crate) heard_at: Option<UnixMillis>,
}

impl Paper {
    /// Writes down what is said at `now`; answers which orders are to be given out for it.
    pub(crate) fn hears(&mut self, command: &Command, now: UnixMillis) -> Vec<CommandId> {
        match command {
            Command::Register { .. } => self.heard_at = self.heard_at.or(Some(now)),
            Command::Enqueue { order } => {
                if self.line(&order.command_id).is_none() {
                    let (command_id, until) = (order.command_id.clone(), order.until);
                    let came_at = Some(now);
                    self.lines.push(Line { command_id, until, came_at, is_closed: false, hold: None });
                }
            }
            Command::Lease { limit, occasion } => return self.give(*limit, *occasion, now),
            Command::Renew { command_id, progress } => self.renew(command_id, *progress, now),
            Command::Settle { command_id, until } | Command::Withdraw { command_id, until } => {
                let (command_id, until) = (command_id.clone(), *until);
                match self.line(&command_id) {
                    Some(line) => line.is_closed |= line.is_pending(now),
                    None => {
                        let line = Line { command_id, until, came_at: None, is_closed: true, hold: None };
                        self.lines.push(line);
                    }
                }
            }
            Command::Seen => self.heard_at = Some(now),
            Command::Wake => {}
        }
        Vec::new()
    }

    fn line(&mut self, command_id: &CommandId) -> Option<&mut Line> {
        self.lines.iter_mut().find(|line| line.command_id == *command_id)
    }

    fn give(&mut self, limit: usize, occasion: Occasion, now: UnixMillis) -> Vec<CommandId> {
        if occasion != Occasion::Push {
            self.heard_at = Some(now);
        }
        let free = self.lines.iter_mut().filter(|line| line.may_be_given(occasion, now)).take(limit);
        let given = free.map(|line| {
            line.hold = Some((Hold::Given, now.plus(limits::LEASE)));
            line.command_id.clone()
        });
        given.collect()
    }

    fn renew(&mut self, command_id: &CommandId, progress: Progress, now: UnixMillis) {
        let (hold, until) = match progress {
            Progress::Started => (Hold::Started, now.plus(limits::WORK)),
            Progress::NeedsUser => (Hold::Parked, now.plus(limits::PARK)),
        };
        let Some(line) = self.line(command_id).filter(|line| line.is_pending(now)) else { return };
        // The same again within half a minute is not written down.
        let is_known = line.hold.as_ref().is_some_and(|(held, end)| {
            *held == hold && *end > now && until.since(*end) < limits::RENEW_EVERY
        });
        if !is_known {
            line.hold = Some((hold, until));
        }
    }

    /// What is pending, oldest first.
    pub(crate) fn pending(&self, now: UnixMillis) -> Vec<CommandId> {
        let pending = self.lines.iter().filter(|line| line.is_pending(now));
        pending.map(|line| line.command_id.clone()).collect()
    }

    /// What has ended without a result.
    pub(crate) fn expired(&self, now: UnixMillis) -> Vec<CommandId> {
        let came = self.lines.iter().filter(|line| line.came_at.is_some() && !line.is_closed);
        came.filter(|line| line.until <= now).map(|line| line.command_id.clone()).collect()
    }

    /// Since when an order waits for an executor that is silent.
    pub(crate) fn silent_since(&self, command_id: &CommandId) -> Option<UnixMillis> {
        let line = self.lines.iter().find(|line| line.command_id == *command_id)?;
        line.came_at.max(self.heard_at)
    }
}
