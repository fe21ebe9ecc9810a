//! What has happened to a run: the journal's format.

use primitives::{BaseUnits, Digest, ExecutorId, UnixMillis};
use serde::{Deserialize, Serialize};

use crate::{
    Assessment, Authorization, Balances, BrowserCommand, Budget, Candidate, Cents, Confirmation, Creation,
    OrderEvidence, Payment, PixTarget, Quote, Refusal, RejectedCandidate, Requirement, WalletReport,
};

/// The version of the events that are written now. Old ones are lifted to it by pure functions when they are read.
pub const VERSION: u8 = 1;

/// One event of the journal: `{"v":1,"at":…,"actor":"agent","type":"QUOTE_VALIDATED","payload":{…}}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// The version of its form, [`VERSION`].
    pub v: u8,
    /// When it was recorded.
    pub at: UnixMillis,
    /// Who caused it.
    pub actor: Actor,
    /// The result of a command that it takes up, if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answers: Option<Answer>,
    /// What happened.
    #[serde(flatten)]
    pub fact: Fact,
}

/// The result of a command. The same one again changes nothing, and another one is refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// The command.
    pub command_id: String,
    /// SHA-256 of the canonical JSON of its [`crate::BrowserResult`].
    pub result: Digest,
}

/// Who does something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "as in the field")]
pub enum Actor {
    User,
    Agent,
    Browser,
    Wallet,
    Chain,
    System,
}

