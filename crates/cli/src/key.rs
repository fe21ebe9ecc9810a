//! `guildhall key …`: a key for trying things out, and the address of one; and the API keys of a tenant.

use std::path::PathBuf;

use clap::Subcommand;
use client::Signer;
use serde_json::json;

use crate::{
    failure::Failure,
    keeping,
    metering::{Keyed, api_key},
    output::Output,
};

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
    /// Make an API key for a tenant.
    Create(api_key::Create),
    /// List the API keys of a tenant.
    List(Keyed),
    /// Show an API key of a tenant.
    Show(api_key::One),
    /// Replace an API key by a new one.
    Rotate(api_key::Rotate),
    /// Have an API key open nothing any more.
    Revoke(api_key::One),
}

/// Does one command on the board at `api`; what is about a signing key stays on this machine.
pub(crate) async fn run(api: &str, command: Key, output: &Output) -> Result<(), Failure> {
    match command {
        Key::New { file } => told(&keeping::new_key(&file)?, output),
        Key::Address { file } => told(&keeping::signer(file.as_deref())?, output),
        Key::Create(create) => api_key::create(api, create, output).await,
        Key::List(keyed) => api_key::list(api, keyed, output).await,
        Key::Show(one) => api_key::show(api, one, output).await,
        Key::Rotate(rotate) => api_key::rotate(api, rotate, output).await,
        Key::Revoke(one) => api_key::revoke(api, one, output).await,
    }
}

/// The address is the result, on the standard output for scripts.
fn told(signer: &Signer, output: &Output) -> Result<(), Failure> {
    let address = signer.address().to_string();
    output.made(&json!({ "address": address }), &address)
}
