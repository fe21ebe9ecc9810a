//! What the compiler does not check and a reader would notice: sizes, names, words, who knows whom.
//!
//! Each rule is a pure function over texts, so that its tests show it bad samples and see it object.

mod dependencies;
mod invariants;
mod length;
mod sources;
mod words;

use std::fmt;

use crate::fault::Fault;
use crate::workspace::Workspace;

/// One objection: where, and what to change.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Complaint {
    place: String,
    words: String,
}

impl Complaint {
    fn new(place: impl Into<String>, words: impl Into<String>) -> Self {
        Self { place: place.into(), words: words.into() }
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.words)
    }
}

/// Applies every rule to the checkout.
///
/// # Errors
/// When a file cannot be read, or a rule objects; all objections are printed first.
pub(crate) fn run(workspace: &Workspace) -> Result<(), Fault> {
    let files = sources::all(&workspace.root)?;
    let packages = workspace.packages()?;
    let mut complaints = Vec::new();
    for file in &files {
        complaints.extend(length::check(file));
        complaints.extend(words::check(file));
    }
    complaints.extend(dependencies::check(&packages));
    complaints.extend(invariants::check(&files));
    for complaint in &complaints {
        eprintln!("{complaint}");
    }
    match complaints.len() {
        0 => Ok(()),
        1 => Err(Fault::new("1 thing is not tidy")),
        many => Err(Fault::new(format!("{many} things are not tidy"))),
    }
}
