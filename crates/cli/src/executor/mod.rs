//! `guildhall executor …`: one function for each command.

pub(crate) mod arguments;
mod demo;
mod words;

use client::{
    Guildhall,
    runs::{Badge, Runs},
};
use serde_json::json;

use self::arguments::{Executor, Known, Register};
use crate::{
    failure::Failure,
    keeping,
    output::{Output, name, printable, table},
};

/// Does one command on the board at `api`.
pub(crate) async fn run(api: &str, command: Executor, output: &Output) -> Result<(), Failure> {
    let runs = Guildhall::new(api)?.runs();
    match command {
        Executor::Register(register) => self::register(&runs, register, output).await,
        Executor::Show(known) => show(&runs, &known, output).await,
        Executor::Demo(demo) => demo::run(&runs, &demo, output).await,
    }
}

async fn register(runs: &Runs, register: Register, output: &Output) -> Result<(), Failure> {
    let badge = runs.register(register.label).await?;
    let kept = keeping::keep(&badge, &register.known.secret_file)?;
    output.say(format_args!("Its secret is in {}.", kept.display()));
    output.say(format_args!("Runs name it with `guildhall run start --executor {}`.", badge.executor_id));
    let told = json!({ "executorId": badge.executor_id, "secretFile": kept });
    output.made(&told, badge.executor_id.as_str())
}

async fn show(runs: &Runs, known: &Known, output: &Output) -> Result<(), Failure> {
    let badge: Badge = keeping::kept(&known.secret_file)?;
    let seen = runs.executor(badge).look().await?;
    let mut lines = vec![
        ("executor", printable(&seen.executor_id)),
        ("status", name(seen.status)),
        ("last seen", printable(&seen.last_seen_at)),
        ("pending", seen.pending.to_string()),
    ];
    if let Some(label) = &seen.label {
        lines.push(("label", printable(label)));
    }
    output.say(table(lines));
    output.give(&seen)
}
