//! What an executor says of itself, and asks for.

use executor::{Label, Occasion};
use primitives::Millis;
use serde_json::Value;

use super::read::once;
use crate::inbound::{Faults, shape};
use crate::limits::{POLL_COMMANDS_MAX, POLL_WAIT_SECONDS_MAX};
use crate::problem::Problem;
use crate::wire::Registration;

/// Reads how an executor is to be called; null is an empty body.
///
/// # Errors
/// 400 with every fault.
pub fn registration(body: &Value) -> Result<Option<Label>, Problem> {
    let Registration { label } = if body.is_null() { Registration::default() } else { shape(body)? };
    let mut faults = Faults::default();
    let label = label.map(|text| faults.take("label", text.parse()));
    faults.finish(Some(label.flatten()))
}

/// What a poll asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Poll {
    /// How long it waits for the first command.
    pub wait: Millis,
    /// At most this many commands.
    pub limit: usize,
    /// Whether those that wait for the user are meant, too.
    pub occasion: Occasion,
}

/// Reads a poll from a query string's pairs.
///
/// # Errors
/// 400 with every fault.
pub fn poll<'a>(pairs: impl Iterator<Item = (&'a str, String)>) -> Result<Poll, Problem> {
    let mut faults = Faults::default();
    let (mut wait, mut limit, mut occasion) = (0, POLL_COMMANDS_MAX, Occasion::Poll);
    for (name, text) in once(&mut faults, pairs) {
        match (name, text.as_str()) {
            ("wait", _) => wait = faults.number(name, &text, 0, POLL_WAIT_SECONDS_MAX).unwrap_or(wait),
            ("limit", _) => limit = faults.number(name, &text, 1, POLL_COMMANDS_MAX).unwrap_or(limit),
            ("parked", "true") => occasion = Occasion::PollAll,
            ("parked", "false") => occasion = Occasion::Poll,
            ("parked", _) => faults.add(name, "must be true or false"),
            (_, _) => faults.add(name, "is not known here; wait, limit and parked are"),
        }
    }
    let wait = Millis::from_seconds(u64::from(wait));
    let poll = Poll { wait, limit: limit as usize, occasion };
    faults.finish_address(Some(poll))
}
