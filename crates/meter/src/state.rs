//! Where a meter stands.

use std::collections::BTreeMap;

use primitives::{AgentName, BaseUnits, ReservationId, ServiceName, TenantId, UnixMillis};
use serde::{Deserialize, Serialize};
use tariff::{Exact, Pricing, Quantity, Scale};

use crate::{Adjustment, Credited, Handed, Reservation, Settlement};

/// Whose usage of what, and where it is counted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    /// The provider.
    pub tenant: TenantId,
    /// Whoever uses.
    pub agent: AgentName,
    /// What is used.
    pub service: ServiceName,
    /// How often the tenant had begun anew when it was used: what was before is not listed any more.
    #[serde(default)]
    pub era: u32,
    /// How many digits quantities of the service have after the point.
    pub scale: Scale,
    /// Which shard of the meter this is, from 0; the first one bills for all.
    pub shard: u8,
    /// How many shards the meter has.
    pub shards: u8,
}

/// Usage at one price that is not billed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Open {
    /// The price version.
    pub version: u32,
    /// What it charges.
    pub pricing: Pricing,
    /// How much was used, without what was taken back.
    pub quantity: Quantity,
    /// In how many events, without those that were taken back.
    pub events: u64,
    /// The earliest and the latest moment of all that were recorded.
    pub from: UnixMillis,
    /// See `from`.
    pub to: UnixMillis,
}

/// What was counted since the beginning; nothing here is ever subtracted from.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// Events of usage.
    pub events: u64,
    /// What they said.
    pub recorded: Quantity,
    /// What other shards have handed over, without what they took back before that was billed.
    pub taken_over: Quantity,
    /// What was handed over to the first shard.
    pub handed_over: Quantity,
    /// What was taken back of the events that are kept here, wherever their usage was.
    #[serde(default)]
    pub taken_back: Quantity,
    /// What was taken back before it was settled, written off or handed over.
    pub reversed: Quantity,
    /// What was taken back after that.
    pub credited: Quantity,
    /// What was in settlements when they were verified.
    pub settled: Quantity,
    /// What these came to.
    pub paid: BaseUnits,
    /// What was written off.
    pub written_off: Quantity,
}

/// A meter that was used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Book {
    /// Whose usage of what.
    pub subject: Subject,
    /// Since when.
    pub since: UnixMillis,
    /// When usage was last recorded; `since` if it never was.
    pub last_at: UnixMillis,
    /// What is not billed, by price version.
    pub open: BTreeMap<u32, Open>,
    /// What the other shards handed over, if this is one.
    pub handed: Option<Handed>,
    /// The last round that was billed or written off.
    pub round: u64,
    /// What was taken back of earlier bills and waits for the next.
    pub adjustments: Vec<Adjustment>,
    /// What is carried to the next bill.
    pub carry: Exact,
    /// The bill that waits for its payment, and what reservations pay, by number. What is over is on file.
    pub pending: BTreeMap<u64, Settlement>,
    /// Reservations that are asked for or held.
    pub reservations: BTreeMap<ReservationId, Reservation>,
    /// What shards have taken back of a round that is not taken yet, by price version.
    pub early: BTreeMap<u32, Credited>,
    /// The number of the last settlement.
    pub number: u64,
    /// What was counted.
    pub totals: Totals,
}

/// The state.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum State {
    /// Nothing was ever used.
    #[default]
    Unused,
    /// Something was.
    Used(Box<Book>),
}

impl State {
    /// The book, once there is one.
    pub fn book(&self) -> Option<&Book> {
        match self {
            Self::Unused => None,
            Self::Used(book) => Some(book),
        }
    }

    /// The published name of the state.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Unused => "UNUSED",
            Self::Used(_) => "USED",
        }
    }
}
