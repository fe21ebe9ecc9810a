//! The rule for repeating a call.

use core::time::Duration;

use crate::{
    Error,
    limits::{FIRST_PAUSE, LONGEST_PAUSE},
};

/// Whether the same call can end otherwise when it is repeated.
pub(crate) fn may_pass(error: &Error) -> bool {
    match error {
        Error::Unreachable { .. } => true,
        Error::Refused(refused) => refused.problem.retryable,
        Error::Address(_)
        | Error::OutsideContract { .. }
        | Error::Terms(_)
        | Error::Unresolved(_)
        | Error::NoRandomness => false,
    }
}

/// Whether an error leaves open what became of a call that moves money, so that asking again for the same is right.
pub(crate) fn is_open(error: &Error) -> bool {
    match error {
        Error::Refused(refused) => {
            matches!(
                (refused.status, refused.problem.code.as_str()),
                // A bill that waits has the second code too, with 409: that is a lasting no.
                (402, "settlement_unknown" | "settlement_pending") | (_, "payment_in_progress")
            ) || may_pass(error)
                || refused.status >= 500
        }
        // A proxy's error page, or half an answer: the board may have acted.
        Error::Unreachable { .. } | Error::OutsideContract { .. } => true,
        Error::Address(_) | Error::Terms(_) | Error::Unresolved(_) | Error::NoRandomness => false,
    }
}

/// How long to wait before the attempt after `attempt`: what the board asks for, else twice as long each time.
pub(crate) fn pause(attempt: u32, error: &Error) -> Duration {
    let asked = match error {
        Error::Refused(refused) => refused.retry_after,
        Error::Address(_)
        | Error::Unreachable { .. }
        | Error::OutsideContract { .. }
        | Error::Terms(_)
        | Error::Unresolved(_)
        | Error::NoRandomness => None,
    };
    let doubled = FIRST_PAUSE.saturating_mul(2_u32.saturating_pow(attempt.saturating_sub(1)));
    asked.unwrap_or(doubled).min(LONGEST_PAUSE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_and_are_bounded() {
        let lost = Error::Unreachable { operation: "x", cause: String::new() };
        let pauses: Vec<u128> = (1..=6).map(|attempt| pause(attempt, &lost).as_millis()).collect();
        assert_eq!(pauses, [250, 500, 1000, 2000, 4000, 5000]);
        assert_eq!(pause(u32::MAX, &lost), LONGEST_PAUSE);
    }
}
