//! Who is told that a payment is settled, and how often (T10).

use primitives::Digest;
use serde::{Deserialize, Serialize};

use crate::{Fact, Lifecycle, Refusal, State, limits, matches};

/// Who asks, as far as a settlement tells askers apart.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Asker {
    /// One without a key. Two of them may be two sales for one payment, so only one of them is told.
    Anonymous,
    /// One with a key of its own, of at most [`limits::KEY_BYTES`] bytes. Who has the same key has the same books.
    Key(String),
}

impl Asker {
    /// Refuses a key that is too long to be kept.
    pub(crate) fn check(&self) -> Result<(), Refusal> {
        match self {
            Self::Key(key) if key.len() > limits::KEY_BYTES => Err(Refusal::KeyTooLong),
            Self::Anonymous | Self::Key(_) => Ok(()),
        }
    }
}

/// Tells that it is settled, to whom it may be told. What may be told once is recorded before: an answer that is lost on
/// its way is not told again.
pub(crate) fn collect(state: &State, fingerprint: &Digest, asker: &Asker) -> Result<Vec<Fact>, Refusal> {
    asker.check()?;
    matches(state, fingerprint)?;
    let lifecycle = state.lifecycle();
    let State::Transferred { pursuit, .. } = state else {
        return Err(Refusal::Unavailable(lifecycle));
    };
    if lifecycle != Lifecycle::Settled {
        return Err(Refusal::Unavailable(lifecycle));
    }
    match (&pursuit.order.asker, asker) {
        (Asker::Anonymous, Asker::Anonymous) if pursuit.collected_at.is_none() => Ok(vec![Fact::Collected]),
        (Asker::Key(beginner), Asker::Key(key)) if beginner == key => Ok(Vec::new()),
        (Asker::Anonymous | Asker::Key(_), Asker::Anonymous | Asker::Key(_)) => Err(Refusal::Collected),
    }
}

/// Whether a request is still good, though its window be over or its nonce used: its money is under way, or has moved and
/// this asker may collect it. Money under way makes it good for every asker: whoever turned the request away would have
/// its payer sign a second payment.
pub fn is_open_to(state: &State, fingerprint: &Digest, asker: &Asker) -> bool {
    match state.lifecycle() {
        Lifecycle::New | Lifecycle::Declined | Lifecycle::Failed => false,
        Lifecycle::Submitted | Lifecycle::Sent | Lifecycle::Reverted | Lifecycle::Included => {
            matches(state, fingerprint).is_ok()
        }
        Lifecycle::Settled => collect(state, fingerprint, asker).is_ok(),
    }
}
