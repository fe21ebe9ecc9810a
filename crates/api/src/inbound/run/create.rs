//! A run is made.

use alloy_primitives::B256;
use primitives::{Digest, ExecutorId, RunId};
use run::{Creation, Intent, Mandate, Mode, Rails, limits as of_run};
use serde_json::Value;

use crate::inbound::{Faults, shape};
use crate::limits;
use crate::problem::Problem;
use crate::settings::Runs;
use crate::wire::{CreateRun, ExecutionMode};

const FRESH_PURPOSE: &[u8] = b"guildhall run v1\0";
const KEY_PURPOSE: &[u8] = b"guildhall run by key v1\0";

/// A run that is wanted, as far as its body says what it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// What is wanted.
    pub intent: Intent,
    /// Who looks at the shops.
    pub executor: ExecutorId,
    /// Whether money moves.
    pub mode: Mode,
    /// How its payment travels.
    pub rails: Rails,
    /// The mandate that it spends from.
    pub mandate: Option<B256>,
    /// The buyer's own name for the user that it is for.
    pub user: Option<String>,
}

/// Reads a run to be made. `demo` is the executor of a run that names none.
///
/// # Errors
/// 400 with every fault; 422 for a wallet that cannot pay here.
pub fn created(body: &Value, runs: &Runs, demo: Option<ExecutorId>) -> Result<Wanted, Problem> {
    let body: CreateRun = shape(body)?;
    let mut faults = Faults::default();
    let intent = Intent {
        requirement: faults.line("request.requirement", body.request.requirement, of_run::REQUIREMENT_BYTES),
        quantity: body.request.quantity,
        max_total: faults.cents("request.maxBudgetCents", &body.request.max_budget_cents),
    };
    if !(1..=of_run::QUANTITY).contains(&intent.quantity) {
        let most = of_run::QUANTITY;
        faults.add("request.quantity", format!("is {}; 1 to {most} are allowed", intent.quantity));
    }
    if body.request.max_budget_cents == "0" {
        faults.add("request.maxBudgetCents", "is nothing; name the most that all of it may cost");
    }
    let executor = match (body.executor_id, demo) {
        (Some(text), _) => faults.take("executorId", text.parse()),
        (None, Some(demo)) => Some(demo),
        (None, None) => {
            faults.add("executorId", "is needed: the id of an executor of yours, from POST /v1/executors");
            None
        }
    };
    let rails = runs.rails(body.wallet)?;
    let mandate = body.mandate.map(|text| faults.hash("mandate", &text));
    let user = body.user_id.map(|text| faults.line("userId", text, of_run::USER_BYTES));
    let mode = match body.execution_mode {
        ExecutionMode::Simulated => Mode::Simulated,
        ExecutionMode::Real => Mode::Real,
    };
    faults.finish(executor.map(|executor| Wanted { intent, executor, mode, rails, mandate, user }))
}

impl Wanted {
    /// The run, once it is known what it is called, what its mandate is, and what its token is.
    pub fn creation(self, run: RunId, mandate: Option<Mandate>, token: Digest) -> Creation {
        let Self { intent, executor, mode, rails, mandate: _, user } = self;
        Creation { run, intent, executor, mode, rails, mandate, user, token }
    }
}

/// The id of a run that is to be made: that of the buyer's `Idempotency-Key`, or of 16 fresh random bytes.
///
/// # Errors
/// 400 for a key that is none.
pub fn new_run(key: Option<&str>, fresh: [u8; 16]) -> Result<RunId, Problem> {
    let Some(key) = key else { return Ok(RunId::derive(&[FRESH_PURPOSE, &fresh])) };
    let is_long = (limits::RUN_KEY_MIN..=limits::RUN_KEY_MAX).contains(&key.len());
    if is_long && key.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Ok(RunId::derive(&[KEY_PURPOSE, key.as_bytes()]));
    }
    let detail = format!(
        "Idempotency-Key must have {} to {} characters of visible ASCII, and be one that nobody guesses, such as a fresh \
         UUID: whoever knows it is given the run as long as its token is unused.",
        limits::RUN_KEY_MIN,
        limits::RUN_KEY_MAX
    );
    Err(Problem::new(400, "invalid_idempotency_key", detail))
}
