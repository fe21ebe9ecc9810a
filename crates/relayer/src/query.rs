//! What the shell is to sign, to send and to look up.

use primitives::UnixMillis;

use crate::{
    Address, Bytes, Cargo, Fees, Hash, Market, Policy, Purpose, Signed, Standing, State, Task, limits,
};

/// What a transaction does.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are those of the job")]
pub enum Call {
    /// Executes a job; sends no value.
    Job { to: Address, input: Bytes, gas_limit: u64 },
    /// Uses up the nonce: no value and no input, to the key's own address, with [`limits::TRANSFER_GAS`].
    Void,
}

/// A transaction that the key should sign now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unsigned {
    /// Its nonce.
    pub nonce: u64,
    /// What it is for.
    pub purpose: Purpose,
    /// What it does.
    pub call: Call,
    /// What it offers.
    pub fees: Fees,
}

impl Unsigned {
    /// The same, signed, for [`crate::Command::Sign`].
    pub fn signed(self, hash: Hash, raw: Bytes) -> Signed {
        Signed { nonce: self.nonce, purpose: self.purpose, hash, raw, fees: self.fees }
    }
}

/// What the key should sign at `now`: void transactions for a gap, replacements for what is stuck or expired, and
/// transactions for waiting jobs, in this order.
pub fn unsigned(state: &State, market: &Market, policy: &Policy, now: UnixMillis) -> Vec<Unsigned> {
    let mut list = fillers(state, market, policy, now);
    list.extend(replacements(state, market, policy, now));
    list.extend(first_attempts(state, market, policy, now));
    list
}

fn fillers(state: &State, market: &Market, policy: &Policy, now: UnixMillis) -> Vec<Unsigned> {
    let confirmed = state.gap.filter(|gap| now.since(gap.since) >= limits::GAP_CONFIRMATION);
    let (Some(gap), Some(first), Some(fees)) = (confirmed, state.first_open(), market.fees(policy)) else {
        return Vec::new();
    };
    let nonces = (gap.from..first).take(limits::GAP_FILL_MAX);
    nonces.map(|nonce| Unsigned { nonce, purpose: Purpose::Void, call: Call::Void, fees }).collect()
}

/// The lowest pending nonce holds up all above it, so time alone raises only its fees; one above it is replaced once the
/// market has left it behind. Expired jobs give way at once.
fn replacements(state: &State, market: &Market, policy: &Policy, now: UnixMillis) -> Vec<Unsigned> {
    let pending = || state.open.iter().filter(|(_, open)| open.standing == Standing::Pending);
    let lowest = pending().next().map(|(nonce, _)| *nonce);
    let due = pending().filter(|(nonce, open)| {
        let gives_way = open.attempts.last().is_some_and(|last| last.purpose != open.purpose(now));
        let is_stuck = now.since(open.signed_at) >= limits::BUMP_AFTER
            && (lowest == Some(**nonce) || open.fees.max_fee.0 < market.price());
        gives_way || is_stuck
    });
    let replacement = |(nonce, open): (&u64, &crate::Open)| {
        let (fees, purpose) = (open.fees.raised(market, policy)?, open.purpose(now));
        let call = match &open.cargo {
            Cargo::Task(task) if purpose != Purpose::Void => call(task),
            Cargo::Task(_) | Cargo::Nothing => Call::Void,
        };
        Some(Unsigned { nonce: *nonce, purpose, call, fees })
    };
    due.filter_map(replacement).collect()
}

fn first_attempts(state: &State, market: &Market, policy: &Policy, now: UnixMillis) -> Vec<Unsigned> {
    let (Some(next), Some(fees)) = (state.next_nonce, market.fees(policy)) else { return Vec::new() };
    let room = policy.open_max.min(limits::OPEN_MAX).saturating_sub(state.open.len());
    let tasks = state.waiting.iter().filter(|task| !task.is_expired(now)).take(room);
    let first = |(nonce, task): (u64, &Task)| Unsigned {
        nonce,
        purpose: Purpose::Job(task.job.id.clone()),
        call: call(task),
        fees,
    };
    (next..).zip(tasks).map(first).collect()
}

fn call(Task { job, .. }: &Task) -> Call {
    Call::Job { to: job.to, input: job.input.clone(), gas_limit: job.gas_limit }
}

/// The latest bytes of every nonce that may be unused, lowest nonce first. Sending them twice is harmless.
pub fn to_send(state: &State) -> Vec<(u64, &Bytes)> {
    let pending = state.open.iter().filter(|(_, open)| open.standing == Standing::Pending);
    pending.map(|(nonce, open)| (*nonce, &open.raw)).collect()
}

/// The hashes of everything that was signed under an open nonce: any of them may have been mined.
pub fn to_look_up(state: &State) -> Vec<Hash> {
    state.open.values().flat_map(|open| &open.attempts).map(|attempt| attempt.hash).collect()
}
