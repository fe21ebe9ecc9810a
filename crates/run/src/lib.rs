//! One purchase, from an intent to a verified order.
//!
//! ```text
//! INTENT_CAPTURED ─► CANDIDATES_NORMALIZED ─► BEST_OPTION_SELECTED ─► REVALIDATION_REQUESTED ─► REVALIDATING
//!        none left ► NO_VALID_OPTION  ▲                                        │                    │
//!                                     └──────────── not this one ──────────────┴────────┬───────────┘
//!                                                                                       ▼
//!   ┌──────────── does not hold any more: quote, target, off-ramp's word, wallet ► QUOTE_VALIDATED
//!   │                                                                                   ▼
//!   ├─ PIX_DETECTED ◄─────────────────────────────────────────────────────── CHECKOUT_PREPARED
//!   │      ├─► WALLET_REQUIRED ─┐
//!   │      ▼                    ▼
//!   ├─ WALLET_CONNECTED ─► FUNDS_CHECKED ─► SHIELD_REQUIRED ─► (looked at again)
//!   │                           ▼
//!   └────────────────── PAYMENT_READY ─► USER_CONFIRMATION        no ► CANCELLED
//!                               │ a mandate holds it  │ yes
//!                               └────────┬────────────┘
//!                                        ▼          none, and none can come ► FAILED, CANCELLED
//!                               PAYMENT_AUTHORIZED ─ looked for in vain ► SETTLEMENT_UNKNOWN
//!                                        ▼
//!                                    SETTLING ─► SETTLEMENT_FAILED, SETTLEMENT_UNKNOWN
//!                                        ▼
//!                                     SETTLED ─► ORDER_CONFIRMED, ORDER_UNKNOWN
//! ```
//!
//! [`decide()`] judges a command and lets the agent go on until others have the next move, [`apply()`] folds an event into
//! the state, [`effects()`] lists what is owed once the event is on disk, [`deadline()`] is the next moment at which time
//! alone changes the state.
//!
//! What holds, always:
//!
//! - **R1** What is bought is exactly what was wanted, adds up, costs no more than it may, and was read by the bound
//!   executor in the buyer's own session. What a market shows ranks offers and bounds drift, and reaches no payment.
//! - **R2** One amount: what is authorized is what was confirmed, what the Pix target says, and what the checkout says.
//! - **R3** One wallet: the one that pays is the one that was checked and confirmed. A yes counts for exactly what was
//!   shown, from whom it was asked, and as long as all of that holds.
//! - **R4** Nothing is paid twice: a run authorizes one payment, and takes one name of a payment, once.
//! - **R5** Unknown is neither success nor failure: it is looked up, and never tried again.
//! - **R6** What is over stays over. A run is only cancelled, and only fails, where no payment that it authorized can have
//!   been made. One that a wallet named unasked is told where the run ends. Only its token may still be issued again, as
//!   long as nobody has used it.
//! - **R7** Every wait ends: a state is final, or has a deadline, and what time does there it does at most once.
//! - **R8** A mandate's hold ends once: it is paid when the payment has arrived or may have, else given back.
//! - **R9** Who is refused changes nothing. A refusal that belongs to the story is told, and changes nothing else.
//! - **R10** Events are counted without gaps, time does not go back, and a command has the name of the event that asks for it.
//! - **R11** The journal holds no secret and no payment code, only digests.
//! - **R12** The state is bounded, whatever has happened, and so is what one command does.
//! - **R13** What comes early is kept for its time, what comes again changes nothing, and what comes late is refused by name.
//!
//! What a run refuses to know: HTTP, browsers, markets, wallets and chains themselves, who proves what to whom, and where
//! money is.

use serde::{Deserialize, Serialize};

mod advice;
mod apply;
mod asking;
mod clock;
mod command;
mod confirmation;
mod decide;
mod describe;
mod effect;
mod event;
mod intent;
pub mod limits;
mod money;
mod next;
mod payment;
mod pending;
mod quote;
mod ranking;
pub mod receipt;
mod refusal;
mod retry;
mod rules;
mod stage;
mod state;
mod view;
mod words;

pub use advice::next_action;
pub use apply::{apply, fold};
pub use clock::deadline;
pub use command::{Command, Creation};
pub use confirmation::{Agreement, confirmation_digest};
pub use decide::{authorize, authorize_account, authorize_executor, decide};
pub use describe::describe;
pub use effect::{Effect, effects};
pub use event::{Actor, Answer, Corrupt, Event, Fact, Signal, VERSION};
pub use intent::{Candidate, Found, Intent, RejectedCandidate};
pub use money::Cents;
pub use payment::{
    Assessment, Authorization, Balances, Basis, Budget, BudgetAnswer, BudgetState, Claim, Confirmation,
    Consenter, FundsAnswer, Mandate, Payment, Requirement, Trace, Verdict, WalletReport,
};
pub use quote::{
    BrowserCommand, BrowserResult, Cart, Evidence, Item, Line, OrderEvidence, PixTarget, Quote, Task,
};
pub use refusal::{Refusal, Value};
pub use rules::Fault;
pub use state::{Run, State};
pub use view::{Ending, NextAction, RunState, View};

/// Whether money moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// No real money moves.
    Simulated,
    /// It does; needs an off-ramp that is not simulated.
    Real,
}

/// How a run's payment travels.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Rails {
    /// Nothing travels. Only the wallet that is asked for plays its part by itself.
    Simulated {
        /// Whether a simulated wallet connects and pays by itself.
        wallet: bool,
    },
    /// A token on a chain whose transactions are looked at.
    Chain {
        /// CAIP-2, such as `solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1` or `eip155:84532`.
        network: String,
    },
}
