//! The gig board's JSON bodies, contract 1.x: snake_case, times in RFC 3339 UTC, amounts of the bounty in satoshi. How
//! owners sign in, mandates and runs are in camelCase.
//!
//! These are shapes only. [`crate::inbound`] turns what came in into domain values and says what is wrong with it;
//! [`crate::outbound`] makes what goes out. The client uses the same types.

mod answer;
mod gig;
mod mandate;
mod message;
pub mod metering;
mod number;
mod run;
mod session;
pub mod webhook;

pub use answer::{
    ClaimAnswer, CreateAnswer, DiscoverAnswer, HealthAnswer, JournalAnswer, JournalEntry, LifecycleAnswer,
    ReconnectAnswer, StatusAnswer, TicketAnswer, TunnelGrant,
};
pub use gig::{GigRecord, LegacyStatus, LifecycleState, Role, TaskType};
pub use mandate::{
    ActivityAnswer, ActivityLine, Adopt, AgentAnswer, AgentBody, AgentsAnswer, Amend, Amount, ApprovalItem,
    ApprovalPart, ApprovalsAnswer, ApproveBody, AsOf, Ask, BudgetAnswer, CancelBody, Check, CreateMandate,
    Decide, DeliverBody, DisputeBody, DraftAnswer, DraftBody, DraftPatch, DraftsAnswer, Eip712Domain,
    EmptyBody, EntriesAnswer, EntryAnswer, EntryBody, EntryBudget, Evaluation, Funds, LimitsReport, Mandate,
    MandateStatus, MandatesAnswer, Payment, PaymentRequest, PaymentsAnswer, PendingAmendment, Policy,
    PolicyBody, Progress, RecordBody, RejectBody, Remaining, RequestBody, RequestTerms, RequestsAnswer,
    ResolveBody, SignatureBody, SignerKind, Spent, StatusReport, Terms, TermsBody, TotalBody, Verdict,
    Window,
};
pub use message::{Envelope, Reconnect, TaskAct, TaskClaim, TaskDelegation, TaskDelivery, TaskRevision};
pub use metering::*;
pub(crate) use run::ResultByType;
pub use run::{
    AgentBrowserCommand, Assessment, AuthorizationBasis, Balances, BalancesAnswer, BrowserResult,
    BrowserTask, Candidate, CandidateTask, Cart, CartBody, CartItem, CartLine, Checkout, CommandsAnswer,
    ConfirmBody, Consenter, CreateRun, DemoAnswer, ExecutionMode, ExecutorAnswer, ExecutorFrame,
    ExecutorQuote, ExecutorRegistered, ExecutorStatus, FundingRequirement, ItemBody, LineBody, NextAction,
    OrderReport, PaymentAuthorization, PaymentBody, PixEvidence, PixTarget, PurchaseBody, PurchaseIntent,
    RebindBody, Registration, RejectedCandidate, ResultAccepted, Run, RunActor, RunAnswer, RunBudget,
    RunBudgetState, RunConfirmation, RunCreated, RunEvent, RunEventsAnswer, RunFact, RunFailure, RunFrame,
    RunHistory, RunJournalAnswer, RunMandate, RunPayment, RunSignal, RunState, Settlement, StreamTicket,
    WalletBody, WalletKind, WalletState,
};
pub use session::{SessionAnswer, SignIn, SignInChallenge};
