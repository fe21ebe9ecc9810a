//! `guildhall run watch`: line by line.

use client::{
    runs::Purchase,
    wire::{Run, RunFact, RunFrame, RunHistory, RunState},
};
use serde_json::json;

use super::{Desk, arguments::Watch, show};
use crate::{failure::Failure, output::printable};

impl Desk<'_> {
    /// Follows a run until it is over, or until it is somebody's turn here, unless it is to stay.
    pub(super) async fn watch(&self, purchase: &Purchase, watch: &Watch) -> Result<(), Failure> {
        let mut events = self.runs.watch(purchase, watch.after)?;
        let mut last = None;
        while let Some(frame) = events.next().await? {
            self.output.give(&frame)?;
            let (run, message, is_stuck) = match frame {
                RunFrame::Event { event, run, .. } => {
                    self.output.say(show::line(&event));
                    let is_stuck = matches!(event.fact, RunFact::ExecutorOffline { .. });
                    (run, printable(&event.message), is_stuck)
                }
                RunFrame::Reset { run } => {
                    let (after, version) = (watch.after, run.version);
                    let message =
                        format!("There is no event {after} of this run; going on from event {version}.");
                    self.output.say(&message);
                    (run, message, true)
                }
            };
            if (is_stuck || show::may_wait(run.state))
                && let Some(turn) = self.turn(purchase, run.version, watch).await?
            {
                self.output.say(turn);
                if !watch.stay {
                    return Ok(());
                }
            }
            last = Some((run, message));
        }
        match last {
            Some((run, message)) => self.ended(&run, message),
            None => {
                self.output.say("Nothing has happened since.");
                Ok(())
            }
        }
    }

    /// Whose turn it is, if nothing has happened since the event `seen`: an event shows what was waited for then.
    async fn turn(&self, purchase: &Purchase, seen: u64, watch: &Watch) -> Result<Option<String>, Failure> {
        let RunHistory { run, next_action, .. } = self.runs.show(purchase).await?;
        Ok(self.prompt(&watch.held).turn(&run, &next_action).filter(|_| run.version == seen))
    }

    /// `message` is the last word that was said of the run.
    fn ended(&self, run: &Run, message: String) -> Result<(), Failure> {
        self.output.say("");
        self.output.say(show::run(run));
        let why = run.failure.as_ref().map_or(message, |failure| printable(&failure.reason));
        match run.state {
            RunState::OrderConfirmed => {
                self.output.say("Bought. `guildhall run journal` reads and checks how.");
                Ok(())
            }
            RunState::SettlementUnknown | RunState::OrderUnknown => {
                Err(Failure::Unclear { why, answer: Box::new(json!(run)) })
            }
            RunState::NoValidOption | RunState::Cancelled | RunState::SettlementFailed | RunState::Failed => {
                let why = format!("nothing was bought: {why}");
                Err(Failure::Denied { why, details: Vec::new(), answer: Box::new(json!(run)) })
            }
            // The stream ends with the run.
            RunState::IntentCaptured
            | RunState::CandidatesNormalized
            | RunState::BestOptionSelected
            | RunState::RevalidationRequested
            | RunState::Revalidating
            | RunState::QuoteValidated
            | RunState::CheckoutPrepared
            | RunState::PixDetected
            | RunState::WalletRequired
            | RunState::WalletConnected
            | RunState::FundsChecked
            | RunState::ShieldRequired
            | RunState::PaymentReady
            | RunState::UserConfirmation
            | RunState::PaymentAuthorized
            | RunState::Settling
            | RunState::Settled => Ok(()),
        }
    }
}
