//! `guildhall run …`: one function for each command.

pub(crate) mod arguments;
mod show;
mod start;
mod watch;

use client::{
    Guildhall, Recorded, after,
    runs::{Purchase, Question, Runs},
    wire::{Consenter, PaymentBody, RunAnswer, WalletBody},
};
use serde_json::json;

use self::{
    arguments::{Confirm, Fetch, Held, Pay, Rebind, Run, Wallet},
    show::Prompt,
};
use crate::{
    failure::Failure,
    journal, keeping,
    output::{Output, printable},
};

/// Does one command on the board at `api`.
pub(crate) async fn run(api: &str, command: Run, output: &Output) -> Result<(), Failure> {
    let board = Guildhall::new(api)?;
    let desk = Desk { runs: board.runs(), board, api, output };
    match command {
        Run::Start(start) => desk.start(start).await,
        Run::Watch(watch) => desk.watch(&watch.held.purchase()?, &watch).await,
        Run::Show(held) => desk.show(&held).await,
        Run::Confirm(confirm) => desk.confirm(confirm).await,
        Run::Reject(held) => desk.told(&desk.runs.reject(&held.purchase()?).await?, &held),
        Run::Wallet(wallet) => desk.wallet(wallet).await,
        Run::Pay(Pay { signature, last_valid_block_height, held }) => {
            let payment = PaymentBody { signature, last_valid_block_height };
            desk.told(&desk.runs.pay(&held.purchase()?, &payment).await?, &held)
        }
        Run::Cancel(held) => desk.told(&desk.runs.cancel(&held.purchase()?).await?, &held),
        Run::Rebind(Rebind { executor, held }) => {
            desk.told(&desk.runs.rebind(&held.purchase()?, &executor).await?, &held)
        }
        Run::Journal(fetch) => desk.fetch(&fetch).await,
    }
}

impl Held {
    fn purchase(&self) -> Result<Purchase, Failure> {
        keeping::kept(&self.token_file)
    }
}

/// Where the commands work.
struct Desk<'a> {
    board: Guildhall,
    runs: Runs,
    api: &'a str,
    output: &'a Output,
}

impl Desk<'_> {
    async fn show(&self, held: &Held) -> Result<(), Failure> {
        let history = self.runs.show(&held.purchase()?).await?;
        for event in &history.events {
            self.output.say(show::line(event));
        }
        self.output.say("");
        self.output.say(show::run(&history.run));
        self.output.say(self.prompt(held).next(&history.run, &history.next_action));
        self.output.give(&history)
    }

    async fn confirm(&self, confirm: Confirm) -> Result<(), Failure> {
        let Confirm { yes, signing, held } = confirm;
        let purchase = held.purchase()?;
        let history = self.runs.show(&purchase).await?;
        let Some(question) = Question::of(&history.run)? else {
            return Err(Failure::Denied {
                why: format!("nothing is to be confirmed: the run is {}", show::name(history.run.state)),
                details: vec![printable(&history.next_action.message)],
                answer: Box::new(json!(history.run)),
            });
        };
        self.output.say("To agree is to pay exactly this:");
        self.output.say(show::question(&question));
        if !yes {
            self.output.ask("Agree? Type yes:", "nothing was confirmed")?;
        }
        let answer = match question.confirmation.by {
            Consenter::RunOwner => self.runs.confirm(&purchase, &question).await?,
            Consenter::MandateOwner => {
                let key = keeping::signer(signing.key_file.as_deref())?;
                self.board.mandates(signing.chain).await?.owner(&key).confirm(&question).await?
            }
        };
        self.told(&answer, &held)
    }

    async fn wallet(&self, wallet: Wallet) -> Result<(), Failure> {
        let Wallet { address, shielded, disconnected, held } = wallet;
        let report = WalletBody {
            connected: !disconnected,
            address,
            shielded_usdc: shielded.map(|units| units.to_string()),
            checked_at: Some(after(client::Millis(0)).to_rfc3339()),
        };
        self.told(&self.runs.wallet_state(&held.purchase()?, &report).await?, &held)
    }

    async fn fetch(&self, fetch: &Fetch) -> Result<(), Failure> {
        let answer = self.runs.journal(&fetch.held.purchase()?).await?;
        journal::keep(&answer, fetch.out.as_deref(), self.output)
    }

    fn prompt<'a>(&'a self, held: &'a Held) -> Prompt<'a> {
        Prompt { api: self.api, token_file: &held.token_file }
    }

    /// Where a run stands after what was asked of it.
    fn told(&self, recorded: &Recorded<RunAnswer>, held: &Held) -> Result<(), Failure> {
        let RunAnswer { run, next_action } = &recorded.answer;
        if recorded.replayed {
            self.output.say("This was done before; nothing happened now.");
        }
        self.output.say(format_args!("Run {} is {}.", printable(&run.id), show::name(run.state)));
        self.output.say(self.prompt(held).next(run, next_action));
        self.output.give(&recorded.answer)
    }
}
