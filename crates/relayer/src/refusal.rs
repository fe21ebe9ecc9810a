//! How a relayer says no.

use serde::{Deserialize, Serialize};

use crate::limits;

/// A refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Refusal {
    /// The job is not within the limits of this crate.
    OutOfBounds,
    /// The job's time is up.
    Expired,
    /// As many jobs or payers as can be kept.
    Busy,
    /// The payer has used up the day's gas.
    GasBudget,
    /// What was signed is not what there was to sign.
    OutOfTurn,
}

impl Refusal {
    /// Stable, for programs.
    pub const fn code(self) -> &'static str {
        match self {
            Self::OutOfBounds => "job_out_of_bounds",
            Self::Expired => "job_expired",
            Self::Busy => "relayer_busy",
            Self::GasBudget => "gas_budget_exceeded",
            Self::OutOfTurn => "signed_out_of_turn",
        }
    }

    /// Whether the same request can succeed later.
    pub const fn may_retry(self) -> bool {
        match self {
            Self::Busy | Self::GasBudget => true,
            Self::OutOfBounds | Self::Expired | Self::OutOfTurn => false,
        }
    }
}

impl core::fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::OutOfBounds => write!(
                formatter,
                "The job has a name of no or more than {} bytes, a call of more than {} bytes, or a gas limit outside {} to {}.",
                limits::NAME_BYTES_MAX,
                limits::INPUT_BYTES_MAX,
                limits::TRANSFER_GAS,
                limits::JOB_GAS_MAX,
            ),
            Self::Expired => formatter.write_str("The job's time is up. Sign a new authorization."),
            Self::Busy => formatter.write_str("The relayer has as much to do as it can keep. Try again in some seconds."),
            Self::GasBudget => formatter
                .write_str("The payer has used up its gas for this day. Try again after midnight UTC, or with a job of less gas."),
            Self::OutOfTurn => {
                formatter.write_str("These transactions are not the ones to be signed now. Ask again what there is to sign.")
            }
        }
    }
}
