//! How an endpoint says no.

use primitives::UnixMillis;
use serde::{Deserialize, Serialize};

use crate::limits;

/// A refusal. Nothing changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Refusal {
    /// There is none, or it is another tenant's.
    UnknownEndpoint,
    /// There is one of this id, with another address.
    EndpointExists,
    /// It is disabled.
    EndpointDisabled,
    /// No such message is on file.
    UnknownMessage,
    /// As many messages wait as can.
    TooManyPending,
    /// The last rotation's overlap is not over.
    RotationPending {
        /// When it is.
        until: UnixMillis,
    },
    /// The overlap is longer than can be.
    OverlapTooLong,
}

impl Refusal {
    /// Stable, for programs.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::UnknownEndpoint => "unknown_webhook",
            Self::EndpointExists => "endpoint_exists",
            Self::EndpointDisabled => "endpoint_disabled",
            Self::UnknownMessage => "unknown_message",
            Self::TooManyPending => "too_many_pending",
            Self::RotationPending { .. } => "rotation_pending",
            Self::OverlapTooLong => "overlap_too_long",
        }
    }

    /// Whether the same request can succeed later.
    pub const fn may_retry(&self) -> bool {
        match self {
            Self::TooManyPending | Self::RotationPending { .. } => true,
            Self::UnknownEndpoint
            | Self::EndpointExists
            | Self::EndpointDisabled
            | Self::UnknownMessage
            | Self::OverlapTooLong => false,
        }
    }
}

impl core::fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::UnknownEndpoint => {
                formatter.write_str("There is no such webhook. GET /v1/webhooks lists yours.")
            }
            Self::EndpointExists => formatter.write_str(
                "This key was used for an endpoint with another address or description. Use a fresh Idempotency-Key.",
            ),
            Self::EndpointDisabled => formatter.write_str(
                "The endpoint is disabled and is sent nothing. Enable it first with POST …/enable.",
            ),
            Self::UnknownMessage => {
                let days = limits::KEPT.0 / 86_400_000;
                write!(
                    formatter,
                    "No such message is on file for this endpoint. Messages are kept for {days} days; GET …/attempts names them."
                )
            }
            Self::TooManyPending => write!(
                formatter,
                "{} messages wait for this endpoint already. Try again when some of them are through.",
                limits::PENDING
            ),
            Self::RotationPending { until } => write!(
                formatter,
                "The secret was rotated lately, and the former one signs until {}. Rotate after that, or now with an overlap of 0 seconds, which ends every former one.",
                until.to_rfc3339()
            ),
            Self::OverlapTooLong => {
                let seconds = limits::OVERLAP.0 / 1_000;
                write!(formatter, "The former secret can sign for {seconds} more seconds at most. Ask for less.")
            }
        }
    }
}
