//! `guildhall run start`.

use client::{
    Recorded, fresh_message_id,
    runs::Purchase,
    wire::{CreateRun, ExecutionMode, PurchaseBody, RunCreated, WalletKind},
};
use serde_json::json;

use super::{
    Desk,
    arguments::{Held, Start, Watch},
    show,
};
use crate::{failure::Failure, keeping};

impl Desk<'_> {
    pub(super) async fn start(&self, start: Start) -> Result<(), Failure> {
        let Start { signing, held, once, watch, .. } = &start;
        let id = once.message_id.clone().map_or_else(fresh_message_id, Ok)?;
        let wanted = wanted(&start);
        // Said before anything is sent, so that it is known whatever happens.
        self.output.say(format_args!("Starting as message {id}."));
        let Recorded { answer, replayed } = if start.mandate.is_some() {
            let key = keeping::signer(signing.key_file.as_deref())?;
            self.board.mandates(signing.chain).await?.agent(&key).start_run(&id, &wanted).await?
        } else {
            self.runs.start(&id, &wanted).await?
        };
        let purchase = Purchase::of(&answer)?;
        let kept = keeping::keep(&purchase, &held.token_file)?;
        let RunCreated { run, next_action, .. } = &answer;
        if replayed {
            self.output.say("The board had this run already; nothing was started again.");
        }
        self.output.say(format_args!("Run {} is {}.", purchase.run, show::name(run.state)));
        self.output.say(format_args!("Its token is in {}. It is a secret.", kept.display()));
        // Without the token: it lies in the file, and nowhere else.
        let told = json!({ "run": run, "nextAction": next_action, "tokenFile": kept });
        self.output.made(&told, purchase.run.as_str())?;
        let held = Held { token_file: kept };
        if *watch {
            return self.watch(&purchase, &Watch { after: 0, stay: false, held }).await;
        }
        self.output.say(self.prompt(&held).next(run, next_action));
        Ok(())
    }
}

fn wanted(start: &Start) -> CreateRun {
    CreateRun {
        request: PurchaseBody {
            requirement: start.requirement.clone(),
            quantity: start.quantity,
            max_budget_cents: start.max_cents.to_string(),
        },
        executor_id: start.executor.as_ref().map(ToString::to_string),
        user_id: start.user.clone(),
        mandate: start.mandate.map(|mandate| mandate.to_string()),
        execution_mode: ExecutionMode::Simulated,
        wallet: if start.simulated_wallet { WalletKind::Simulated } else { WalletKind::External },
    }
}
