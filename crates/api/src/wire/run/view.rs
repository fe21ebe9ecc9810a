//! A run as it is shown to its owner and to watchers.

use serde::{Deserialize, Serialize};

use super::{AgentBrowserCommand, PixEvidence, RunActor, RunPayment};

/// A run as it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Run {
    /// Its id.
    pub id: String,
    /// The buyer's own name for the user that it is for.
    pub user_id: Option<String>,
    /// The executor that looks at the shops.
    pub executor_id: String,
    /// Whether money moves.
    pub execution_mode: ExecutionMode,
    /// How its payment travels.
    pub settlement: Settlement,
    /// Where it stands.
    pub state: RunState,
    /// Whether that is where it stays.
    pub is_terminal: bool,
    /// What is wanted.
    pub intent: PurchaseIntent,
    /// The market's offers that can be bought, cheapest first. They are looked at again before anything is paid.
    pub candidates: Vec<Candidate>,
    /// Those that were not taken.
    pub rejected_candidates: Vec<RejectedCandidate>,
    /// The one that is tried.
    pub selected_candidate: Option<Candidate>,
    /// The cart as it was read when the candidate was looked at again.
    pub validated_quote: Option<ExecutorQuote>,
    /// The cart at the point of paying.
    pub checkout: Option<Checkout>,
    /// The buyer's money, once a wallet is known.
    pub payment: Option<RunPayment>,
    /// What the shop says of the order.
    pub order: Option<OrderReport>,
    /// What the executor is asked to do.
    pub pending_command: Option<AgentBrowserCommand>,
    /// The mandate that it spends from.
    pub mandate: Option<RunMandate>,
    /// Why it is over, where its state alone does not say.
    pub failure: Option<RunFailure>,
    /// When it was made.
    pub created_at: String,
    /// When it last changed.
    pub updated_at: String,
    /// The number of its newest event.
    pub version: u64,
}

/// Whether money moves.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ExecutionMode {
    /// No real money moves.
    #[default]
    Simulated,
    /// It does. Refused so far: there is no off-ramp that is not simulated.
    Real,
}

/// How a run's payment travels.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Settlement {
    /// Nothing travels.
    Simulated {
        /// Whether a simulated wallet connects and pays by itself.
        wallet: bool,
    },
    /// A token travels on a chain.
    Chain {
        /// The chain (CAIP-2), such as `eip155:84532`.
        network: String,
    },
}

/// Where a run stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum RunState {
    /// The market is being searched.
    IntentCaptured,
    /// There are offers.
    CandidatesNormalized,
    /// The cheapest that is left is tried.
    BestOptionSelected,
    /// The executor is to look at it.
    RevalidationRequested,
    /// The executor looks at it.
    Revalidating,
    /// The shop has it, at a price that holds.
    QuoteValidated,
    /// The cart is at the point of paying.
    CheckoutPrepared,
    /// It is known what has to be paid.
    PixDetected,
    /// A wallet is waited for.
    WalletRequired,
    /// There is one.
    WalletConnected,
    /// What it has is known; more is waited for if that is too little.
    FundsChecked,
    /// A part of it has to be shielded first.
    ShieldRequired,
    /// Nothing is missing.
    PaymentReady,
    /// Somebody's yes is waited for.
    UserConfirmation,
    /// The wallet may pay.
    PaymentAuthorized,
    /// It has, it says, and the chain is looked at.
    Settling,
    /// It is paid, and the shop's word is waited for.
    Settled,
    /// Over: bought and paid.
    OrderConfirmed,
    /// Over: no offer was left. Nothing was charged.
    NoValidOption,
    /// Over: stopped. Nothing was charged.
    Cancelled,
    /// Over: the payment did not do what it had to.
    SettlementFailed,
    /// Over: it could not go on. Nothing was charged.
    Failed,
    /// Over: for as long as anyone looked, nobody could say whether the payment had landed.
    SettlementUnknown,
    /// Over: paid, and for as long as anyone asked, the shop did not confirm the order.
    OrderUnknown,
}

/// What is wanted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PurchaseIntent {
    /// The product in words.
    pub requirement: String,
    /// How many.
    pub quantity: u32,
    /// The most that all of it may cost, fees included.
    pub max_budget_cents: String,
}

/// A market's offer: enough to have it looked at again, never enough to pay.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Candidate {
    /// Its name within the run.
    pub candidate_id: String,
    /// The market's own name for what it saw.
    pub observation_id: String,
    /// The platform, such as `ifood`.
    pub source: String,
    /// The shop.
    pub merchant_name: String,
    /// What it was seen to cost in total. Nothing is paid by this amount.
    pub observed_total_cents: String,
    /// When it was seen.
    pub observed_at: String,
}

/// An offer that was not taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RejectedCandidate {
    /// Which one.
    pub candidate_id: String,
    /// Why: codes such as `drift_too_high`, or what the executor said.
    pub reasons: Vec<String>,
}

/// A cart, read by an executor at a moment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ExecutorQuote {
    /// The cart.
    pub cart: Cart,
    /// When it was read, by the executor's clock.
    pub captured_at: String,
    /// Who read it.
    pub executor_id: String,
    /// Where it was read.
    pub page_ref: String,
}

/// A cart as the shop shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Cart {
    /// The shop.
    pub merchant_name: String,
    /// What is in it.
    pub items: Vec<CartItem>,
    /// What comes on top.
    pub fees: Vec<CartLine>,
    /// What comes off.
    pub discounts: Vec<CartLine>,
    /// Items and fees less discounts.
    pub total_cents: String,
    /// When it would arrive, in minutes from `capturedAt`, if the shop says so.
    pub eta_minutes: Option<u32>,
}

/// A line of a cart.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CartItem {
    /// The product as the shop calls it.
    pub product: String,
    /// How many.
    pub quantity: u32,
    /// What one costs.
    pub unit_price_cents: String,
    /// What all of them cost.
    pub total_cents: String,
}

/// Something that comes on top, or off.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CartLine {
    /// What it is, such as `delivery`.
    pub name: String,
    /// How much.
    pub amount_cents: String,
}

/// The point of paying.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Checkout {
    /// The cart there.
    pub quote: ExecutorQuote,
    /// What has to be paid.
    pub pix: Option<PixTarget>,
}

/// What has to be paid, by Pix.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PixTarget {
    /// How much.
    pub amount_cents: String,
    /// How the executor knows.
    pub evidence: PixEvidence,
    /// From then on the code cannot be paid, if it says so.
    pub expires_at: Option<String>,
    /// SHA-256 of the code's text, if there is a code. The code itself is not kept.
    pub payload_digest: Option<String>,
}

/// What the shop says of the order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct OrderReport {
    /// Whether the shop has taken it.
    pub confirmed: bool,
    /// The shop's words or number.
    pub evidence: String,
}

/// The mandate that a run spends from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RunMandate {
    /// Its id.
    pub mandate: String,
    /// Whose money it is.
    pub owner: String,
    /// For whom the run buys.
    pub agent: String,
}

/// Why a run is over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RunFailure {
    /// Stable, for programs.
    pub code: String,
    /// The same in words.
    pub reason: String,
}

/// What should happen next, and by whom.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct NextAction {
    /// Who has to do it.
    pub actor: RunActor,
    /// A stable word, such as `confirm`, `connect_wallet`, `pay` or `wait`.
    pub action: String,
    /// The same for people.
    pub message: String,
    /// Until when it is waited for.
    pub until: Option<String>,
}
