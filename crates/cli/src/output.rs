//! Words on the standard error, data on the standard output.

use std::io::{BufRead as _, IsTerminal as _, Write as _};

use client::Error;
use serde::Serialize;
use serde_json::{Value, json};

use crate::{advice::advice, failure::Failure};

/// How this run speaks.
pub(crate) struct Output {
    /// Whether data goes to the standard output.
    pub(crate) json: bool,
}

impl Output {
    /// A line for people.
    pub(crate) fn say(&self, line: impl core::fmt::Display) {
        // With nobody listening there is nobody to tell.
        writeln!(std::io::stderr().lock(), "{line}").ok();
    }

    /// The result for programs, one line of JSON, if they asked for it.
    pub(crate) fn give<T: Serialize>(&self, value: &T) -> Result<(), Failure> {
        if self.json {
            let text = serde_json::to_string(value)
                .map_err(|why| Failure::Input(format!("the result has no JSON form: {why}")))?;
            self.print(&text)?;
        }
        Ok(())
    }

    /// What was made: all of it as JSON if a program asked for that, else its name, for a script's next command.
    pub(crate) fn made<T: Serialize>(&self, value: &T, name: &str) -> Result<(), Failure> {
        if self.json { self.give(value) } else { self.print(name) }
    }

    /// A line of data.
    pub(crate) fn print(&self, line: &str) -> Result<(), Failure> {
        let mut out = std::io::stdout().lock();
        writeln!(out, "{line}")
            .and_then(|()| out.flush())
            .map_err(|why| Failure::Input(format!("the standard output cannot be written: {why}")))
    }

    /// Asks on the terminal, and goes on after a yes. Without a terminal, nobody can have looked.
    ///
    /// # Errors
    /// [`Failure::Input`] that says what was not done.
    pub(crate) fn ask(&self, question: &str, refused: &str) -> Result<(), Failure> {
        let input = std::io::stdin();
        if !input.is_terminal() {
            return Err(Failure::Input(format!("{refused}: say --yes where nobody can be asked")));
        }
        self.say(question);
        let mut line = String::new();
        input.lock().read_line(&mut line).map_err(|why| Failure::Input(why.to_string()))?;
        if line.trim() == "yes" { Ok(()) } else { Err(Failure::Input(refused.to_owned())) }
    }

    /// A failure: one sentence, its details, what to do; for programs the problem document if there is one.
    pub(crate) fn failed(&self, failure: &Failure) {
        self.say(format_args!("error: {failure}"));
        if let Failure::Board(Error::Refused(refused)) = failure {
            for fault in &refused.problem.errors {
                self.say(format_args!("  {}: {}", fault.field, fault.message));
            }
            if let Some(reason) = refused.receipt.as_ref().and_then(|receipt| receipt.error_reason.as_ref()) {
                self.say(format_args!("  payment: {reason}"));
            }
            self.say(format_args!("  request {}", refused.problem.request_id));
        }
        if let Failure::Denied { details, .. } = failure {
            for detail in details {
                self.say(format_args!("  {detail}"));
            }
        }
        if let Some(advice) = advice(failure) {
            self.say(format_args!("  {advice}"));
        }
        if self.json {
            self.print(&for_programs(failure).to_string()).ok();
        }
    }
}

/// A stranger's text without what would disturb a terminal.
pub(crate) fn printable(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

/// Names and values, line by line.
pub(crate) fn table(lines: Vec<(&str, String)>) -> String {
    let lines: Vec<_> = lines.into_iter().map(|(name, value)| format!("  {name:<16} {value}")).collect();
    lines.join("\n")
}

/// A word of the wire.
pub(crate) fn name(word: impl Serialize) -> String {
    serde_json::to_value(word).ok().and_then(|name| name.as_str().map(str::to_owned)).unwrap_or_default()
}

fn for_programs(failure: &Failure) -> Value {
    let (problem, answer) = match failure {
        Failure::Board(Error::Refused(refused)) => (json!(refused.problem), &Value::Null),
        Failure::Denied { answer, .. } | Failure::Unclear { answer, .. } => (Value::Null, &**answer),
        Failure::Board(_)
        | Failure::Input(_)
        | Failure::Journal(_)
        | Failure::OtherHead { .. }
        | Failure::Demo { .. } => (Value::Null, &Value::Null),
    };
    json!({ "error": failure.to_string(), "exit_code": failure.exit_code(), "problem": problem, "answer": answer })
}
