//! How a queue says no.

use primitives::UnixMillis;
use serde::{Deserialize, Serialize};

use crate::limits;

/// A refusal; of several, the first in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Refusal {
    /// There is no executor, or its secret is another one.
    NotRegistered,
    /// There is an executor with another secret.
    AlreadyRegistered,
    /// The id is that of another order.
    CommandIdReused,
    /// The order's end is past.
    OrderOver,
    /// The order's end is too far away.
    OrderTooLong,
    /// What is kept is as much as can be.
    QueueFull {
        /// Then the first of it ends.
        retry_at: UnixMillis,
    },
}

impl Refusal {
    /// Stable, for programs.
    pub const fn code(self) -> &'static str {
        match self {
            Self::NotRegistered => "unknown_executor",
            Self::AlreadyRegistered => "executor_already_registered",
            Self::CommandIdReused => "command_id_reused",
            Self::OrderOver => "order_over",
            Self::OrderTooLong => "order_too_long",
            Self::QueueFull { .. } => "too_many_orders",
        }
    }

    /// From when on the same request can succeed, if it ever can.
    pub const fn retry_at(self) -> Option<UnixMillis> {
        match self {
            Self::NotRegistered
            | Self::AlreadyRegistered
            | Self::CommandIdReused
            | Self::OrderOver
            | Self::OrderTooLong => None,
            Self::QueueFull { retry_at } => Some(retry_at),
        }
    }

    /// Whether the same request can succeed later.
    pub const fn may_retry(self) -> bool {
        self.retry_at().is_some()
    }
}

impl core::fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::NotRegistered => formatter.write_str(
                "There is no such executor. Register one, and use the id and the secret that it is given.",
            ),
            Self::AlreadyRegistered => formatter.write_str(
                "An executor with another secret is registered here. Register with a fresh secret.",
            ),
            Self::CommandIdReused => formatter
                .write_str("This command id stands for another order. Give each command an id of its own."),
            Self::OrderOver => formatter.write_str("This order's end is past. Give one with a later end."),
            Self::OrderTooLong => {
                let hours = limits::ORDER_MAX.0 / 3_600_000;
                write!(formatter, "This order ends in more than {hours} hours. Give one with an earlier end.")
            }
            Self::QueueFull { retry_at } => write!(
                formatter,
                "This executor has as many orders as are kept: {} that are pending, {} bytes of commands, or {} ids. Try again at {}, or choose another executor.",
                limits::ORDERS,
                limits::BODIES_BYTES,
                limits::NAMES,
                retry_at.to_rfc3339(),
            ),
        }
    }
}
