//! The buyer's money.

use primitives::BaseUnits;
use run::{Basis, BudgetState, View};

use crate::wire;

/// The buyer's money in a run; none before anything is known of a wallet.
pub(super) fn payment(view: &View) -> Option<wire::RunPayment> {
    let payment = wire::RunPayment {
        wallet: view.wallet.as_ref().map(wallet),
        balances: view.balances.as_ref().map(balances),
        requirement: view.requirement.as_ref().map(requirement),
        assessment: view.assessment.as_ref().map(assessment),
        confirmation: view.confirmation.as_ref().map(confirmation),
        budget: view.budget.as_ref().map(budget),
        authorization: view.authorization.as_ref().map(authorization),
        signature: view.payment.as_ref().map(|payment| payment.signature.clone()),
        settlement: view.settlement.clone(),
    };
    let nothing = wire::RunPayment::default();
    Some(payment).filter(|payment| *payment != nothing)
}

pub(super) fn wallet(report: &run::WalletReport) -> wire::WalletState {
    wire::WalletState {
        address: report.address.clone(),
        shielded_usdc: report.shielded.map(text),
        checked_at: report.checked_at.to_rfc3339(),
    }
}

pub(super) fn balances(balances: &run::Balances) -> wire::Balances {
    wire::Balances { public_usdc: balances.public.map(text), shielded_usdc: balances.shielded.map(text) }
}

fn text(amount: BaseUnits) -> String {
    amount.to_string()
}

pub(super) fn requirement(requirement: &run::Requirement) -> wire::FundingRequirement {
    wire::FundingRequirement {
        gross: requirement.gross.to_string(),
        asset: requirement.asset.clone(),
        pay_to: requirement.pay_to.clone(),
        reference: requirement.reference.clone(),
        recipient: requirement.recipient.clone(),
        expires_at: requirement.expires_at.to_rfc3339(),
        simulated: requirement.simulated,
    }
}

pub(super) fn assessment(assessment: &run::Assessment) -> wire::Assessment {
    match assessment {
        run::Assessment::Ready => wire::Assessment::Ready {},
        run::Assessment::ShieldRequired { missing } => {
            wire::Assessment::ShieldRequired { missing: missing.to_string() }
        }
        run::Assessment::Insufficient { missing } => {
            wire::Assessment::Insufficient { missing: missing.to_string() }
        }
    }
}

pub(super) fn confirmation(confirmation: &run::Confirmation) -> wire::RunConfirmation {
    wire::RunConfirmation {
        number: confirmation.number,
        amount_cents: confirmation.amount.to_string(),
        gross: confirmation.gross.to_string(),
        wallet: confirmation.wallet.clone(),
        digest: confirmation.digest.to_string(),
        by: match confirmation.by {
            run::Consenter::RunOwner => wire::Consenter::RunOwner,
            run::Consenter::MandateOwner => wire::Consenter::MandateOwner,
        },
        expires_at: confirmation.expires_at.to_rfc3339(),
    }
}

pub(super) fn budget(budget: &run::Budget) -> wire::RunBudget {
    wire::RunBudget {
        reservation: budget.reservation.to_string(),
        number: budget.number,
        amount: budget.amount.to_string(),
        recipient: budget.recipient.clone(),
        until: budget.until.to_rfc3339(),
        approved: budget.approved,
        state: match budget.state {
            BudgetState::Requested => wire::RunBudgetState::Requested,
            BudgetState::Held => wire::RunBudgetState::Held,
            BudgetState::Committed => wire::RunBudgetState::Committed,
            BudgetState::Released => wire::RunBudgetState::Released,
        },
    }
}

pub(super) fn authorization(authorization: &run::Authorization) -> wire::PaymentAuthorization {
    wire::PaymentAuthorization {
        amount_cents: authorization.amount.to_string(),
        gross: authorization.gross.to_string(),
        wallet: authorization.wallet.clone(),
        basis: match &authorization.basis {
            Basis::UserConfirmation { digest } => {
                wire::AuthorizationBasis::UserConfirmation { digest: digest.to_string() }
            }
            Basis::Mandate { mandate, reservation, confirmation } => wire::AuthorizationBasis::Mandate {
                mandate_id: mandate.clone(),
                reservation: reservation.to_string(),
                confirmation: confirmation.map(|digest| digest.to_string()),
            },
        },
        at: authorization.at.to_rfc3339(),
        submit_by: authorization.submit_by.to_rfc3339(),
    }
}
