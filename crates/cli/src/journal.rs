//! `guildhall journal verify`: offline.

use std::path::Path;

use client::{Digest, verify_journal, wire::JournalAnswer};
use serde_json::{Value, json};

use crate::{arguments::Journal, failure::Failure, keeping, output::Output};

/// Checks the journal in a file.
pub(crate) fn run(command: &Journal, output: &Output) -> Result<(), Failure> {
    let Journal::Verify { file, head } = command;
    let journal = read(file)?;
    let verified = verify(&journal, head.as_ref())?;
    for entry in &journal.entries {
        output.say(format_args!("{:>4}  {}  {}", entry.seq, entry.at, name(&entry.event)));
    }
    output.say(format_args!(
        "The journal of gig {} holds: {} entries, head {}.",
        journal.gig_id, verified.entries, verified.head
    ));
    if head.is_none() {
        output.say("Compare the head with the other party's: the chain alone cannot tell a whole journal that was made up.");
    }
    output.give(&json!({ "gig_id": journal.gig_id, "entries": verified.entries, "head": verified.head }))
}

fn read(file: &Path) -> Result<JournalAnswer, Failure> {
    serde_json::from_str(&keeping::read(file, "journal")?)
        .map_err(|why| Failure::Input(format!("{} is not a journal: {why}", file.display())))
}

/// Checks a journal, and that it is the one whose head is known.
pub(crate) fn verify(journal: &JournalAnswer, head: Option<&Digest>) -> Result<client::Verified, Failure> {
    let verified = verify_journal(journal).map_err(Failure::Journal)?;
    match head {
        Some(given) if *given != verified.head => {
            Err(Failure::OtherHead { found: verified.head.to_string(), given: given.to_string() })
        }
        Some(_) | None => Ok(verified),
    }
}

/// What an event calls itself: the name of its fact.
pub(crate) fn name(event: &Value) -> String {
    match event.get("fact").unwrap_or(event) {
        Value::String(name) => name.clone(),
        Value::Object(fact) => fact.keys().next().cloned().unwrap_or_default(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => event.to_string(),
    }
}
