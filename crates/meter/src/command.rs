//! What a meter can be asked.

use primitives::{Digest, Millis, ReservationId, SettlementId, UnixMillis};
use serde::{Deserialize, Serialize};
use tariff::{Quantity, Version};

use crate::{EventKey, Means, Open, Outcome, Reservation, Settlement, Source, Subject};

/// What the shell has on file of an event's identity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Known {
    /// Nothing.
    Fresh,
    /// An event with the same content.
    Same,
    /// An event with another content.
    Other,
}

/// From when until when an event's time is taken, seen from its receipt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Window {
    /// At most this long ago; at most [`crate::limits::LATE_MAX`].
    pub late: Millis,
}

/// What lets usage of an agent through. The agent's mode decides, whatever its balance is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Gate {
    /// Usage counts and is billed later.
    Postpaid,
    /// Only what a reservation holds is used.
    Prepaid,
}

/// One event of usage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// Its identity.
    pub key: EventKey,
    /// SHA-256 of the canonical JSON of what it says.
    pub fingerprint: Digest,
    /// When it happened.
    pub at: UnixMillis,
    /// How much was used.
    pub quantity: Quantity,
    /// The price that is in force at `at`; none when the service had none then.
    pub price: Option<Version>,
    /// What is on file of its identity.
    pub known: Known,
}

/// What the shell has on file of an event that is to be reversed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Original {
    /// How much it said.
    pub quantity: Quantity,
    /// At which price.
    pub version: u32,
    /// When it happened.
    pub at: UnixMillis,
    /// Where it went.
    pub source: Source,
    /// The settlement that has it now. For usage of a round, of those that have this round or a later one and did not
    /// fail, the first; none when there is none. For what a reservation paid, the settlement of that number; if it failed,
    /// the one that is found in this way from the round in which it says that it was reopened. In SQL, with `failed` for those that did:
    /// `SELECT body FROM settlements WHERE round >= ? AND NOT failed ORDER BY round LIMIT 1`.
    pub billed: Option<Box<Settlement>>,
    /// The event that has reversed it.
    pub reversed: Option<EventKey>,
    /// The event that it reverses itself, if it does.
    pub reverses: Option<EventKey>,
}

/// An event that takes back another one, whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reversal {
    /// Its own identity.
    pub key: EventKey,
    /// SHA-256 of the canonical JSON of what it says.
    pub fingerprint: Digest,
    /// Which event.
    pub of: EventKey,
    /// What is on file of its own identity.
    pub known: Known,
    /// What is on file of the other one.
    pub original: Option<Original>,
}

/// What a shard has taken back of what it had handed over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Credit {
    /// The reversal's identity: told twice, it counts once.
    pub key: EventKey,
    /// The round in which the event was handed over.
    pub round: u64,
    /// Its price version.
    pub version: u32,
    /// How much is taken back.
    pub quantity: Quantity,
    /// Whether it was told before: [`Known::Fresh`] or [`Known::Same`]. The shell keeps the row of each
    /// ([`crate::Row::Credit`]).
    pub known: Known,
    /// The settlement that has it now, as for [`Original::billed`].
    pub billed: Option<Box<Settlement>>,
}

/// What is to be reserved before work begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    /// The reservation.
    pub id: ReservationId,
    /// The mandate that is to hold the money: `0x` and 64 hexadecimal digits.
    pub mandate: String,
    /// Whom the mandate pays: `0x` and 40 hexadecimal digits.
    pub recipient: String,
    /// At most this is going to be used.
    pub quantity: Quantity,
    /// The price now.
    pub price: Version,
    /// It ends by itself then, at most [`crate::limits::RESERVATION_MAX`] from now.
    pub until: UnixMillis,
    /// What lets usage of the agent through: only prepaid usage is reserved.
    pub gate: Gate,
}

/// What one shard has handed over in a round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Handed {
    /// The round.
    pub round: u64,
    /// What it had, by price version.
    pub open: Vec<Open>,
}

