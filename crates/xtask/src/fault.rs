//! What can go wrong in the toolbox, as one sentence for the person in front of it.

use std::fmt;
use std::path::Path;

/// Why a command of the toolbox stopped, and what to do about it.
#[derive(Debug)]
pub(crate) struct Fault(String);

impl Fault {
    /// A fault in words: what is wrong, then what to do.
    pub(crate) fn new(words: impl Into<String>) -> Self {
        Self(words.into())
    }

    /// A fault that a file or folder caused.
    pub(crate) fn file(what: &str, path: &Path, error: &std::io::Error) -> Self {
        Self(format!("cannot {what} {}: {error}", path.display()))
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
