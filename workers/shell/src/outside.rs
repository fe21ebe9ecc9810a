//! Time, randomness, and time limits.

use core::cell::Cell;

use futures_util::future::{Either, select};
use primitives::{CorrelationId, Millis, Secret, SecretKind, UnixMillis};

use crate::failure::Failure;

thread_local! {
    static AHEAD: Cell<Millis> = const { Cell::new(Millis(0)) };
}

/// The time. It stands still within one synchronous step.
pub fn now() -> UnixMillis {
    UnixMillis(worker::Date::now().as_millis()).plus(AHEAD.get())
}

/// Sets this isolate's clock ahead of the runtime's. For tests, which have no time to wait; alarms go by the runtime's.
pub fn go_ahead(by: Millis) {
    AHEAD.set(by);
}

/// A fresh secret.
pub fn fresh_secret(kind: SecretKind) -> Result<Secret, Failure> {
    Ok(Secret::from_random(kind, random()?))
}

/// A fresh correlation id: 32 hexadecimal digits.
pub fn fresh_correlation_id() -> CorrelationId {
    let bytes: [u8; 16] = random().unwrap_or_default();
    let digest = primitives::Digest::of(&[&bytes]).to_string();
    let text = digest.get(..32).unwrap_or("unidentified");
    text.parse().unwrap_or_else(|_| fallback())
}

fn fallback() -> CorrelationId {
    // 32 hexadecimal digits always parse; the alternative to this line is a panic.
    #[expect(clippy::expect_used, reason = "a constant that is valid by its own rule")]
    "unidentified".parse().expect("a valid correlation id")
}

/// Fresh random bytes.
pub fn random<const N: usize>() -> Result<[u8; N], Failure> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| Failure::Runtime(error.to_string()))?;
    Ok(bytes)
}

/// Runs `work`, but not longer than `millis`; `None` when the time is up. What was started goes on unobserved, so only
/// work that may be repeated belongs here.
pub async fn within<T>(millis: u64, work: impl Future<Output = T>) -> Option<T> {
    let limit = worker::Delay::from(core::time::Duration::from_millis(millis));
    match select(Box::pin(work), Box::pin(limit)).await {
        Either::Left((done, _)) => Some(done),
        Either::Right(((), _)) => None,
    }
}
