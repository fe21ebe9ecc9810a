//! What has happened to a run.

use primitives::{RunId, UnixMillis};
use run::{BrowserCommand, Creation, Event, Fact as F, Payment, Signal, describe};

use super::quote::{command, order, quote, target};
use super::view::{actor, candidate, intent, mandate, mode, rejected, settlement};
use super::{funds, refused};
use crate::wire::{RunEvent, RunFact as W, RunSignal};

/// The event of a run that is the `seq`th of its journal.
pub fn event(run: &RunId, seq: u64, event: &Event) -> RunEvent {
    RunEvent {
        seq,
        actor: actor(event.actor),
        at: event.at.to_rfc3339(),
        fact: fact(run, event.fact.clone()),
        message: describe(&event.fact),
    }
}

/// One line for each fact: what is told of it under which name.
fn fact(run: &RunId, fact: F) -> W {
    let at = UnixMillis::to_rfc3339;
    let given = |given: &BrowserCommand| command(run, given);
    match fact {
        F::IntentCreated(creation) => created(*creation),
        F::TokenReissued { token: _ } => W::TokenReissued {},
        F::TokenUsed => W::TokenUsed {},
        F::MarketSearchStarted { attempt } => W::MarketSearchStarted { attempt },
        F::MarketSearchFailed { attempt, reason, again_at } => {
            W::MarketSearchFailed { attempt, reason, again_at: again_at.map(at) }
        }
        F::MarketSearched { source, candidates, rejected: others } => W::MarketSearched {
            source,
            candidates: candidates.iter().map(candidate).collect(),
            rejected: others.iter().map(rejected).collect(),
        },
        F::CandidateSelected { candidate_id } => W::CandidateSelected { candidate_id },
        F::RevalidationRequested { command } => W::RevalidationRequested { command: given(&command) },
        F::RevalidationStarted { command_id } => W::RevalidationStarted { command_id },
        F::CommandStarted { command_id } => W::CommandStarted { command_id },
        F::BrowserNeedsUser { command_id, reason, until } => {
            W::BrowserNeedsUser { command_id, reason, until: at(until) }
        }
        F::CommandFailed { command_id, reason, attempt } => W::CommandFailed { command_id, reason, attempt },
        F::CommandTimedOut { command_id, attempt } => W::CommandTimedOut { command_id, attempt },
        F::ExecutorOffline { executor } => W::ExecutorOffline { executor_id: executor.to_string() },
        F::ExecutorBound { executor } => W::ExecutorBound { executor_id: executor.to_string() },
        F::QuoteValidated { quote: read } => W::QuoteValidated { quote: quote(&read) },
        F::CandidateRejected { candidate_id, reasons } => W::CandidateRejected { candidate_id, reasons },
        F::CheckoutRequested { command } => W::CheckoutRequested { command: given(&command) },
        F::CheckoutReady { quote: read } => W::CheckoutReady { quote: quote(&read) },
        F::CheckoutInvalidated { reason } => W::CheckoutInvalidated { reason },
        F::PixRequested { command } => W::PixRequested { command: given(&command) },
        F::PixDetected { target: read } => W::PixDetected { target: target(&read) },
        F::WalletRequired => W::WalletRequired {},
        F::WalletConnected { report } => W::WalletConnected { wallet: funds::wallet(&report) },
        F::WalletDisconnected { report } => W::WalletDisconnected { wallet: funds::wallet(&report) },
        F::WalletIgnored { address } => W::WalletIgnored { address },
        F::FundsCheckStarted { number, wallet, amount } => {
            W::FundsCheckStarted { number, wallet, amount_cents: amount.to_string() }
        }
        F::FundsCheckFailed { number, reason, again_at } => {
            W::FundsCheckFailed { number, reason, again_at: again_at.map(at) }
        }
        F::FundsChecked { number, balances, requirement, assessment } => W::FundsChecked {
            number,
            balances: funds::balances(&balances),
            requirement: funds::requirement(&requirement),
            assessment: funds::assessment(&assessment),
        },
        F::ShieldRequired { missing } => W::ShieldRequired { missing: missing.to_string() },
        F::PaymentReady => W::PaymentReady {},
        F::ConfirmationRequested { confirmation } => {
            W::ConfirmationRequested { confirmation: funds::confirmation(&confirmation) }
        }
        F::SignalHeld { signal } => W::SignalHeld { signal: held(signal) },
        F::SignalRefused { signal, refusal } => {
            let problem = refused(&refusal);
            W::SignalRefused { signal, code: problem.code, reason: problem.detail }
        }
        F::UserConfirmed { digest, amount, signer } => {
            W::UserConfirmed { digest: digest.to_string(), amount_cents: amount.to_string(), signer }
        }
        F::UserRejected => W::UserRejected {},
        F::BudgetRequested { budget } => W::BudgetRequested { budget: funds::budget(&budget) },
        F::BudgetHeld { reservation } => W::BudgetHeld { reservation: reservation.to_string() },
        F::BudgetNeedsApproval { reservation, reason } => {
            W::BudgetNeedsApproval { reservation: reservation.to_string(), reason }
        }
        F::BudgetRefused { reservation, code, reason } => {
            W::BudgetRefused { reservation: reservation.to_string(), code, reason }
        }
        F::BudgetReturned { reservation } => W::BudgetReturned { reservation: reservation.to_string() },
        F::BudgetLapsed { reservation } => W::BudgetLapsed { reservation: reservation.to_string() },
        F::PaymentAuthorized { authorization } => {
            W::PaymentAuthorized { authorization: funds::authorization(&authorization) }
        }
        F::PaymentSubmitted { payment: Payment { signature, last_valid_block_height } } => {
            W::PaymentSubmitted { signature, last_valid_block_height }
        }
        F::PaymentWindowClosed => W::PaymentWindowClosed {},
        F::PaymentTraceStarted { attempt } => W::PaymentTraceStarted { attempt },
        F::PaymentTraceFailed { attempt, reason, again_at } => {
            W::PaymentTraceFailed { attempt, reason, again_at: at(again_at) }
        }
        F::PaymentFound { payment: Payment { signature, last_valid_block_height } } => {
            W::PaymentFound { signature, last_valid_block_height }
        }
        F::PaymentAbsent => W::PaymentAbsent {},
        F::SettlementLookStarted { attempt } => W::SettlementLookStarted { attempt },
        F::SettlementUnresolved { attempt, reason, again_at } => {
            W::SettlementUnresolved { attempt, reason, again_at: at(again_at) }
        }
        F::SettlementVerified { signature, reference, received } => {
            W::SettlementVerified { signature, reference, received: received.to_string() }
        }
        F::SettlementFailed { signature, code, reason } => W::SettlementFailed { signature, code, reason },
        F::SettlementAbandoned => W::SettlementAbandoned {},
        F::OrderRequested { command } => W::OrderRequested { command: given(&command) },
        F::OrderPending { evidence, again_at } => W::OrderPending { evidence, again_at: at(again_at) },
        F::OrderConfirmed { evidence } => W::OrderConfirmed { order: order(&evidence) },
        F::OrderAbandoned { evidence } => W::OrderAbandoned { evidence },
        F::CancelRequested => W::CancelRequested {},
        F::Cancelled => W::Cancelled {},
        F::CancelLost => W::CancelLost {},
        F::NoOptionLeft => W::NoOptionLeft {},
        F::RunFailed { code, reason } => W::RunFailed { code, reason },
    }
}

/// What a run was made of, but its token.
fn created(creation: Creation) -> W {
    let Creation { run: _, intent: wanted, executor, mode: moves, rails, mandate: under, user, token: _ } =
        creation;
    W::IntentCreated {
        intent: intent(&wanted),
        executor_id: executor.to_string(),
        execution_mode: mode(moves),
        settlement: settlement(&rails),
        mandate: under.as_ref().map(mandate),
        user_id: user,
    }
}

fn held(signal: Signal) -> RunSignal {
    match signal {
        Signal::Confirm { digest, amount, signer } => {
            RunSignal::Confirm { digest: digest.to_string(), amount_cents: amount.to_string(), signer }
        }
        Signal::Pay { payment: Payment { signature, last_valid_block_height } } => {
            RunSignal::Pay { signature, last_valid_block_height }
        }
    }
}
