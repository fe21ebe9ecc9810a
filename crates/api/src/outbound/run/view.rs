//! A run as it stands.

use run::{Actor, Mode, Rails, View};

use super::funds::payment;
use super::quote::{command, order, quote, target};
use crate::wire::{self, RunActor, RunState};

/// A run.
pub fn run(view: &View) -> wire::Run {
    wire::Run {
        id: view.run.to_string(),
        user_id: view.user.clone(),
        executor_id: view.executor.to_string(),
        execution_mode: mode(view.mode),
        settlement: settlement(&view.rails),
        state: state(view.state),
        is_terminal: view.state.is_terminal(),
        intent: intent(&view.intent),
        candidates: view.candidates.iter().map(candidate).collect(),
        rejected_candidates: view.rejected.iter().map(rejected).collect(),
        selected_candidate: view.selected.as_ref().map(candidate),
        validated_quote: view.validated_quote.as_ref().map(quote),
        checkout: view
            .checkout
            .as_ref()
            .map(|checkout| wire::Checkout { quote: quote(checkout), pix: view.pix.as_ref().map(target) }),
        payment: payment(view),
        order: view.order.as_ref().map(order),
        pending_command: view.pending.as_ref().map(|pending| command(&view.run, pending)),
        mandate: view.mandate.as_ref().map(mandate),
        failure: view
            .ending
            .as_ref()
            .map(|ending| wire::RunFailure { code: ending.code.clone(), reason: ending.reason.clone() }),
        created_at: view.created_at.to_rfc3339(),
        updated_at: view.updated_at.to_rfc3339(),
        version: view.version,
    }
}

/// What should happen next.
pub fn next_action(next: &run::NextAction) -> wire::NextAction {
    wire::NextAction {
        actor: actor(next.actor),
        action: next.action.to_owned(),
        message: next.message.clone(),
        until: next.until.map(primitives::UnixMillis::to_rfc3339),
    }
}

pub(super) const fn actor(actor: Actor) -> RunActor {
    match actor {
        Actor::User => RunActor::User,
        Actor::Agent => RunActor::Agent,
        Actor::Browser => RunActor::Browser,
        Actor::Wallet => RunActor::Wallet,
        Actor::Chain => RunActor::Chain,
        Actor::System => RunActor::System,
    }
}

pub(super) const fn mode(mode: Mode) -> wire::ExecutionMode {
    match mode {
        Mode::Simulated => wire::ExecutionMode::Simulated,
        Mode::Real => wire::ExecutionMode::Real,
    }
}

pub(super) fn settlement(rails: &Rails) -> wire::Settlement {
    match rails {
        Rails::Simulated { wallet } => wire::Settlement::Simulated { wallet: *wallet },
        Rails::Chain { network } => wire::Settlement::Chain { network: network.clone() },
    }
}

pub(super) fn intent(intent: &run::Intent) -> wire::PurchaseIntent {
    wire::PurchaseIntent {
        requirement: intent.requirement.clone(),
        quantity: intent.quantity,
        max_budget_cents: intent.max_total.to_string(),
    }
}

pub(super) fn mandate(mandate: &run::Mandate) -> wire::RunMandate {
    wire::RunMandate {
        mandate: mandate.mandate.clone(),
        owner: mandate.owner.clone(),
        agent: mandate.agent.clone(),
    }
}

pub(super) fn candidate(candidate: &run::Candidate) -> wire::Candidate {
    wire::Candidate {
        candidate_id: candidate.candidate_id.clone(),
        observation_id: candidate.observation_id.clone(),
        source: candidate.source.clone(),
        merchant_name: candidate.merchant.clone(),
        observed_total_cents: candidate.observed_total.to_string(),
        observed_at: candidate.observed_at.to_rfc3339(),
    }
}

pub(super) fn rejected(rejected: &run::RejectedCandidate) -> wire::RejectedCandidate {
    wire::RejectedCandidate { candidate_id: rejected.candidate_id.clone(), reasons: rejected.reasons.clone() }
}

const fn state(state: run::RunState) -> RunState {
    match state {
        run::RunState::IntentCaptured => RunState::IntentCaptured,
        run::RunState::CandidatesNormalized => RunState::CandidatesNormalized,
        run::RunState::BestOptionSelected => RunState::BestOptionSelected,
        run::RunState::RevalidationRequested => RunState::RevalidationRequested,
        run::RunState::Revalidating => RunState::Revalidating,
        run::RunState::QuoteValidated => RunState::QuoteValidated,
        run::RunState::CheckoutPrepared => RunState::CheckoutPrepared,
        run::RunState::PixDetected => RunState::PixDetected,
        run::RunState::WalletRequired => RunState::WalletRequired,
        run::RunState::WalletConnected => RunState::WalletConnected,
        run::RunState::FundsChecked => RunState::FundsChecked,
        run::RunState::ShieldRequired => RunState::ShieldRequired,
        run::RunState::PaymentReady => RunState::PaymentReady,
        run::RunState::UserConfirmation => RunState::UserConfirmation,
        run::RunState::PaymentAuthorized => RunState::PaymentAuthorized,
        run::RunState::Settling => RunState::Settling,
        run::RunState::Settled => RunState::Settled,
        run::RunState::OrderConfirmed => RunState::OrderConfirmed,
        run::RunState::NoValidOption => RunState::NoValidOption,
        run::RunState::Cancelled => RunState::Cancelled,
        run::RunState::SettlementFailed => RunState::SettlementFailed,
        run::RunState::Failed => RunState::Failed,
        run::RunState::SettlementUnknown => RunState::SettlementUnknown,
        run::RunState::OrderUnknown => RunState::OrderUnknown,
    }
}
