//! Where a run stands, with what is true there and nothing else.

use primitives::UnixMillis;
use serde::{Deserialize, Serialize};

use crate::asking::Asking;
use crate::{
    Assessment, Authorization, Balances, Confirmation, Ending, OrderEvidence, Payment, PixTarget, Quote,
    Requirement, RunState,
};

/// The stages of a run. Each holds what the one before it held, and what was found out since.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Stage {
    /// No quote holds yet.
    Shopping(Shopping),
    /// The shop has it.
    Quoted(Quoted),
    /// The cart is at the point of paying.
    Prepared(Prepared),
    /// It is known what has to be paid, and not yet whether the wallet can.
    Due { due: Due, step: Funding },
    /// It is known what the wallet has, and what it has to pay.
    Funded { funded: Box<Funded>, step: Consent },
    /// The payment may be made.
    Authorized { bill: Box<Bill>, step: Paying },
    /// Nothing happens any more.
    Ended { last: Box<Stage>, outcome: Outcome },
}

/// Before there is a quote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Shopping {
    /// The market is asked.
    Searching(Asking),
    /// Its offers are ranked; none is selected.
    Normalized,
    /// The cheapest that is left is.
    Selected,
    /// The executor is to look at it.
    RevalidationRequested,
    /// The executor does.
    Revalidating,
}

/// A candidate that the shop has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Quoted {
    pub(crate) quote: Quote,
    /// Whether the cart was at the point of paying before, so that it is only to be read again.
    pub(crate) is_filled: bool,
}

/// A cart at the point of paying.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Prepared {
    pub(crate) quote: Quote,
    pub(crate) checkout: Quote,
}

/// What has to be paid.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Due {
    pub(crate) prepared: Prepared,
    pub(crate) pix: PixTarget,
}

/// How far the wallet is known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Funding {
    /// Nobody has looked yet.
    Detected,
    /// There is none.
    WalletRequired,
    /// There is one, and its funds are being checked.
    WalletConnected(Check),
}

/// A check of funds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Check {
    /// The number of the one that is under way, counted within the run.
    pub(crate) number: u32,
    pub(crate) asking: Asking,
}

/// What a wallet has, and what it has to pay.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Funded {
    pub(crate) due: Due,
    pub(crate) wallet: String,
    pub(crate) balances: Balances,
    pub(crate) requirement: Requirement,
    pub(crate) assessment: Assessment,
}

/// How far the payment is agreed to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Consent {
    /// Nobody has said yet whether it is enough; or it is not.
    Checked,
    /// Some of it has to be shielded first.
    ShieldRequired,
    /// Nothing is missing.
    Ready(Approval),
    /// Somebody is asked.
    Asked(Confirmation),
    /// And has said yes.
    Confirmed(Confirmation),
}

/// Whether the mandate's owner has to be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Approval {
    /// As far as is known, it has not.
    Unneeded,
    /// The mandate says so.
    Needed,
}

/// What is paid, and on what ground.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Bill {
    pub(crate) funded: Box<Funded>,
    /// None under a mandate whose owner did not have to be asked.
    pub(crate) confirmation: Option<Confirmation>,
    pub(crate) authorization: Authorization,
}

/// How far the payment is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Paying {
    /// The wallet is waited for.
    Open,
    /// It has said nothing, or is to stop: the payment is looked for.
    Closed { since: UnixMillis, trace: Asking },
    /// There is none.
    Absent,
    /// The wallet has paid, and the chain is looked at.
    Submitted { payment: Payment, since: UnixMillis, look: Asking },
    /// It has arrived, and the shop is asked for the order.
    Settled { payment: Payment, reference: String, since: UnixMillis, order: Order },
}

/// How far the order is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Order {
    /// How often the shop was asked.
    pub(crate) attempt: u32,
    pub(crate) step: OrderStep,
}

/// What comes next with the order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum OrderStep {
    /// The executor is to look.
    Due,
    /// It does.
    Asked,
    /// It has not answered in its time.
    Silent,
    /// The shop does not say so yet, and is asked again then.
    Again(UnixMillis),
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Outcome {
    OrderConfirmed(OrderEvidence),
    NoValidOption,
    Cancelled,
    SettlementFailed(Ending),
    Failed(Ending),
    SettlementUnknown(Ending),
    OrderUnknown(Ending),
}

impl Outcome {
    pub(crate) const fn state(&self) -> RunState {
        match self {
            Self::OrderConfirmed(_) => RunState::OrderConfirmed,
            Self::NoValidOption => RunState::NoValidOption,
            Self::Cancelled => RunState::Cancelled,
            Self::SettlementFailed(_) => RunState::SettlementFailed,
            Self::Failed(_) => RunState::Failed,
            Self::SettlementUnknown(_) => RunState::SettlementUnknown,
            Self::OrderUnknown(_) => RunState::OrderUnknown,
        }
    }

    pub(crate) const fn ending(&self) -> Option<&Ending> {
        match self {
            Self::SettlementFailed(ending)
            | Self::Failed(ending)
            | Self::SettlementUnknown(ending)
            | Self::OrderUnknown(ending) => Some(ending),
            Self::OrderConfirmed(_) | Self::NoValidOption | Self::Cancelled => None,
        }
    }
}