/// What a shard has given to the first one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// Which shard, from 1.
    pub shard: u8,
    /// What it has handed over.
    pub handed: Handed,
}

/// One request to a meter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Command {
    /// Be there, with nothing used. The first shard is told so before another one is used: it bills for all.
    Begin {
        /// Whose usage of what.
        subject: Subject,
    },
    /// Record events. Those that are refused are left out; [`crate::verdicts`] says which and why.
    Record {
        /// Whose usage of what.
        subject: Subject,
        /// The events.
        items: Vec<Item>,
        /// Which times are taken.
        window: Window,
        /// What lets it through.
        gate: Gate,
    },
    /// Take an event back.
    Reverse(Box<Reversal>),
    /// A shard has reversed an event that it had handed over.
    Credit(Box<Credit>),
    /// Hand over all open usage to the first shard. The same round again hands over the same; the next one forgets it, for
    /// the first shard has taken it then. What was never used hands over nothing, and is used from then on.
    ///
    /// The others are asked only while the first shard has no bill pending. Usage that comes after its shard has handed over
    /// is for the next bill, also if whoever settles has broken off in between.
    HandOver {
        /// Whose usage of what.
        subject: Subject,
        /// One more than the last round that the first shard has taken.
        round: u64,
    },
    /// Draw up a bill of all that is open, and of what the shards have handed over.
    Draft {
        /// Whose usage of what.
        subject: Subject,
        /// Its id.
        id: SettlementId,
        /// What each of the other shards has given in the round after the last.
        parts: Vec<Part>,
        /// How long it waits for its payment; at most [`crate::limits::DRAFT_WAIT`].
        wait: Millis,
    },
    /// Open usage is not charged for (published as a reset of the counter).
    WriteOff {
        /// Whose usage of what.
        subject: Subject,
        /// The id of the settlement that says so.
        id: SettlementId,
        /// As for a draft.
        parts: Vec<Part>,
    },
    /// There was nothing to settle, and each of the other shards has handed over nothing: what they have next is to be in
    /// another round. Follows on a draft that was refused for that.
    Pass {
        /// Whose usage of what.
        subject: Subject,
        /// As for a draft.
        parts: Vec<Part>,
    },
    /// Somebody is about to pay a drafted bill. The same again changes nothing.
    Submit {
        /// The bill.
        id: SettlementId,
        /// How.
        means: Means,
        /// What is on file of it.
        filed: Option<Box<Settlement>>,
    },
    /// What came of a payment.
    Report {
        /// The bill.
        id: SettlementId,
        /// By the means that were submitted; others are not heard.
        means: Means,
        /// How it stands.
        outcome: Outcome,
        /// What is on file of it.
        filed: Option<Box<Settlement>>,
    },
    /// A drafted bill is not to be paid: its usage is open again.
    Void {
        /// The bill.
        id: SettlementId,
        /// What is on file of it.
        filed: Option<Box<Settlement>>,
    },
    /// Have money held before work begins.
    Reserve {
        /// Whose usage of what.
        subject: Subject,
        /// What is to be held.
        order: Box<Order>,
        /// What is on file of it.
        filed: Option<Box<Reservation>>,
    },
    /// What the mandate says to a reservation.
    HoldAnswered {
        /// The reservation.
        id: ReservationId,
        /// Why not, if it does not hold: a code and a sentence.
        refused: Option<(String, String)>,
    },
    /// The work is done: record it, and have it paid from what is held.
    Commit {
        /// The reservation.
        id: ReservationId,
        /// The usage.
        item: Box<Item>,
        /// The settlement that it becomes.
        settlement: SettlementId,
        /// What is on file of the reservation.
        filed: Option<Box<Reservation>>,
    },
    /// The work is not going to be done.
    Release {
        /// The reservation.
        id: ReservationId,
        /// What is on file of it.
        filed: Option<Box<Reservation>>,
    },
    /// Time has passed.
    Wake,
}
