//! A run as it is shown.

use primitives::{ExecutorId, RunId, UnixMillis};
use serde::{Deserialize, Serialize};

use crate::stage::{Outcome, Stage};
use crate::{
    Assessment, Authorization, Balances, BrowserCommand, Budget, Candidate, Confirmation, Intent, Mandate,
    Mode, OrderEvidence, Payment, PixTarget, Quote, Rails, RejectedCandidate, Requirement, Run, WalletReport,
};

/// Where a run stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[expect(missing_docs, reason = "as published")]
pub enum RunState {
    IntentCaptured,
    CandidatesNormalized,
    BestOptionSelected,
    RevalidationRequested,
    Revalidating,
    QuoteValidated,
    CheckoutPrepared,
    PixDetected,
    WalletRequired,
    WalletConnected,
    FundsChecked,
    ShieldRequired,
    PaymentReady,
    UserConfirmation,
    PaymentAuthorized,
    Settling,
    Settled,
    OrderConfirmed,
    NoValidOption,
    Cancelled,
    SettlementFailed,
    Failed,
    /// Terminal: for as long as anyone looked, nobody could say whether the payment had landed.
    SettlementUnknown,
    /// Terminal: paid, and for as long as anyone asked, the shop did not confirm the order.
    OrderUnknown,
}

impl RunState {
    /// As published.
    pub const fn name(self) -> &'static str {
        match self {
            Self::IntentCaptured => "INTENT_CAPTURED",
            Self::CandidatesNormalized => "CANDIDATES_NORMALIZED",
            Self::BestOptionSelected => "BEST_OPTION_SELECTED",
            Self::RevalidationRequested => "REVALIDATION_REQUESTED",
            Self::Revalidating => "REVALIDATING",
            Self::QuoteValidated => "QUOTE_VALIDATED",
            Self::CheckoutPrepared => "CHECKOUT_PREPARED",
            Self::PixDetected => "PIX_DETECTED",
            Self::WalletRequired => "WALLET_REQUIRED",
            Self::WalletConnected => "WALLET_CONNECTED",
            Self::FundsChecked => "FUNDS_CHECKED",
            Self::ShieldRequired => "SHIELD_REQUIRED",
            Self::PaymentReady => "PAYMENT_READY",
            Self::UserConfirmation => "USER_CONFIRMATION",
            Self::PaymentAuthorized => "PAYMENT_AUTHORIZED",
            Self::Settling => "SETTLING",
            Self::Settled => "SETTLED",
            Self::OrderConfirmed => "ORDER_CONFIRMED",
            Self::NoValidOption => "NO_VALID_OPTION",
            Self::Cancelled => "CANCELLED",
            Self::SettlementFailed => "SETTLEMENT_FAILED",
            Self::Failed => "FAILED",
            Self::SettlementUnknown => "SETTLEMENT_UNKNOWN",
            Self::OrderUnknown => "ORDER_UNKNOWN",
        }
    }

    /// Whether nothing happens any more.
    pub const fn is_terminal(self) -> bool {
        match self {
            Self::OrderConfirmed
            | Self::NoValidOption
            | Self::Cancelled
            | Self::SettlementFailed
            | Self::Failed
            | Self::SettlementUnknown
            | Self::OrderUnknown => true,
            Self::IntentCaptured
            | Self::CandidatesNormalized
            | Self::BestOptionSelected
            | Self::RevalidationRequested
            | Self::Revalidating
            | Self::QuoteValidated
            | Self::CheckoutPrepared
            | Self::PixDetected
            | Self::WalletRequired
            | Self::WalletConnected
            | Self::FundsChecked
            | Self::ShieldRequired
            | Self::PaymentReady
            | Self::UserConfirmation
            | Self::PaymentAuthorized
            | Self::Settling
            | Self::Settled => false,
        }
    }
}

/// Why a run is over, where its state alone does not say.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ending {
    /// A stable code.
    pub code: String,
    /// The same in words.
    pub reason: String,
}

/// What should happen next, and by whom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NextAction {
    /// Who has to do it.
    pub actor: crate::Actor,
    /// A stable word, such as `confirm`, `connect_wallet`, `pay`, `wait`.
    pub action: &'static str,
    /// The same for people.
    pub message: String,
    /// Until when it is waited for.
    pub until: Option<UnixMillis>,
}

/// A run, whole: what is shown to its owner and to watchers. Holds no secret and no digest of one.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields say what they are by name")]
pub struct View {
    pub run: RunId,
    pub user: Option<String>,
    pub executor: ExecutorId,
    pub mode: Mode,
    pub rails: Rails,
    pub mandate: Option<Mandate>,
    pub state: RunState,
    pub intent: Intent,
    /// Cheapest first.
    pub candidates: Vec<Candidate>,
    pub rejected: Vec<RejectedCandidate>,
    pub selected: Option<Candidate>,
    /// The quote that was read first, then the one at checkout.
    pub validated_quote: Option<Quote>,
    pub checkout: Option<Quote>,
    pub pix: Option<PixTarget>,
    pub wallet: Option<WalletReport>,
    pub balances: Option<Balances>,
    pub requirement: Option<Requirement>,
    pub assessment: Option<Assessment>,
    pub confirmation: Option<Confirmation>,
    pub budget: Option<Budget>,
    pub authorization: Option<Authorization>,
    pub payment: Option<Payment>,
    /// Where the settlement can be found, once it is verified.
    pub settlement: Option<String>,
    pub order: Option<OrderEvidence>,
    pub pending: Option<BrowserCommand>,
    pub ending: Option<Ending>,
    pub created_at: UnixMillis,
    pub updated_at: UnixMillis,
    /// Events so far.
    pub version: u64,
}

impl View {
    /// What is shown of a run.
    pub(crate) fn of(run: &Run) -> Self {
        let (stage, creation) = (&run.stage, &run.creation);
        let funded = stage.funded();
        let outcome = if let Stage::Ended { outcome, .. } = stage { Some(outcome) } else { None };
        let order = if let Some(Outcome::OrderConfirmed(order)) = outcome { Some(order) } else { None };
        Self {
            run: creation.run.clone(),
            user: creation.user.clone(),
            executor: run.executor.clone(),
            mode: creation.mode,
            rails: creation.rails.clone(),
            mandate: creation.mandate.clone(),
            state: run.state(),
            intent: creation.intent.clone(),
            candidates: run.candidates.clone(),
            rejected: run.rejected.clone(),
            selected: run.selected().cloned(),
            validated_quote: stage.quote().cloned(),
            checkout: stage.prepared().map(|prepared| prepared.checkout.clone()),
            pix: stage.due().map(|due| due.pix.clone()),
            wallet: run.wallet.clone(),
            balances: funded.map(|funded| funded.balances.clone()),
            requirement: funded.map(|funded| funded.requirement.clone()),
            assessment: funded.map(|funded| funded.assessment),
            confirmation: stage.confirmation().cloned(),
            budget: run.budget.clone(),
            authorization: stage.bill().map(|bill| bill.authorization.clone()),
            payment: stage.payment().cloned(),
            settlement: stage.settlement().map(str::to_owned),
            order: order.cloned(),
            pending: run.pending.as_ref().map(|pending| pending.command.clone()),
            ending: run.ending(),
            created_at: run.created_at,
            updated_at: run.updated_at,
            version: run.version,
        }
    }
}
