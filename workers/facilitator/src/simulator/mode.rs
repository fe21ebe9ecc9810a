//! How the simulator behaves.

use core::str::FromStr;

use primitives::{Malformed, Millis};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::limits::DELAY_MAX;

/// What the simulator does with a good payment, and how it answers. Text on the wire, such as `delay:250`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Settles and says so.
    Settle,
    /// Refuses new payments for lack of money.
    Refuse,
    /// Settles at once and says so only later.
    Delay(Millis),
    /// Does nothing and stays silent.
    Hang,
    /// Settles and answers a page instead of JSON: the answer is lost, the money is not.
    Garbage,
    /// Settles and answers 502: the answer is lost, the money is not.
    Error,
    /// Does nothing and answers 502.
    Lost,
    /// Sends new payments to the chain without seeing them land.
    Pending,
    /// As pending; asked once more, says that the transaction has failed.
    Revert,
}

impl FromStr for Mode {
    type Err = Malformed;

    fn from_str(text: &str) -> Result<Self, Malformed> {
        let delay = |text: &str| {
            let span = Millis(text.parse().ok()?);
            (span <= DELAY_MAX).then_some(Self::Delay(span))
        };
        let mode = match text {
            "settle" => Some(Self::Settle),
            "refuse" => Some(Self::Refuse),
            "hang" => Some(Self::Hang),
            "garbage" => Some(Self::Garbage),
            "error" => Some(Self::Error),
            "lost" => Some(Self::Lost),
            "pending" => Some(Self::Pending),
            "revert" => Some(Self::Revert),
            other => other.strip_prefix("delay:").and_then(delay),
        };
        mode.ok_or(Malformed {
            what: "simulator mode",
            allowed: "settle, refuse, delay:<milliseconds up to 60000>, hang, garbage, error, lost, pending or revert",
        })
    }
}

impl core::fmt::Display for Mode {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.write_str(match self {
            Self::Settle => "settle",
            Self::Refuse => "refuse",
            Self::Delay(span) => return write!(formatter, "delay:{}", span.0),
            Self::Hang => "hang",
            Self::Garbage => "garbage",
            Self::Error => "error",
            Self::Lost => "lost",
            Self::Pending => "pending",
            Self::Revert => "revert",
        })
    }
}

impl Serialize for Mode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Mode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mode_reads_what_it_writes_and_nothing_else_is_one() {
        for text in [
            "settle",
            "refuse",
            "delay:0",
            "delay:60000",
            "hang",
            "garbage",
            "error",
            "lost",
            "pending",
            "revert",
        ] {
            assert_eq!(text.parse::<Mode>().unwrap().to_string(), text);
        }
        for text in ["", "Settle", "delay", "delay:", "delay:-1", "delay:60001", "delay:1.5", "settle "] {
            assert!(text.parse::<Mode>().is_err(), "{text:?}");
        }
    }
}
