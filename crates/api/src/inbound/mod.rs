//! From the wire to the domain: parse once, say everything that is wrong, change nothing.

pub mod account;
mod discover;
mod envelope;
mod json;
mod lifecycle;
pub mod mandate;
pub mod metering;
mod post;
pub mod run;
mod settlement;
mod verification;
pub mod webhook;

pub use discover::{Cursor, Page, arguments, page};
use envelope::message;
pub(crate) use envelope::shape;
pub use envelope::{body, too_large};
pub use lifecycle::{Act, act, claim, reconnect};
pub use post::{Posting, posting};
pub use settlement::{Asked, Memory, settlement, unknown};
pub use verification::{Verdict, verification};

use primitives::Malformed;

use crate::problem::{FieldFault, Problem};

/// Faults found so far, each with its place.
#[derive(Debug, Default)]
pub(crate) struct Faults(Vec<FieldFault>);

impl Faults {
    pub(crate) fn add(&mut self, field: &str, message: impl Into<String>) {
        self.0.push(FieldFault { field: field.to_owned(), message: message.into() });
    }

    /// The parsed value, or a noted fault.
    pub(crate) fn take<T>(&mut self, field: &str, parsed: Result<T, Malformed>) -> Option<T> {
        parsed.map_err(|malformed| self.add(field, malformed.to_string())).ok()
    }

    /// Notes text whose length in characters is outside `min..=max`.
    pub(crate) fn length(&mut self, field: &str, text: &str, min: usize, max: usize) {
        let count = text.chars().count();
        if count < min || count > max {
            self.add(field, format!("has {count} characters; {min} to {max} are allowed"));
        }
    }

    /// A whole number in digits, or a noted fault.
    pub(crate) fn number(&mut self, field: &str, text: &str, min: u32, max: u32) -> Option<u32> {
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let number = text.parse().ok().filter(|number| digits && (min..=max).contains(number));
        if number.is_none() {
            self.add(field, format!("must be a whole number from {min} to {max}"));
        }
        number
    }

    /// The value that a path or query has, if nothing was wrong.
    pub(crate) fn finish_address<T>(self, value: Option<T>) -> Result<T, Problem> {
        match value {
            Some(value) if self.0.is_empty() => Ok(value),
            Some(_) | None => Err(malformed().with_faults(self.0)),
        }
    }

    /// The value that a body has, if nothing was wrong.
    pub(crate) fn finish<T>(self, value: Option<T>) -> Result<T, Problem> {
        match value {
            Some(value) if self.0.is_empty() => Ok(value),
            Some(_) | None => Err(invalid(self.0)),
        }
    }
}

/// The refusal of a path or query that could not be read.
pub(crate) fn malformed() -> Problem {
    let detail =
        "The address asks for something in a form that this route does not take; `errors` names each fault.";
    Problem::new(400, "malformed", detail)
}

/// The refusal of a body that could be read and is not right.
pub(crate) fn invalid(faults: Vec<FieldFault>) -> Problem {
    Problem::new(
        400,
        "invalid_body",
        "The body does not have the form this route takes; `errors` names each fault.",
    )
    .with_faults(faults)
}
