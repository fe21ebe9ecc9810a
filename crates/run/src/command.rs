//! What a run can be asked. Who asks was established before; what came from outside comes in here.

use primitives::{Digest, ExecutorId, RunId};
use serde::{Deserialize, Serialize};

use crate::{
    BrowserResult, BudgetAnswer, Cents, Claim, Found, FundsAnswer, Intent, Mandate, Mode, Payment, Rails,
    Trace, Verdict, WalletReport,
};

/// What a run is made of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Creation {
    /// The run.
    pub run: RunId,
    /// What is wanted.
    pub intent: Intent,
    /// Who looks at the shops.
    pub executor: ExecutorId,
    /// Whether money moves.
    pub mode: Mode,
    /// How it would.
    pub rails: Rails,
    /// The mandate that it spends from, if any.
    pub mandate: Option<Mandate>,
    /// The buyer's own name for the user it is for; kept, never read.
    pub user: Option<String>,
    /// Digest of the run's token.
    pub token: Digest,
}

/// One request to a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Command {
    /// Make it. Once; the same again is a replay, and puts a fresh token in the place of one that was never used.
    Create(Box<Creation>),
    /// The answer to [`crate::Effect::Search`].
    Market {
        /// The search that it answers.
        attempt: u32,
        /// What it came to.
        found: Found,
    },
    /// An executor came back with something.
    Browser {
        /// Who.
        executor: ExecutorId,
        /// To what.
        command_id: String,
        /// With what.
        result: Box<BrowserResult>,
    },
    /// The executor has been away for long with a command of this run.
    ExecutorLost {
        /// Who.
        executor: ExecutorId,
        /// Which command.
        command_id: String,
    },
    /// Have another executor look at the shops, by the run's owner.
    Rebind {
        /// Who.
        executor: ExecutorId,
    },
    /// The wallet is there, has changed, or is gone.
    Wallet(WalletReport),
    /// The answer to [`crate::Effect::CheckFunds`].
    Funds {
        /// The check that it answers.
        number: u32,
        /// What it came to.
        answer: Box<FundsAnswer>,
    },
    /// Somebody agrees to exactly this.
    Confirm {
        /// The digest that was shown.
        digest: Digest,
        /// The amount that was shown.
        amount: Cents,
        /// The account that stands for it with a signature, if one does: `0x` and 40 hexadecimal digits.
        signer: Option<String>,
    },
    /// Somebody does not agree.
    Reject,
    /// The answer to [`crate::Effect::Reserve`].
    Budget {
        /// The hold that it answers.
        reservation: Digest,
        /// What it came to.
        answer: BudgetAnswer,
    },
    /// The mandate says that time has ended a hold.
    BudgetLapsed {
        /// Which.
        reservation: Digest,
    },
    /// The wallet has paid, it says.
    Pay {
        /// With this.
        payment: Payment,
        /// Whether its name is this run's to use.
        claim: Claim,
    },
    /// The answer to [`crate::Effect::Look`].
    Settlement {
        /// The look that it answers.
        attempt: u32,
        /// What was seen.
        verdict: Verdict,
    },
    /// The answer to [`crate::Effect::Trace`].
    Traced {
        /// The search that it answers.
        attempt: u32,
        /// What was found; its name is this run's already.
        trace: Trace,
    },
    /// Stop, by the run's owner.
    Cancel,
    /// Time has passed.
    Wake,
}
