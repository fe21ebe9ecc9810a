//! The command that an executor has, and those that are over.

use std::collections::VecDeque;

use primitives::Digest;
use serde::{Deserialize, Serialize};

use crate::{BrowserCommand, limits};

/// A command that waits for its result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Pending {
    pub(crate) command: BrowserCommand,
    pub(crate) is_started: bool,
    /// What the buyer is to do.
    pub(crate) wanted: Option<String>,
    /// How often the buyer was asked for something.
    pub(crate) asks: u32,
    pub(crate) presence: Presence,
}

/// Whether the executor is there, as far as anybody has said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Presence {
    Presumed,
    /// It has been away for long.
    Away,
    /// It was away, and has spoken since. Its next absence is not told again.
    Back,
}

impl Pending {
    pub(crate) const fn new(command: BrowserCommand) -> Self {
        Self { command, is_started: false, wanted: None, asks: 0, presence: Presence::Presumed }
    }

    /// The executor has spoken.
    pub(crate) const fn heard(&mut self) {
        if let Presence::Away = self.presence {
            self.presence = Presence::Back;
        }
    }
}

/// How often in a row commands came to nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Failures {
    pub(crate) all: u32,
    /// Those that nobody answered.
    pub(crate) silent: u32,
}

impl Failures {
    /// Whether nothing is tried again.
    pub(crate) const fn are_enough(&self) -> bool {
        self.all > limits::COMMAND_RETRIES
    }

    /// Whether nobody has ever answered.
    pub(crate) const fn are_silence(&self) -> bool {
        self.all == self.silent
    }
}

/// What became of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Fate {
    /// It was answered by the result of this digest.
    Answered(Digest),
    /// Nobody waits for it.
    Withdrawn,
}

/// The commands that were over last, oldest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Fates(VecDeque<(String, Fate)>);

impl Fates {
    pub(crate) fn of(&self, command_id: &str) -> Option<Fate> {
        self.0.iter().find(|(id, _)| id == command_id).map(|(_, fate)| *fate)
    }

    pub(crate) fn push(&mut self, command_id: String, fate: Fate) {
        if self.0.len() >= limits::ANSWERS {
            self.0.pop_front();
        }
        self.0.push_back((command_id, fate));
    }
}
