//! Why the command did not do what it was asked, and with which exit code it says so.

use client::{BrokenAt, Error};
use serde_json::Value;

/// Why a command failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A file, a key or a text that was given cannot be used.
    Input(String),
    /// The SDK's error: the board's refusal, or what kept us from an answer.
    Board(Error),
    /// A journal does not hold.
    Journal(BrokenAt),
    /// A journal holds, but it is not the one whose head was given.
    OtherHead {
        /// The head that follows from the journal.
        found: String,
        /// The head that was given.
        given: String,
    },
    /// A mandate, or its owner, does not let a payment be made; or a run is over, and nothing was bought.
    Denied {
        /// The sentence for people.
        why: String,
        /// What belongs to it, line by line.
        details: Vec<String>,
        /// The board's answer, for programs.
        answer: Box<Value>,
    },
    /// A run is over, and nobody could say what became of its payment or its order.
    Unclear {
        /// The sentence for people.
        why: String,
        /// The run, for programs.
        answer: Box<Value>,
    },
    /// A step of the demonstration did not do what it must.
    Demo {
        /// The step's number.
        step: usize,
        /// What the step was to show.
        name: &'static str,
        /// What happened instead.
        why: Deviation,
    },
}

/// What a step of the demonstration did instead of what it must.
#[derive(Debug)]
pub(crate) enum Deviation {
    /// The SDK's error.
    Board(Error),
    /// Everything was answered, but not as it must be.
    Seen(String),
}

impl From<Error> for Deviation {
    fn from(error: Error) -> Self {
        Self::Board(error)
    }
}

impl core::fmt::Display for Deviation {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Board(error) => error.fmt(formatter),
            Self::Seen(what) => formatter.write_str(what),
        }
    }
}

impl Failure {
    /// The exit code.
    ///
    /// | code | meaning |
    /// |---|---|
    /// | 0 | done |
    /// | 1 | the board, a mandate or its owner refused, nothing was bought, or a step of the demonstration failed |
    /// | 2 | the command line, a file or a key cannot be used |
    /// | 3 | the board could not be reached, or what answered is no board |
    /// | 4 | the price is not within the limit; nothing was signed |
    /// | 5 | money may have moved and the outcome is not known; repeat with the id that was said, if one was |
    /// | 6 | a journal does not hold |
    pub(crate) const fn exit_code(&self) -> u8 {
        match self {
            Self::Board(Error::Refused(_)) | Self::Denied { .. } | Self::Demo { .. } => 1,
            Self::Input(_) | Self::Board(Error::Address(_)) => 2,
            Self::Board(Error::Unreachable { .. } | Error::OutsideContract { .. } | Error::NoRandomness) => 3,
            Self::Board(Error::Terms(_)) => 4,
            Self::Board(Error::Unresolved(_)) | Self::Unclear { .. } => 5,
            Self::Journal(_) | Self::OtherHead { .. } => 6,
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Board(error)
    }
}

impl core::fmt::Display for Failure {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Input(why) => formatter.write_str(why),
            Self::Board(error) => error.fmt(formatter),
            Self::Journal(broken) => write!(formatter, "the journal does not hold: {broken}"),
            Self::OtherHead { found, given } => write!(
                formatter,
                "the journal holds, but its head is {found} and not {given}: it is not the journal you know"
            ),
            Self::Denied { why, .. } | Self::Unclear { why, .. } => formatter.write_str(why),
            Self::Demo { step, name, why } => write!(formatter, "step {step} ({name}) failed: {why}"),
        }
    }
}