/// What can have happened. Variants are only added, and fields only with a default: old journals must replay.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", content = "payload", rename_all = "SCREAMING_SNAKE_CASE")]
#[expect(missing_docs, reason = "the fields say what they are by name")]
pub enum Fact {
    /// Somebody wants to buy something.
    IntentCreated(Box<Creation>),
    /// The first token was never used, and this one takes its place.
    TokenReissued { token: Digest },
    /// The run's token was used for the first time: it is not issued again.
    TokenUsed,
    /// The market is asked, for the `attempt`th time.
    MarketSearchStarted { attempt: u32 },
    /// It did not answer. It is asked again at `again_at`, unless that was the last time.
    MarketSearchFailed { attempt: u32, reason: String, again_at: Option<UnixMillis> },
    /// It answered: the offers that can be bought at all, cheapest first.
    MarketSearched { source: String, candidates: Vec<Candidate>, rejected: Vec<RejectedCandidate> },
    /// The cheapest that is left.
    CandidateSelected { candidate_id: String },
    /// The executor is to look at it.
    RevalidationRequested { command: BrowserCommand },
    /// The executor does.
    RevalidationStarted { command_id: String },
    /// The executor works on another command.
    CommandStarted { command_id: String },
    /// The buyer has to do something in the browser; the command is waited for until `until`.
    BrowserNeedsUser { command_id: String, reason: String, until: UnixMillis },
    /// A command came to nothing, and is given out again under another name, unless that was the last time.
    CommandFailed { command_id: String, reason: String, attempt: u32 },
    /// Nobody has answered a command in its time.
    CommandTimedOut { command_id: String, attempt: u32 },
    /// The executor has been away for long.
    ExecutorOffline { executor: ExecutorId },
    /// Another executor looks at the shops from now on. What the first one read is dropped, unless it was paid.
    ExecutorBound { executor: ExecutorId },
    /// The shop has it, at a price that holds.
    QuoteValidated { quote: Quote },
    /// Not this one.
    CandidateRejected { candidate_id: String, reasons: Vec<String> },
    /// The cart is to be filled, or read again.
    CheckoutRequested { command: BrowserCommand },
    /// The cart is at the point of paying.
    CheckoutReady { quote: Quote },
    /// What was read does not hold any more: target, funds and consent are dropped.
    CheckoutInvalidated { reason: String },
    /// The payment target is to be read.
    PixRequested { command: BrowserCommand },
    /// Here it is.
    PixDetected { target: PixTarget },
    /// No wallet is known yet.
    WalletRequired,
    /// There is one.
    WalletConnected { report: WalletReport },
    /// There is none any more.
    WalletDisconnected { report: WalletReport },
    /// The wallet has changed after the payment was authorized: it was signed already.
    WalletIgnored { address: Option<String> },
    /// Balances and the off-ramp's word are asked for.
    FundsCheckStarted { number: u32, wallet: String, amount: Cents },
    /// They could not be had. They are asked for again at `again_at`, unless that was the last time.
    FundsCheckFailed { number: u32, reason: String, again_at: Option<UnixMillis> },
    /// Here they are.
    FundsChecked { number: u32, balances: Balances, requirement: Requirement, assessment: Assessment },
    /// There is enough, but some of it has to be shielded first.
    ShieldRequired { missing: BaseUnits },
    /// Nothing is missing.
    PaymentReady,
    /// Somebody is asked to agree to exactly this.
    ConfirmationRequested { confirmation: Confirmation },
    /// An answer came before its question, and is kept for it.
    SignalHeld { signal: Signal },
    /// An answer was not taken; nothing else changed.
    SignalRefused { signal: String, refusal: Refusal },
    /// Yes.
    UserConfirmed { digest: Digest, amount: Cents, signer: Option<String> },
    /// No. The run takes no payment.
    UserRejected,
    /// The mandate is asked to hold the amount.
    BudgetRequested { budget: Budget },
    /// It does.
    BudgetHeld { reservation: Digest },
    /// Its owner wants to be asked first.
    BudgetNeedsApproval { reservation: Digest, reason: String },
    /// It does not.
    BudgetRefused { reservation: Digest, code: String, reason: String },
    /// What it held is not needed any more, and goes back.
    BudgetReturned { reservation: Digest },
    /// Time has ended a hold.
    BudgetLapsed { reservation: Digest },
    /// The payment may be made.
    PaymentAuthorized { authorization: Authorization },
    /// The wallet says that it has paid.
    PaymentSubmitted { payment: Payment },
    /// The wallet has said nothing in its time, or its owner wants to stop: the payment is looked for.
    PaymentWindowClosed,
    /// The payment is looked for, for the `attempt`th time.
    PaymentTraceStarted { attempt: u32 },
    /// Nobody can say yet. It is looked for again at `again_at`.
    PaymentTraceFailed { attempt: u32, reason: String, again_at: UnixMillis },
    /// It was found: whoever wanted to stop came too late.
    PaymentFound { payment: Payment },
    /// There is none, and there cannot be one any more.
    PaymentAbsent,
    /// The chain is looked at, for the `attempt`th time.
    SettlementLookStarted { attempt: u32 },
    /// Nobody can say yet. It is looked at again at `again_at`.
    SettlementUnresolved { attempt: u32, reason: String, again_at: UnixMillis },
    /// It has paid what was asked, finally.
    SettlementVerified { signature: String, reference: String, received: BaseUnits },
    /// It has not, and cannot any more.
    SettlementFailed { signature: String, code: String, reason: String },
    /// For as long as anyone looks, nobody could say. It counts as paid under a mandate, and as neither elsewhere.
    SettlementAbandoned,
    /// The executor is to look whether the shop has the order.
    OrderRequested { command: BrowserCommand },
    /// The shop does not say so yet; it is asked again at `again_at`.
    OrderPending { evidence: String, again_at: UnixMillis },
    /// It has.
    OrderConfirmed { evidence: OrderEvidence },
    /// For as long as anyone asks, the shop did not say so. It was paid.
    OrderAbandoned { evidence: String },
    /// The owner wants to stop.
    CancelRequested,
    /// It is stopped, and takes no payment.
    Cancelled,
    /// The owner wanted to stop, and came too late.
    CancelLost,
    /// No offer is left.
    NoOptionLeft,
    /// It cannot go on, and takes no payment.
    RunFailed { code: String, reason: String },
}

