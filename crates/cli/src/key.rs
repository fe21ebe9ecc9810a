//! `guildhall key …`: a key for trying things out, and the address of one.

use std::path::PathBuf;

use clap::Subcommand;
use serde_json::json;

use crate::{failure::Failure, keeping, output::Output};

/// What to do with keys.
#[derive(Debug, Subcommand)]
pub(crate) enum Key {
    /// Make a key and write it to a file that only you can read. An existing file is left as it is.
    New {
        /// The file.
        file: PathBuf,
    },
    /// Show the address of a key.
    Address {
        /// The file with the key, 64 hexadecimal digits. Without it, GUILDHALL_KEY.
        file: Option<PathBuf>,
    },
}

/// Does one command. The address is the result, on the standard output for scripts.
pub(crate) fn run(command: &Key, output: &Output) -> Result<(), Failure> {
    let signer = match command {
        Key::New { file } => keeping::new_key(file)?,
        Key::Address { file } => keeping::signer(file.as_deref())?,
    };
    let address = signer.address().to_string();
    output.made(&json!({ "address": address }), &address)
}
