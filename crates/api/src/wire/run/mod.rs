//! Purchase runs and browser executors: JSON in camelCase.
//!
//! What a value is, unless its field says something else:
//!
//! - an amount whose name ends in `Cents` is in BRL cents, any other in base units of the token that is paid in; both are a
//!   decimal text without sign or leading zeros, and may be a JSON integer on the way in;
//! - a time is RFC 3339 in UTC with milliseconds;
//! - a digest is SHA-256 as 64 lower-case hexadecimal digits;
//! - a mandate is `0x` and 64 hexadecimal digits;
//! - what is not there is null.

mod answer;
mod body;
mod command;
mod event;
mod executor;
mod funds;
mod result;
mod view;

use super::number;

pub use answer::{
    BalancesAnswer, DemoAnswer, ResultAccepted, RunAnswer, RunCreated, RunEventsAnswer, RunFrame, RunHistory,
    RunJournalAnswer, StreamTicket,
};
pub use body::{ConfirmBody, CreateRun, PaymentBody, PurchaseBody, RebindBody, WalletBody, WalletKind};
pub use command::{AgentBrowserCommand, BrowserTask, CandidateTask};
pub use event::{RunActor, RunEvent, RunFact, RunSignal};
pub use executor::{
    CommandsAnswer, ExecutorAnswer, ExecutorFrame, ExecutorRegistered, ExecutorStatus, Registration,
};
pub use funds::{
    Assessment, AuthorizationBasis, Balances, Consenter, FundingRequirement, PaymentAuthorization, RunBudget,
    RunBudgetState, RunConfirmation, RunPayment, WalletState,
};
pub(crate) use result::ResultByType;
pub use result::{BrowserResult, CartBody, ItemBody, LineBody, PixEvidence};
pub use view::{
    Candidate, Cart, CartItem, CartLine, Checkout, ExecutionMode, ExecutorQuote, NextAction, OrderReport,
    PixTarget, PurchaseIntent, RejectedCandidate, Run, RunFailure, RunMandate, RunState, Settlement,
};
