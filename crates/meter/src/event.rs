//! What has happened to a meter: the journal's format, and how each event moves the state.

use primitives::{Digest, ReservationId, UnixMillis};
use serde::{Deserialize, Serialize};
use tariff::{Quantity, Version};

use crate::{Adjustment, EventKey, Handed, Means, Outcome, Part, Reservation, Settlement, Subject};

/// One event of the journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// When it was recorded.
    pub at: UnixMillis,
    /// What happened.
    pub fact: Fact,
}

/// One recorded event of usage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recorded {
    /// Its identity.
    pub key: EventKey,
    /// SHA-256 of what it says.
    pub fingerprint: Digest,
    /// When it happened.
    pub at: UnixMillis,
    /// How much was used.
    pub quantity: Quantity,
    /// The number of its price version.
    pub version: u32,
}

/// Where usage was when it was taken back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields say what they are by name")]
pub enum Place {
    /// It was open.
    Open,
    /// This shard had handed it over in that round.
    HandedOver { round: u64 },
    /// Another shard has handed it over, in a round that is not taken yet.
    Untaken,
    /// It was in a settlement, which is like this after it. The adjustment waits for the next bill; of what was written off
    /// there is none.
    Settled { settlement: Box<Settlement>, adjustment: Option<Adjustment> },
}

/// What can have happened. Variants are only added, and fields only with a default: old journals must replay.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields are those of the command that caused the event")]
pub enum Fact {
    /// The first thing that ever happens.
    Begun { subject: Subject },
    /// Usage, with each price that was not open yet.
    Recorded { items: Vec<Recorded>, prices: Vec<Version> },
    /// Usage was taken back.
    Reversed {
        key: EventKey,
        fingerprint: Digest,
        of: EventKey,
        used_at: UnixMillis,
        quantity: Quantity,
        version: u32,
        place: Place,
    },
    /// Usage that a shard had handed over was taken back.
    Credited { key: EventKey, quantity: Quantity, version: u32, place: Place },
    /// All open usage was handed over.
    HandedOver { handed: Handed },
    /// All shards had nothing to settle in the round after the last.
    RoundPassed,
    /// A bill was drawn up.
    Drafted { settlement: Box<Settlement>, parts: Vec<Part> },
    /// Open usage was written off.
    WrittenOff { settlement: Box<Settlement>, parts: Vec<Part> },
    /// Somebody is about to pay.
    Submitted { number: u64, means: Means },
    /// It is about to be looked at how a payment stands.
    Looked { number: u64 },
    /// A payment stands like this.
    Reported { number: u64, outcome: Outcome },
    /// A bill is not to be paid.
    Voided { number: u64 },
    /// Nobody has paid in time.
    DraftExpired { number: u64 },
    /// A mandate is about to be asked.
    Reserved { reservation: Box<Reservation> },
    /// It holds.
    Held { id: ReservationId },
    /// It does not.
    HoldRefused { id: ReservationId, code: String, reason: String },
    /// The work is done and about to be paid.
    Committed { id: ReservationId, item: Recorded, settlement: Box<Settlement> },
    /// The work is not going to be done.
    Released { id: ReservationId },
    /// The time for the work is over.
    ReservationExpired { id: ReservationId },
}

/// An event that does not follow from the state: the stored journal contradicts itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Corrupt {
    /// When the event was recorded.
    pub at: UnixMillis,
    /// Where the meter stood.
    pub state: &'static str,
}

impl core::fmt::Display for Corrupt {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(formatter, "an event recorded at {} does not follow from {}", self.at.to_rfc3339(), self.state)
    }
}

impl core::error::Error for Corrupt {}
