//! `guildhall executor demo`: an executor that reads synthetic shops, and nothing else.

use core::time::Duration;
use std::collections::BTreeMap;

use client::{
    Error, Millis, RunId, after,
    runs::{Executor, Runs},
    wire::{AgentBrowserCommand, BrowserResult},
};
use serde_json::json;
use synthetic::Errand;

use super::{arguments::Demo, words};
use crate::{
    failure::Failure,
    keeping,
    output::{Output, name, printable},
};

/// How long it waits for a board that does not answer, before it asks again.
const PAUSE: Duration = Duration::from_secs(5);

/// Takes commands and answers them, until Ctrl-C or the first order.
pub(super) async fn run(runs: &Runs, demo: &Demo, output: &Output) -> Result<(), Failure> {
    let badge = match &demo.secret_file {
        Some(file) => keeping::kept(file)?,
        None => runs.register(Some("guildhall executor demo".to_owned())).await?,
    };
    let mut player = Player { executor: runs.executor(badge), carts: BTreeMap::new(), output };
    let id = player.executor.id().clone();
    output.say("An executor that reads made-up shops. Ctrl-C ends it. To have something bought through it:");
    output.say(format_args!(
        "  guildhall run start --requirement \"coca-cola 2l\" --max-cents 6000 --simulated-wallet --executor {id} \
         --token-file run.json --watch"
    ));
    output.made(&json!({ "executorId": id }), id.as_str())?;
    tokio::select! {
        played = player.play(demo.once) => played,
        stopped = tokio::signal::ctrl_c() => {
            output.say("Ended; what is pending waits for another executor.");
            stopped.map_err(|why| Failure::Input(format!("Ctrl-C cannot be heard: {why}")))
        }
    }
}

/// The executor, and what lies in its carts.
struct Player<'a> {
    executor: Executor,
    carts: BTreeMap<RunId, Errand>,
    output: &'a Output,
}

impl Player<'_> {
    async fn play(&mut self, once: bool) -> Result<(), Failure> {
        loop {
            match self.executor.poll().await {
                Ok(commands) => {
                    for command in commands {
                        if self.answer(&command).await? && once {
                            return Ok(());
                        }
                    }
                }
                Err(why @ Error::Unreachable { .. }) => {
                    self.output.say(format_args!("{why}; asking again in {} seconds", PAUSE.as_secs()));
                    tokio::time::sleep(PAUSE).await;
                }
                Err(why) => return Err(why.into()),
            }
        }
    }

    /// Answers a command, and says whether that ended its purchase.
    async fn answer(&mut self, command: &AgentBrowserCommand) -> Result<bool, Failure> {
        let (run, results) = self.look(command).map_err(|why| {
            Failure::Input(format!("the command {} cannot be read: {why}", printable(&command.command_id)))
        })?;
        for result in results {
            let result = words::result(&command.command_id, result);
            let taken = match self.executor.answer(&run, &result).await {
                Ok(_) => "taken".to_owned(),
                // A run that went on without it: there is nothing more to be said to this command.
                Err(Error::Refused(refused)) if refused.status < 500 => {
                    self.say(&run, command, &result, &printable(&refused.problem.detail));
                    return Ok(false);
                }
                Err(why) => return Err(why.into()),
            };
            self.say(&run, command, &result, &taken);
            if let BrowserResult::Order { confirmed: true, .. } = result {
                self.carts.remove(&run);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What the shops show.
    fn look(&mut self, command: &AgentBrowserCommand) -> Result<(RunId, Vec<::run::BrowserResult>), String> {
        let now = after(Millis(0));
        let run: RunId = command.run_id.parse().map_err(|why| format!("its run {why}"))?;
        let task = words::task(&command.task, now)?;
        let results = synthetic::executor(&run, &task, self.carts.get(&run), now);
        if let Some(errand) = Errand::begun_by(&task) {
            self.carts.insert(run.clone(), errand);
        }
        Ok((run, results))
    }

    fn say(&self, run: &RunId, command: &AgentBrowserCommand, result: &BrowserResult, taken: &str) {
        self.output.say(format_args!(
            "{run}  {}  {} -> {}: {taken}",
            printable(&command.command_id),
            kind(&command.task),
            kind(result)
        ));
    }
}

/// The `type` of a word of the protocol.
fn kind(word: &impl serde::Serialize) -> String {
    serde_json::to_value(word).ok().and_then(|word| word.get("type").map(name)).unwrap_or_default()
}
