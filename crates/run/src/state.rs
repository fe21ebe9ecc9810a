//! The state of a run.

use std::collections::VecDeque;

use primitives::{Digest, ExecutorId, RunId, UnixMillis};
use serde::{Deserialize, Serialize};

use crate::pending::{Failures, Fates, Pending};
use crate::stage::{Shopping, Stage};
use crate::{
    Budget, BudgetState, Candidate, Cents, Creation, Ending, Payment, Rails, RejectedCandidate, RunState,
    View, WalletReport, limits,
};

/// The state.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum State {
    /// There is no run.
    #[default]
    Unborn,
    /// There is one, or was.
    Live(Box<Run>),
}

impl State {
    /// The run, once there is one.
    pub fn run(&self) -> Option<&Run> {
        match self {
            Self::Unborn => None,
            Self::Live(run) => Some(run),
        }
    }

    /// The run as it is shown, once there is one.
    pub fn view(&self) -> Option<View> {
        self.run().map(Run::view)
    }

    /// The published name of the state.
    pub fn name(&self) -> &'static str {
        self.run().map_or("UNBORN", |run| run.state().name())
    }

    /// Whether nothing happens any more.
    pub fn is_over(&self) -> bool {
        self.run().is_some_and(Run::is_over)
    }
}

/// A run. What is shown of it is its [`View`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// What it was made of; the token is the one that counts.
    pub(crate) creation: Creation,
    pub(crate) is_token_used: bool,
    /// Who looks at the shops now.
    pub(crate) executor: ExecutorId,
    /// Cheapest first.
    pub(crate) candidates: Vec<Candidate>,
    /// How many of them were rejected: those before the one that is selected, or the next.
    pub(crate) tried: usize,
    pub(crate) rejected: Vec<RejectedCandidate>,
    pub(crate) pending: Option<Pending>,
    pub(crate) fates: Fates,
    pub(crate) failures: Failures,
    pub(crate) invalidations: u32,
    /// The wallet that is connected.
    pub(crate) wallet: Option<WalletReport>,
    /// Checks of funds so far.
    pub(crate) checks: u32,
    /// Questions for consent so far.
    pub(crate) questions: u32,
    /// The digests of those that are over, oldest first.
    pub(crate) over: VecDeque<Digest>,
    /// The hold that was asked for last.
    pub(crate) budget: Option<Budget>,
    /// Answers that came before their question.
    pub(crate) held: Held,
    /// Signals on the record that changed nothing.
    pub(crate) signals: u32,
    /// Whether the owner wants to stop and nobody knows yet whether it can.
    pub(crate) is_stopping: bool,
    pub(crate) stage: Stage,
    pub(crate) created_at: UnixMillis,
    pub(crate) updated_at: UnixMillis,
    /// Events so far.
    pub(crate) version: u64,
}

/// The latest answer of each kind that came before its question.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Held {
    pub(crate) confirm: Option<Yes>,
    pub(crate) payment: Option<Payment>,
}

/// A yes to something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Yes {
    pub(crate) digest: Digest,
    pub(crate) amount: Cents,
    pub(crate) signer: Option<String>,
}

impl Run {
    /// A run of which nothing is known but what it was made of.
    pub(crate) fn new(creation: Creation, at: UnixMillis) -> Self {
        Self {
            executor: creation.executor.clone(),
            creation,
            is_token_used: false,
            candidates: Vec::new(),
            tried: 0,
            rejected: Vec::new(),
            pending: None,
            fates: Fates::default(),
            failures: Failures::default(),
            invalidations: 0,
            wallet: None,
            checks: 0,
            questions: 0,
            over: VecDeque::new(),
            budget: None,
            held: Held::default(),
            signals: 0,
            is_stopping: false,
            stage: Stage::Shopping(Shopping::Searching(crate::asking::Asking::NEW)),
            created_at: at,
            updated_at: at,
            version: 1,
        }
    }

    /// The run's id.
    pub const fn id(&self) -> &RunId {
        &self.creation.run
    }

    /// How its payment travels.
    pub const fn rails(&self) -> &Rails {
        &self.creation.rails
    }

    /// Where it stands.
    pub fn state(&self) -> RunState {
        self.stage.state()
    }

    /// Whether nothing happens any more.
    pub const fn is_over(&self) -> bool {
        matches!(self.stage, Stage::Ended { .. })
    }

    /// Why it is over, where its state alone does not say. The run has paid nothing, and the wallet says that it has: whoever
    /// reads of the one is told of the other.
    pub(crate) fn ending(&self) -> Option<Ending> {
        let Stage::Ended { outcome, .. } = &self.stage else { return None };
        let unasked = self.held.payment.as_ref().filter(|_| !self.stage.is_authorized());
        let told = unasked.map(|payment| {
            let signature = &payment.signature;
            format!("The wallet named the payment {signature} before any was authorized. Look at the wallet.")
        });
        match (outcome.ending().cloned(), told) {
            (Some(Ending { code, reason }), Some(told)) => {
                Some(Ending { code, reason: format!("{reason} {told}") })
            }
            (None, Some(reason)) => Some(Ending { code: "payment_named_early".to_owned(), reason }),
            (ending, None) => ending,
        }
    }

    /// The run as it is shown.
    pub fn view(&self) -> View {
        View::of(self)
    }

    /// The candidate that is selected.
    pub(crate) fn selected(&self) -> Option<&Candidate> {
        if self.stage.is_selected() { self.candidate() } else { None }
    }

    /// The first candidate that was not rejected.
    pub(crate) fn candidate(&self) -> Option<&Candidate> {
        self.candidates.get(self.tried)
    }

    /// The hold that was asked for or is held, and has not ended.
    pub(crate) fn hold(&self) -> Option<&Budget> {
        self.budget.as_ref().filter(|budget| match budget.state {
            BudgetState::Requested | BudgetState::Held => true,
            BudgetState::Committed | BudgetState::Released => false,
        })
    }

    /// The address of the wallet that is connected.
    pub(crate) fn address(&self) -> Option<&str> {
        self.wallet.as_ref().and_then(|report| report.address.as_deref())
    }

    /// The name of the command that the next event asks for.
    pub(crate) fn next_command_id(&self) -> String {
        format!("cmd_{}", self.version.saturating_add(1))
    }

    /// Whether what was read may not stop to hold once more.
    pub(crate) const fn is_unstable(&self) -> bool {
        self.invalidations >= limits::INVALIDATIONS
    }

    /// Whether the wallet and its payments are played by us.
    pub(crate) const fn has_simulated_wallet(&self) -> bool {
        matches!(self.creation.rails, Rails::Simulated { wallet: true })
    }
}
