//! The command line of `guildhall executor`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// What to do as an executor.
#[derive(Debug, Subcommand)]
pub(crate) enum Executor {
    /// Register with the board: a name, and a secret that is kept in a file.
    Register(Register),
    /// Show whether the board sees an executor, and how much waits for it.
    Show(Known),
    /// Play an executor that reads made-up shops, until Ctrl-C.
    Demo(Demo),
}

/// Where the secret of an executor lies.
#[derive(Debug, Args)]
pub(crate) struct Known {
    /// The file that holds the executor's secret. `executor register` writes it.
    #[arg(long, env = "GUILDHALL_SECRET_FILE", value_name = "FILE")]
    pub(crate) secret_file: PathBuf,
}

/// `executor register`.
#[derive(Debug, Args)]
pub(crate) struct Register {
    /// A name for it that only it sees.
    #[arg(long, value_name = "TEXT")]
    pub(crate) label: Option<String>,
    /// Where the secret goes.
    #[command(flatten)]
    pub(crate) known: Known,
}

/// `executor demo`.
#[derive(Debug, Args)]
pub(crate) struct Demo {
    /// Be the executor of this file. Without it, one is registered that ends with the command.
    #[arg(long, env = "GUILDHALL_SECRET_FILE", value_name = "FILE")]
    pub(crate) secret_file: Option<PathBuf>,
    /// End once the order of one run is confirmed.
    #[arg(long)]
    pub(crate) once: bool,
}
