//! The same jobs, fees and signatures in every test.

use primitives::{BaseUnits, Digest, Millis, UnixMillis};
pub(crate) use rehearsal::START;
use rehearsal::{Core, core_of};
use relayer::{
    Bytes, Call, Command, Effect, Event, Fact, Fixed, Hash, Job, Market, Observation, Outcome, Policy,
    Purpose, Receipt, Refusal, Signed, State, Unsigned, Verdict, unsigned,
};

/// How long a job may wait unless a test says otherwise.
pub(crate) const WINDOW: Millis = Millis::from_seconds(60);
/// The gas limit of every job.
pub(crate) const GAS: u64 = 100_000;
/// The gas that every job uses.
pub(crate) const GAS_USED: u64 = 60_000;

pub(crate) const POLICY: Policy =
    Policy { daily_gas_per_payer: 250_000, max_fee_per_gas: BaseUnits(100), open_max: 64 };

pub(crate) const fn market(base_fee: u128, tip: u128) -> Market {
    Market { base_fee: BaseUnits(base_fee), tip: BaseUnits(tip) }
}

/// The job `id` of a payer of its own.
pub(crate) fn job(id: &str, not_after: UnixMillis) -> Job {
    let (to, input) = (Fixed([0xc0; 20]), Bytes(id.as_bytes().to_vec()));
    Job { id: id.to_owned(), payer: format!("payer of {id}"), to, input, gas_limit: GAS, not_after }
}

pub(crate) fn submit(id: &str) -> Command {
    Command::Submit { job: job(id, START.plus(WINDOW)), policy: POLICY }
}

/// What a signature comes to: the bytes are all that there is to know of the transaction, the hash is theirs. A call
/// says by its input which job it executes.
pub(crate) fn sign(unsigned: Unsigned) -> Signed {
    let input = match (&unsigned.call, &unsigned.purpose) {
        (Call::Job { input, .. }, Purpose::Job(id)) if input.0 == id.as_bytes() => Some(input),
        (Call::Void, Purpose::Void) => None,
        (call, purpose) => panic!("{call:?} is not what {purpose:?} asks for"),
    };
    let raw = serde_json::to_vec(&(unsigned.nonce, input, unsigned.fees)).unwrap();
    unsigned.signed(Fixed(Digest::of(&[&raw]).0), Bytes(raw))
}

pub(crate) fn receipt(hash: Hash, verdict: Verdict) -> Receipt {
    Receipt { hash, block_number: 7, block_hash: Fixed([0xb7; 32]), verdict, gas_used: GAS_USED }
}

pub(crate) fn look(mined_nonce: u64, receipts: Vec<Receipt>) -> Command {
    Command::Observe(Observation { mined_nonce, receipts })
}

/// The core, and the words for it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Relayer;

pub(crate) type Life = rehearsal::Life<Relayer>;
pub(crate) type Heard = rehearsal::Heard<Relayer>;

impl Core for Relayer {
    core_of!(relayer);

    const FACTS: usize = 12;

    fn name(event: &Event) -> &'static str {
        match &event.fact {
            Fact::Submitted { .. } => "Submitted",
            Fact::Synchronized { .. } => "Synchronized",
            Fact::Signed(_) => "Signed",
            Fact::Mined { .. } => "Mined",
            Fact::Taken { .. } => "Taken",
            Fact::Restored { .. } => "Restored",
            Fact::Displaced { .. } => "Displaced",
            Fact::Expired { .. } => "Expired",
            Fact::GapSeen { .. } => "GapSeen",
            Fact::GapGone => "GapGone",
            Fact::LookStarted { .. } => "LookStarted",
            Fact::ResendStarted { .. } => "ResendStarted",
        }
    }

    fn lifecycle(state: &State) -> &'static str {
        state.lifecycle().name()
    }

    fn told(event: &Event) -> String {
        format!("{}({})", Self::name(event), about(&event.fact)).replace("()", "")
    }

    fn owed(effect: &Effect) -> String {
        match effect {
            Effect::Announce { job, .. } => format!("+announce({job})"),
            Effect::Report { job, outcome } => {
                let outcome = match outcome {
                    Outcome::Mined(Receipt { verdict: Verdict::Succeeded, .. }) => "mined",
                    Outcome::Mined(Receipt { verdict: Verdict::Reverted, .. }) => "reverted",
                    Outcome::Expired => "expired",
                    Outcome::Displaced => "displaced",
                };
                format!("+report({job},{outcome})")
            }
        }
    }
}

/// What a fact is about, in a few letters: the job, the nonce, the fees.
fn about(fact: &Fact) -> String {
    match fact {
        Fact::Submitted { job } => job.id.clone(),
        Fact::Expired { job } => job.clone(),
        Fact::Signed(Signed { nonce, purpose, fees, .. }) => {
            let purpose = if let Purpose::Job(id) = purpose { id } else { "void" };
            format!("{nonce}:{purpose}@{}/{}", fees.max_fee, fees.priority_fee)
        }
        Fact::Synchronized { next_nonce: nonce }
        | Fact::Mined { nonce, .. }
        | Fact::Taken { nonce }
        | Fact::Restored { nonce }
        | Fact::Displaced { nonce }
        | Fact::GapSeen { from: nonce } => nonce.to_string(),
        Fact::GapGone | Fact::LookStarted { .. } | Fact::ResendStarted { .. } => String::new(),
    }
}

/// Signs whatever there is to sign.
pub(crate) fn signs(life: &mut Life, market: &Market, now: UnixMillis) -> Result<Heard, Refusal> {
    life.hears(signing(life, market, now), now)
}

/// The command that does.
pub(crate) fn signing(life: &Life, market: &Market, now: UnixMillis) -> Command {
    Command::Sign(unsigned(&life.state, market, &POLICY, now).into_iter().map(sign).collect())
}

/// The hash of the `attempt`th transaction under an open nonce, counted from 1.
pub(crate) fn hash(life: &Life, nonce: u64, attempt: usize) -> Hash {
    let open = life.state.open.get(&nonce);
    open.and_then(|open| open.attempts.get(attempt - 1)).map_or(Fixed([0; 32]), |attempt| attempt.hash)
}