/// What can come before its time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[expect(missing_docs, reason = "the fields are those of the command")]
pub enum Signal {
    /// A yes.
    Confirm { digest: Digest, amount: Cents, signer: Option<String> },
    /// A payment, whose name is this run's.
    Pay { payment: Payment },
}

/// The name of a [`Fact::SignalRefused`] that drops a yes which came before its question and is none to it.
pub(crate) const HELD_CONFIRM: &str = "held_confirm";

impl Event {
    /// What happens at a moment, in the form of today.
    pub(crate) const fn new(at: UnixMillis, fact: Fact, answers: Option<Answer>) -> Self {
        Self { v: VERSION, at, actor: fact.actor(), answers, fact }
    }
}

impl Fact {
    /// Who causes it.
    const fn actor(&self) -> Actor {
        match self {
            Self::IntentCreated(_)
            | Self::TokenUsed
            | Self::ExecutorBound { .. }
            | Self::UserConfirmed { .. }
            | Self::UserRejected
            | Self::CancelRequested
            | Self::Cancelled
            | Self::SignalHeld { signal: Signal::Confirm { .. } } => Actor::User,
            Self::MarketSearchStarted { .. }
            | Self::MarketSearchFailed { .. }
            | Self::MarketSearched { .. }
            | Self::CandidateSelected { .. }
            | Self::RevalidationRequested { .. }
            | Self::CandidateRejected { .. }
            | Self::CheckoutRequested { .. }
            | Self::CheckoutInvalidated { .. }
            | Self::PixRequested { .. }
            | Self::WalletRequired
            | Self::WalletIgnored { .. }
            | Self::FundsCheckStarted { .. }
            | Self::ShieldRequired { .. }
            | Self::PaymentReady
            | Self::ConfirmationRequested { .. }
            | Self::BudgetRequested { .. }
            | Self::BudgetReturned { .. }
            | Self::PaymentAuthorized { .. }
            | Self::PaymentTraceStarted { .. }
            | Self::SettlementLookStarted { .. }
            | Self::OrderRequested { .. }
            | Self::SignalRefused { .. }
            | Self::CancelLost
            | Self::NoOptionLeft
            | Self::RunFailed { .. } => Actor::Agent,
            Self::RevalidationStarted { .. }
            | Self::CommandStarted { .. }
            | Self::BrowserNeedsUser { .. }
            | Self::CommandFailed { .. }
            | Self::QuoteValidated { .. }
            | Self::CheckoutReady { .. }
            | Self::PixDetected { .. }
            | Self::OrderPending { .. }
            | Self::OrderConfirmed { .. } => Actor::Browser,
            Self::WalletConnected { .. }
            | Self::WalletDisconnected { .. }
            | Self::PaymentSubmitted { .. }
            | Self::SignalHeld { signal: Signal::Pay { .. } } => Actor::Wallet,
            Self::FundsChecked { .. }
            | Self::FundsCheckFailed { .. }
            | Self::PaymentTraceFailed { .. }
            | Self::PaymentFound { .. }
            | Self::PaymentAbsent
            | Self::SettlementUnresolved { .. }
            | Self::SettlementVerified { .. }
            | Self::SettlementFailed { .. } => Actor::Chain,
            Self::TokenReissued { .. }
            | Self::CommandTimedOut { .. }
            | Self::ExecutorOffline { .. }
            | Self::BudgetHeld { .. }
            | Self::BudgetNeedsApproval { .. }
            | Self::BudgetRefused { .. }
            | Self::BudgetLapsed { .. }
            | Self::PaymentWindowClosed
            | Self::SettlementAbandoned
            | Self::OrderAbandoned { .. } => Actor::System,
        }
    }
}

/// An event that does not follow from the state: the stored journal contradicts itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Corrupt {
    /// When the event was recorded.
    pub at: UnixMillis,
    /// Why it cannot follow.
    pub why: String,
}

impl core::fmt::Display for Corrupt {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(
            formatter,
            "an event of a run recorded at {} does not follow: {}",
            self.at.to_rfc3339(),
            self.why
        )
    }
}

impl core::error::Error for Corrupt {}
