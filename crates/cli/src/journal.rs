//! `guildhall journal verify`, offline; and journals as `gig journal` and `run journal` tell and keep them.

use std::path::Path;

use client::{
    Digest, Journal as Exported, verify_journal,
    wire::{JournalAnswer, JournalEntry, RunJournalAnswer},
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    arguments::Journal,
    failure::Failure,
    keeping,
    output::{Output, printable},
};

/// A journal in a file, of whatever it is.
#[derive(Deserialize)]
#[serde(untagged)]
enum Kept {
    Gig(JournalAnswer),
    Run(RunJournalAnswer),
}

impl Exported for Kept {
    fn entries(&self) -> &[JournalEntry] {
        match self {
            Self::Gig(journal) => journal.entries(),
            Self::Run(journal) => journal.entries(),
        }
    }

    fn head(&self) -> &str {
        match self {
            Self::Gig(journal) => journal.head(),
            Self::Run(journal) => journal.head(),
        }
    }
}

/// Checks the journal in a file.
pub(crate) fn run(command: &Journal, output: &Output) -> Result<(), Failure> {
    let Journal::Verify { file, head } = command;
    let journal = read(file)?;
    let verified = verify(&journal, head.as_ref())?;
    list(&journal, output);
    let (kind, field, id) = match &journal {
        Kept::Gig(journal) => ("gig", "gig_id", &journal.gig_id),
        Kept::Run(journal) => ("run", "runId", &journal.run_id),
    };
    output.say(format_args!(
        "The journal of {kind} {} holds: {} entries, head {}.",
        printable(id),
        verified.entries,
        verified.head
    ));
    if head.is_none() {
        output.say("Compare the head with one that you know, such as the other party's: the chain alone cannot tell a whole journal that was made up.");
    }
    output.give(&json!({ field: id, "entries": verified.entries, "head": verified.head }))
}

/// Tells a journal that was fetched, keeps it in a file if it is to be kept, and checks it.
pub(crate) fn keep(
    journal: &(impl Exported + Serialize),
    out: Option<&Path>,
    output: &Output,
) -> Result<(), Failure> {
    list(journal, output);
    if let Some(path) = out {
        let text = serde_json::to_string_pretty(journal).map_err(|why| Failure::Input(why.to_string()))?;
        std::fs::write(path, text).map_err(|why| {
            Failure::Input(format!("the journal could not be written to {}: {why}", path.display()))
        })?;
        output.say(format_args!(
            "Kept in {}; check it any time with `guildhall journal verify`.",
            path.display()
        ));
    }
    let verified = verify(journal, None)?;
    output.say(format_args!("The chain holds: {} entries, head {}.", verified.entries, verified.head));
    output.give(journal)
}

fn list(journal: &impl Exported, output: &Output) {
    for entry in journal.entries() {
        output.say(format_args!("{:>4}  {}  {}", entry.seq, printable(&entry.at), name(&entry.event)));
    }
}

fn read(file: &Path) -> Result<Kept, Failure> {
    serde_json::from_str(&keeping::read(file, "journal")?)
        .map_err(|_| Failure::Input(format!("{} is no journal of a gig or a run", file.display())))
}

/// Checks a journal, and that it is the one whose head is known.
fn verify(journal: &impl Exported, head: Option<&Digest>) -> Result<client::Verified, Failure> {
    let verified = verify_journal(journal).map_err(Failure::Journal)?;
    match head {
        Some(given) if *given != verified.head => {
            Err(Failure::OtherHead { found: verified.head.to_string(), given: given.to_string() })
        }
        Some(_) | None => Ok(verified),
    }
}

/// What an event calls itself: its type, or the name of its fact.
fn name(event: &Value) -> String {
    match event.get("type").or_else(|| event.get("fact")).unwrap_or(event) {
        Value::String(name) => printable(name),
        Value::Object(fact) => fact.keys().next().map(|name| printable(name)).unwrap_or_default(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => event.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_called_what_it_calls_itself() {
        for (event, called) in [
            (json!({ "v": 1, "actor": "agent", "type": "PAYMENT_READY" }), "PAYMENT_READY"),
            (json!({ "fact": "Funded" }), "Funded"),
            (json!({ "fact": { "Claimed": { "worker": "w" } } }), "Claimed"),
            (json!({ "Reserved": {} }), "Reserved"),
            (json!("Woken"), "Woken"),
            (json!({ "type": "A\u{1b}[2J" }), "A [2J"),
        ] {
            assert_eq!(name(&event), called);
        }
    }
}
