//! The one toolbox of the repository: `cargo xtask <command>`.
//!
//! Every command may be run again at any time: what is done already is skipped, and what is missing is
//! named together with the way to get it. Output of the tools that it calls goes through unchanged; its
//! own lines begin with `[step/steps]` or with `xtask:`.

mod bench;
mod build;
mod chain;
mod contracts;
mod deploy;
mod dev;
mod fault;
mod openapi;
mod process;
mod progress;
mod setup;
mod test;
mod tidy;
mod workspace;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::contracts::Kept;
use crate::dev::Settlement;
use crate::fault::Fault;
use crate::workspace::Workspace;

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Set-up, build, development, tests and measurements of Guildhall")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Set everything up and build both Workers
    Build,
    /// Set everything up, run the whole product on this machine, and play one real job through it
    Dev {
        /// Stop after the job, with its exit code
        #[arg(long)]
        once: bool,
        /// Settle in the facilitator's simulator, without a chain
        #[arg(long)]
        simulator: bool,
        /// The port of the edge Worker
        #[arg(long, default_value_t = 8787)]
        port: u16,
    },
    /// Set everything up and run every check
    Test,
    /// What continuous integration runs: the same as `test`
    Ci,
    /// Measure the built Workers against an empty Worker and an empty object
    Bench,
    /// Write the documents in crates/api/documents that are made from the wire types
    Openapi,
    /// Build, test, analyse and prove the contracts, and check that what is kept of them is up to date
    Contracts {
        /// Bring contracts/artifacts, contracts/snapshots and contracts/gas.json up to date
        #[arg(long)]
        write: bool,
        /// Only find out which changes of the mandate contract no test notices: some hours
        #[arg(long, conflicts_with = "write")]
        mutants: bool,
    },
    /// Deploy the contract Mandates to the chain of `RPC_URL` with the key in `DEPLOYER_KEY`, and verify it
    Deploy {
        /// Only hold this manifest against the chain of `RPC_URL`
        #[arg(long, value_name = "MANIFEST")]
        verify: Option<PathBuf>,
    },
    /// Check names, sizes, manifests and words that the compiler does not check
    Tidy,
}

fn main() -> ExitCode {
    match run(Arguments::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("\nxtask: {fault}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> Result<(), Fault> {
    let workspace = Workspace::find()?;
    match command {
        Command::Build => {
            let tools = setup::everything(&workspace)?;
            build::workers(&workspace, &tools)
        }
        Command::Dev { once, simulator, port } => {
            let settlement = if simulator { Settlement::Simulator } else { Settlement::Chain };
            dev::run(&workspace, settlement, once, port)
        }
        Command::Test | Command::Ci => test::run(&workspace),
        Command::Bench => bench::run(&workspace),
        Command::Openapi => openapi::write(&workspace),
        Command::Contracts { mutants: true, .. } => contracts::mutants(&workspace, &setup::node(&workspace)?),
        Command::Contracts { write, .. } => {
            let kept = if write { Kept::Write } else { Kept::Check };
            contracts::run(&workspace, &setup::node(&workspace)?, kept)
        }
        Command::Deploy { verify } => deploy::run(&workspace, verify.as_deref()),
        Command::Tidy => tidy::run(&workspace),
    }
}
