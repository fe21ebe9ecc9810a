//! `guildhall`: the gig board, mandates, runs and metering from a terminal.
//!
//! Words for people go to the standard error, data for programs (`--json`) to the standard output, so that
//! `guildhall --json gig status … | jq` works whatever is said beside it. [`failure::Failure::exit_code`] lists the
//! exit codes.

mod advice;
mod arguments;
mod demo;
mod executor;
mod failure;
mod gig;
mod journal;
mod keeping;
mod key;
mod mandate;
mod metering;
mod money;
mod output;
mod run;
mod tunnel;

use std::process::ExitCode;

use arguments::{Arguments, Command};
use clap::Parser as _;
use failure::Failure;
use output::Output;

#[tokio::main]
async fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let output = Output { json: arguments.json };
    match run(arguments, &output).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            output.failed(&failure);
            ExitCode::from(failure.exit_code())
        }
    }
}

async fn run(arguments: Arguments, output: &Output) -> Result<(), Failure> {
    match arguments.command {
        Command::Gig(command) => gig::run(&arguments.api, command, output).await,
        Command::Mandate(command) => mandate::run(&arguments.api, command, output).await,
        Command::Run(command) => run::run(&arguments.api, command, output).await,
        Command::Executor(command) => executor::run(&arguments.api, command, output).await,
        Command::Tenant(command) => metering::tenant::run(&arguments.api, command, output).await,
        Command::Service(command) => metering::service::run(&arguments.api, command, output).await,
        Command::Usage(command) => metering::usage::run(&arguments.api, command, output).await,
        Command::Bill(command) => metering::bill::run(&arguments.api, command, output).await,
        Command::Settle(command) => metering::bill::settle(&arguments.api, command, output).await,
        Command::Reserve(command) => metering::reserve::run(&arguments.api, command, output).await,
        Command::Account(command) => metering::reserve::account(&arguments.api, command, output).await,
        Command::Webhook(command) => metering::webhook::run(&arguments.api, command, output).await,
        Command::Key(command) => key::run(&arguments.api, command, output).await,
        Command::Journal(command) => journal::run(&command, output),
        Command::Demo(who) => demo::run(&arguments.api, &who, output).await,
    }
}
