//! What the edge and other objects say to the object of a meter. Its name is [`object_name`].

use meter::{
    EventKey, Gate, Handed, Item, Means, Open, Order, Outcome, Part, Quote, Refusal, Reservation, Settlement,
    Source, Subject, Totals, Verdict, Window,
};
use primitives::{
    CorrelationId, Digest, MeterId, Millis, Operation, ReservationId, SettlementId, UnixMillis,
};
use serde::{Deserialize, Serialize};
use tariff::{Quantity, Version};

/// The name of a shard's object: the meter's id, and from the second shard on a dot and its number.
pub fn object_name(meter: &MeterId, shard: u8) -> String {
    if shard == 0 { meter.to_string() } else { format!("{meter}.{shard}") }
}

/// The meter that an object of this name is a shard of.
pub fn meter_of(object: &str) -> Option<MeterId> {
    object.split('.').next().and_then(|meter| meter.parse().ok())
}

/// Which shard keeps an event of this identity.
pub fn shard_of(key: &EventKey, shards: u8) -> u8 {
    let digest = Digest::of(&[key.source.as_str().as_bytes(), b"\0", key.id.as_str().as_bytes()]);
    digest.0.first().map_or(0, |byte| byte.checked_rem(shards.max(1)).unwrap_or(0))
}

/// A message for the object of a meter.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct MeterCall {
    /// What caused it.
    pub correlation_id: CorrelationId,
    /// What is asked. The edge has let the caller in.
    pub ask: MeterAsk,
}

/// An event of usage as it was sent. What is on file of its identity, the object knows.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Said {
    /// Its identity.
    pub key: EventKey,
    /// SHA-256 of the canonical JSON of what it says.
    pub fingerprint: Digest,
    /// When it happened.
    pub at: UnixMillis,
    /// How much was used.
    pub quantity: Quantity,
    /// The number of the price that is in force at `at`; none when the service had none then.
    pub price: Option<u32>,
}

/// What is asked of it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields say what they are by name")]
pub enum MeterAsk {
    /// Another shard is about to be used for the first time: be there.
    Begin {
        subject: Subject,
    },
    /// `prices` are those that the events name, each once.
    Record {
        subject: Subject,
        prices: Vec<Version>,
        events: Vec<Said>,
        window: Window,
        gate: Gate,
    },
    /// Take back an event that is kept here.
    Reverse {
        key: EventKey,
        fingerprint: Digest,
        of: EventKey,
    },
    /// Whether an event is kept here: refused as unknown when it is not.
    Find {
        key: EventKey,
    },
    /// An identity that belongs here is used at another shard: it stands for that from now on, and for nothing else.
    Note {
        key: EventKey,
        fingerprint: Digest,
    },
    /// What it was noted for did not happen.
    Unnote {
        key: EventKey,
        fingerprint: Digest,
    },
    /// What is counted here; at the first shard with what the others have, which its quote then takes in.
    Look {
        others: Vec<Rest>,
    },
    HandOver {
        subject: Subject,
        round: u64,
    },
    Draft {
        subject: Subject,
        id: SettlementId,
        parts: Vec<Part>,
        wait: Millis,
        operation: Option<Operation>,
    },
    WriteOff {
        subject: Subject,
        id: SettlementId,
        parts: Vec<Part>,
        operation: Option<Operation>,
    },
    Credit {
        key: EventKey,
        round: u64,
        version: u32,
        quantity: Quantity,
    },
    Settlement {
        id: SettlementId,
    },
    Submit {
        id: SettlementId,
        means: Means,
    },
    Report {
        id: SettlementId,
        means: Means,
        outcome: Outcome,
    },
    Void {
        id: SettlementId,
    },
    Reserve {
        subject: Subject,
        order: Box<Order>,
    },
    Reservation {
        id: ReservationId,
    },
    /// What is on file of the item's identity, the object knows.
    Commit {
        id: ReservationId,
        item: Box<Item>,
        settlement: SettlementId,
    },
    Release {
        id: ReservationId,
    },
    /// Recorded events, newest first, before one.
    Events {
        before: Option<u64>,
        limit: u32,
    },
    /// All that was recorded.
    Journal,
    /// Show itself to the lists again if they have lost it, and see to what is overdue.
    Project,
}

/// What another shard has that is not billed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Rest {
    /// What it has not handed over.
    pub open: Vec<Open>,
    /// What it handed over last, which counts if the first shard has not taken that round.
    pub handed: Option<Handed>,
}

/// What a shard has counted.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields say what they are by name")]
pub struct Counted {
    pub subject: Subject,
    pub version: u64,
    pub since: UnixMillis,
    pub last_at: UnixMillis,
    pub open: Vec<Open>,
    /// What the shard handed over last; the first shard's `round` says whether it was taken.
    pub handed: Option<Handed>,
    pub round: u64,
    pub totals: Totals,
    /// The bill that is drafted or being paid.
    pub pending: Option<SettlementId>,
    /// What a bill would be now. The first shard's only, and none when it is larger than can be counted.
    pub quote: Option<Quote>,
}

/// A settlement with whose it is.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields say what they are by name")]
pub struct Billed {
    pub subject: Subject,
    pub version: u64,
    pub settlement: Settlement,
}

/// A reservation with whose it is.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields say what they are by name")]
pub struct Kept {
    pub subject: Subject,
    pub version: u64,
    pub reservation: Reservation,
}

/// An event that is on file.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Filed {
    /// Its place in its shard; counts upwards.
    pub number: u64,
    /// Its identity.
    pub key: EventKey,
    /// When it happened.
    pub at: UnixMillis,
    /// When it was recorded.
    pub received_at: UnixMillis,
    /// How much was used, or taken back.
    pub quantity: Quantity,
    /// The number of its price.
    pub price: u32,
    /// Where it went.
    pub source: Source,
    /// The event that it takes back, if it does.
    pub reverses: Option<EventKey>,
    /// The event that has taken it back, if one has.
    pub reversed: Option<EventKey>,
}

/// What came of it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields say what they are by name")]
pub enum MeterAnswer {
    /// Per event in order, and what is open afterwards at this shard.
    Recorded {
        verdicts: Vec<Verdict>,
        open: Quantity,
        version: u64,
    },
    /// Nothing was ever used: none.
    Counted(Option<Box<Counted>>),
    HandedOver(Handed),
    Settlement {
        billed: Box<Billed>,
        replayed: bool,
    },
    Reservation {
        kept: Box<Kept>,
        billed: Option<Box<Billed>>,
        replayed: bool,
    },
    Reversed {
        quantity: Quantity,
        version: u64,
        replayed: bool,
    },
    Events(Vec<Filed>),
    Journal(Vec<primitives::JournalRow>),
    Done,
}

/// What it answers.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum MeterReply {
    /// It took effect, now or before.
    Done(MeterAnswer),
    /// It said no.
    Refused(Refusal),
    /// The operation's key stands for another request.
    OperationReused,
}
