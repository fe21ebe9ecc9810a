//! What has happened to a run.

use serde::{Deserialize, Serialize};

use super::{
    AgentBrowserCommand, Assessment, Balances, Candidate, ExecutionMode, ExecutorQuote, FundingRequirement,
    OrderReport, PaymentAuthorization, PixTarget, PurchaseIntent, RejectedCandidate, RunBudget,
    RunConfirmation, RunMandate, Settlement, WalletState,
};

/// An event of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RunEvent {
    /// Counts from 1, without gaps.
    pub seq: u64,
    /// Who caused it.
    pub actor: RunActor,
    /// When it was recorded.
    pub at: String,
    /// What happened.
    #[serde(flatten)]
    pub fact: RunFact,
    /// The same in a line for people.
    pub message: String,
}

/// Who does something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum RunActor {
    /// The run's owner, or whoever it asks.
    User,
    /// The run itself.
    Agent,
    /// The executor.
    Browser,
    /// The wallet.
    Wallet,
    /// The chain.
    Chain,
    /// Time, or this service.
    System,
}

/// What can have happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(
    tag = "type",
    content = "payload",
    rename_all = "SCREAMING_SNAKE_CASE",
    rename_all_fields = "camelCase"
)]
#[expect(missing_docs, reason = "the fields say what they are by name; the crate `run` has the same")]
pub enum RunFact {
    /// Somebody wants to buy something.
    IntentCreated {
        intent: PurchaseIntent,
        executor_id: String,
        execution_mode: ExecutionMode,
        settlement: Settlement,
        mandate: Option<RunMandate>,
        user_id: Option<String>,
    },
    /// The first token was never used, and another one takes its place.
    TokenReissued {},
    /// The run's token was used for the first time: it is not issued again.
    TokenUsed {},
    /// The market is asked.
    MarketSearchStarted { attempt: u32 },
    /// It did not answer. It is asked again at `againAt`, unless that was the last time.
    MarketSearchFailed { attempt: u32, reason: String, again_at: Option<String> },
    /// It answered: the offers that can be bought at all, cheapest first.
    MarketSearched { source: String, candidates: Vec<Candidate>, rejected: Vec<RejectedCandidate> },
    /// The cheapest that is left.
    CandidateSelected { candidate_id: String },
    /// The executor is to look at it.
    RevalidationRequested { command: AgentBrowserCommand },
    /// The executor does.
    RevalidationStarted { command_id: String },
    /// The executor works on another command.
    CommandStarted { command_id: String },
    /// The buyer has to do something in the browser; the command is waited for until `until`.
    BrowserNeedsUser { command_id: String, reason: String, until: String },
    /// A command came to nothing, and is given out again under another name, unless that was the last time.
    CommandFailed { command_id: String, reason: String, attempt: u32 },
    /// Nobody has answered a command in its time.
    CommandTimedOut { command_id: String, attempt: u32 },
    /// The executor has been away for long.
    ExecutorOffline { executor_id: String },
    /// Another executor looks at the shops from now on.
    ExecutorBound { executor_id: String },
    /// The shop has it, at a price that holds.
    QuoteValidated { quote: ExecutorQuote },
    /// Not this one.
    CandidateRejected { candidate_id: String, reasons: Vec<String> },
    /// The cart is to be filled, or read again.
    CheckoutRequested { command: AgentBrowserCommand },
    /// The cart is at the point of paying.
    CheckoutReady { quote: ExecutorQuote },
    /// What was read does not hold any more: target, funds and consent are dropped.
    CheckoutInvalidated { reason: String },
    /// The payment target is to be read.
    PixRequested { command: AgentBrowserCommand },
    /// Here it is.
    PixDetected { target: PixTarget },
    /// No wallet is known yet.
    WalletRequired {},
    /// There is one.
    WalletConnected { wallet: WalletState },
    /// There is none any more.
    WalletDisconnected { wallet: WalletState },
    /// The wallet has changed after the payment was authorized: it was signed already.
    WalletIgnored { address: Option<String> },
    /// Balances and the off-ramp's word are asked for.
    FundsCheckStarted { number: u32, wallet: String, amount_cents: String },
    /// They could not be had. They are asked for again at `againAt`, unless that was the last time.
    FundsCheckFailed { number: u32, reason: String, again_at: Option<String> },
    /// Here they are.
    FundsChecked { number: u32, balances: Balances, requirement: FundingRequirement, assessment: Assessment },
    /// There is enough, but some of it has to be shielded first.
    ShieldRequired { missing: String },
    /// Nothing is missing.
    PaymentReady {},
    /// Somebody is asked to agree to exactly this.
    ConfirmationRequested { confirmation: RunConfirmation },
    /// An answer came before its question, and is kept for it.
    SignalHeld { signal: RunSignal },
    /// An answer was not taken; nothing else changed.
    SignalRefused { signal: String, code: String, reason: String },
    /// Yes. With the account that signed for it, if one did.
    UserConfirmed { digest: String, amount_cents: String, signer: Option<String> },
    /// No. Nothing was charged.
    UserRejected {},
    /// The mandate is asked to hold the amount.
    BudgetRequested { budget: RunBudget },
    /// It does.
    BudgetHeld { reservation: String },
    /// Its owner wants to be asked first.
    BudgetNeedsApproval { reservation: String, reason: String },
    /// It does not.
    BudgetRefused { reservation: String, code: String, reason: String },
    /// What it held is not needed any more, and goes back.
    BudgetReturned { reservation: String },
    /// Time has ended a hold.
    BudgetLapsed { reservation: String },
    /// The payment may be made.
    PaymentAuthorized { authorization: PaymentAuthorization },
    /// The wallet says that it has paid.
    PaymentSubmitted { signature: String, last_valid_block_height: Option<u64> },
    /// The wallet has said nothing in its time, or its owner wants to stop: the payment is looked for.
    PaymentWindowClosed {},
    /// The payment is looked for.
    PaymentTraceStarted { attempt: u32 },
    /// Nobody can say yet. It is looked for again at `againAt`.
    PaymentTraceFailed { attempt: u32, reason: String, again_at: String },
    /// It was found.
    PaymentFound { signature: String, last_valid_block_height: Option<u64> },
    /// There is none, and there cannot be one any more.
    PaymentAbsent {},
    /// The chain is looked at.
    SettlementLookStarted { attempt: u32 },
    /// Nobody can say yet. It is looked at again at `againAt`.
    SettlementUnresolved { attempt: u32, reason: String, again_at: String },
    /// It has paid what was asked, finally.
    SettlementVerified { signature: String, reference: String, received: String },
    /// It has not, and cannot any more.
    SettlementFailed { signature: String, code: String, reason: String },
    /// For as long as anyone looks, nobody could say.
    SettlementAbandoned {},
    /// The executor is to look whether the shop has the order.
    OrderRequested { command: AgentBrowserCommand },
    /// The shop does not say so yet; it is asked again at `againAt`.
    OrderPending { evidence: String, again_at: String },
    /// It has.
    OrderConfirmed { order: OrderReport },
    /// For as long as anyone asks, the shop did not say so. It was paid.
    OrderAbandoned { evidence: String },
    /// The owner wants to stop.
    CancelRequested {},
    /// It is stopped, and nothing was charged.
    Cancelled {},
    /// The owner wanted to stop, and came too late.
    CancelLost {},
    /// No offer is left.
    NoOptionLeft {},
    /// It cannot go on. Nothing was charged.
    RunFailed { code: String, reason: String },
}

/// What can come before its time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case", rename_all_fields = "camelCase")]
#[expect(missing_docs, reason = "the fields are those of the bodies")]
pub enum RunSignal {
    /// A yes.
    Confirm { digest: String, amount_cents: String, signer: Option<String> },
    /// A payment.
    Pay { signature: String, last_valid_block_height: Option<u64> },
}