impl Stage {
    /// The published name.
    pub(crate) const fn state(&self) -> RunState {
        match self {
            Self::Shopping(Shopping::Searching(_)) => RunState::IntentCaptured,
            Self::Shopping(Shopping::Normalized) => RunState::CandidatesNormalized,
            Self::Shopping(Shopping::Selected) => RunState::BestOptionSelected,
            Self::Shopping(Shopping::RevalidationRequested) => RunState::RevalidationRequested,
            Self::Shopping(Shopping::Revalidating) => RunState::Revalidating,
            Self::Quoted(_) => RunState::QuoteValidated,
            Self::Prepared(_) => RunState::CheckoutPrepared,
            Self::Due { step: Funding::Detected, .. } => RunState::PixDetected,
            Self::Due { step: Funding::WalletRequired, .. } => RunState::WalletRequired,
            Self::Due { step: Funding::WalletConnected(_), .. } => RunState::WalletConnected,
            Self::Funded { step: Consent::Checked, .. } => RunState::FundsChecked,
            Self::Funded { step: Consent::ShieldRequired, .. } => RunState::ShieldRequired,
            Self::Funded { step: Consent::Ready(_), .. } => RunState::PaymentReady,
            Self::Funded { step: Consent::Asked(_) | Consent::Confirmed(_), .. } => {
                RunState::UserConfirmation
            }
            Self::Authorized { step: Paying::Open | Paying::Closed { .. } | Paying::Absent, .. } => {
                RunState::PaymentAuthorized
            }
            Self::Authorized { step: Paying::Submitted { .. }, .. } => RunState::Settling,
            Self::Authorized { step: Paying::Settled { .. }, .. } => RunState::Settled,
            Self::Ended { outcome, .. } => outcome.state(),
        }
    }

    /// The last stage in which anything happened.
    fn last(&self) -> &Self {
        if let Self::Ended { last, .. } = self { last } else { self }
    }

    pub(crate) fn bill(&self) -> Option<&Bill> {
        if let Self::Authorized { bill, .. } = self.last() { Some(bill) } else { None }
    }

    pub(crate) fn funded(&self) -> Option<&Funded> {
        if let Self::Funded { funded, .. } = self.last() {
            return Some(funded);
        }
        self.bill().map(|bill| bill.funded.as_ref())
    }

    pub(crate) fn due(&self) -> Option<&Due> {
        if let Self::Due { due, .. } = self.last() {
            return Some(due);
        }
        self.funded().map(|funded| &funded.due)
    }

    pub(crate) fn prepared(&self) -> Option<&Prepared> {
        if let Self::Prepared(prepared) = self.last() {
            return Some(prepared);
        }
        self.due().map(|due| &due.prepared)
    }

    /// The quote that was read first.
    pub(crate) fn quote(&self) -> Option<&Quote> {
        if let Self::Quoted(quoted) = self.last() {
            return Some(&quoted.quote);
        }
        self.prepared().map(|prepared| &prepared.quote)
    }

    pub(crate) fn confirmation(&self) -> Option<&Confirmation> {
        if let Self::Funded { step: Consent::Asked(asked), .. } = self.last() {
            return Some(asked);
        }
        self.agreed()
    }

    /// What somebody has agreed to.
    pub(crate) fn agreed(&self) -> Option<&Confirmation> {
        if let Self::Funded { step: Consent::Confirmed(agreed), .. } = self.last() {
            return Some(agreed);
        }
        self.bill().and_then(|bill| bill.confirmation.as_ref())
    }

    pub(crate) fn payment(&self) -> Option<&Payment> {
        if let Self::Authorized {
            step: Paying::Submitted { payment, .. } | Paying::Settled { payment, .. },
            ..
        } = self.last()
        {
            return Some(payment);
        }
        None
    }

    /// Where the settlement can be found.
    pub(crate) fn settlement(&self) -> Option<&str> {
        if let Self::Authorized { step: Paying::Settled { reference, .. }, .. } = self.last() {
            return Some(reference);
        }
        None
    }

    pub(crate) const fn is_wallet_required(&self) -> bool {
        matches!(self, Self::Due { step: Funding::WalletRequired, .. })
    }

    /// Whether a candidate is selected.
    pub(crate) fn is_selected(&self) -> bool {
        match self.last() {
            Self::Shopping(Shopping::Searching(_) | Shopping::Normalized) => false,
            Self::Shopping(Shopping::Selected | Shopping::RevalidationRequested | Shopping::Revalidating)
            | Self::Quoted(_)
            | Self::Prepared(_)
            | Self::Due { .. }
            | Self::Funded { .. }
            | Self::Authorized { .. }
            | Self::Ended { .. } => true,
        }
    }

    /// Whether a payment was authorized, and nobody has said that there is none.
    pub(crate) const fn may_be_paid(&self) -> bool {
        match self {
            Self::Authorized {
                step: Paying::Open | Paying::Closed { .. } | Paying::Submitted { .. } | Paying::Settled { .. },
                ..
            } => true,
            Self::Authorized { step: Paying::Absent, .. }
            | Self::Shopping(_)
            | Self::Quoted(_)
            | Self::Prepared(_)
            | Self::Due { .. }
            | Self::Funded { .. }
            | Self::Ended { .. } => false,
        }
    }

    /// Whether the payment was authorized.
    pub(crate) fn is_authorized(&self) -> bool {
        self.bill().is_some()
    }
}
