//! `guildhall mandate evaluate` and `request`: what an agent asks for.

use core::time::Duration;

use client::{
    B256, Signer,
    mandates::{Requested, Wish},
    wire::{Payment, Progress, Verdict},
};
use serde_json::json;

use super::{
    Desk,
    arguments::{Ask, Request},
    service, show,
};
use crate::failure::Failure;

impl Desk<'_> {
    pub(super) async fn evaluate(&self, ask: Ask) -> Result<(), Failure> {
        let evaluation = self.ledger.evaluate(&wish(ask)?).await?;
        match evaluation.verdict {
            Verdict::Allowed => self.output.say("Allowed."),
            Verdict::NeedsApproval => self.output.say("Allowed, once the owner approves it."),
            Verdict::Refused => self.output.say("Not allowed:"),
        }
        for broken in show::broken_rules(&evaluation) {
            self.output.say(format_args!("  {broken}"));
        }
        self.output.say(show::budget(&evaluation.remaining));
        self.output.give(&evaluation)
    }

    pub(super) async fn request(&self, key: &Signer, request: Request) -> Result<(), Failure> {
        let agent = self.ledger.agent(key);
        let is_named = request.ask.request_id.is_some();
        let wish = wish(request.ask)?;
        // Said before anything is sent, so that it is known whatever happens.
        self.output.say(format_args!("Asking as request {}.", wish.request_id));
        let requested = if is_named { agent.repeat(&wish).await? } else { agent.request(&wish).await? };
        let payment = match requested {
            Requested::Made(payment) => payment,
            Requested::Refused(evaluation) => {
                return Err(Failure::Denied {
                    why: "the mandate does not allow this payment; nothing was signed".to_owned(),
                    details: show::broken_rules(&evaluation),
                    answer: Box::new(json!(evaluation)),
                });
            }
        };
        self.output.say(show::payment(&payment));
        let Some(seconds) = request.wait else { return self.asked(&payment) };
        if payment.progress == Progress::AwaitingApproval {
            self.how_to_approve(&payment);
            self.output.say(format_args!("Waiting up to {seconds} seconds for that."));
        }
        let patience = Duration::from_secs(seconds.into());
        let payment = agent.wait_for_approval(&payment, patience).await?;
        match payment.progress {
            Progress::AwaitingApproval => Err(denied(
                format!(
                    "not approved within {seconds} seconds; ask again with --request-id {}",
                    wish.request_id
                ),
                &payment,
            )),
            Progress::Approved
            | Progress::Requested
            | Progress::Submitted
            | Progress::Cancelling
            | Progress::Failed
            | Progress::Rejected
            | Progress::Expired
            | Progress::Cancelled
            | Progress::Escrowed
            | Progress::Delivered
            | Progress::Disputed
            | Progress::Settled
            | Progress::Refunded
            | Progress::Voided
            | Progress::TimedOut => {
                self.output.say(show::payment_line(&payment));
                self.asked(&payment)
            }
        }
    }

    pub(super) async fn submit(&self, key: &Signer, payment: B256) -> Result<(), Failure> {
        let agent = self.ledger.agent(key);
        let asked = agent.payment(payment).await?;
        let payment = agent.wait_for_approval(&asked, Duration::ZERO).await?;
        self.output.say(show::payment_line(&payment));
        self.asked(&payment)
    }

    /// What is to be said of a payment that was asked for.
    fn asked(&self, payment: &Payment) -> Result<(), Failure> {
        match payment.progress {
            Progress::Rejected | Progress::Expired | Progress::Cancelled | Progress::Failed => {
                let note = payment.note.as_deref().map(crate::output::printable);
                let note = note.map(|note| format!(": {note}")).unwrap_or_default();
                Err(denied(
                    format!("nothing is paid, the request is {}{note}", show::name(payment.progress)),
                    payment,
                ))
            }
            Progress::AwaitingApproval => {
                self.how_to_approve(payment);
                self.output.made(payment, &payment.payment)
            }
            Progress::Approved
            | Progress::Requested
            | Progress::Submitted
            | Progress::Cancelling
            | Progress::Escrowed
            | Progress::Delivered
            | Progress::Disputed
            | Progress::Settled
            | Progress::Refunded
            | Progress::Voided
            | Progress::TimedOut => self.output.made(payment, &payment.payment),
        }
    }

    fn how_to_approve(&self, payment: &Payment) {
        let (chain, api) = (self.ledger.domain().chain_id, self.api);
        self.output.say("It waits for the owner, who approves it with the owner's key:");
        self.output.say(format_args!(
            "  guildhall --api {api} mandate --chain {chain} approve {} --key-file FILE",
            payment.payment
        ));
    }
}

fn denied(why: String, payment: &Payment) -> Failure {
    Failure::Denied { why, details: Vec::new(), answer: Box::new(json!(payment)) }
}

fn wish(ask: Ask) -> Result<Wish, Failure> {
    let service = service(&ask.service).map_err(Failure::Input)?;
    let wish = Wish::new(ask.named.mandate, ask.recipient, service, ask.amount.units())?;
    Ok(Wish {
        request_id: ask.request_id.unwrap_or(wish.request_id),
        job_hash: ask.job_hash.unwrap_or_default(),
        ..wish
    })
}
