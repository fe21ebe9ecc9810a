//! Bills, how they are paid, and money that is held before work.

use primitives::{BaseUnits, Millis, PaymentId, ReservationId, SettlementId, UnixMillis};
use serde::{Deserialize, Serialize};
use tariff::{Exact, Pricing, Quantity, Version};

use crate::limits;

/// Where recorded usage went.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Source {
    /// It is open.
    Open,
    /// It was billed, or handed over to be billed, in this round.
    Round(u64),
    /// It was paid from this reservation, in the settlement of this number.
    Reserved(u64),
}

/// One line of a bill: usage at one price.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// The price version.
    pub version: u32,
    /// What it charged.
    pub pricing: Pricing,
    /// How much was used.
    pub quantity: Quantity,
    /// In how many events.
    pub events: u64,
    /// The earliest and the latest moment of these.
    pub from: UnixMillis,
    /// See `from`.
    pub to: UnixMillis,
    /// What it costs, exactly.
    pub exact: Exact,
    /// What was carried to it from the line before, or from the last bill.
    pub carried_in: Exact,
    /// What is charged: `exact` and `carried_in` rounded down once; the rest is carried on.
    pub amount: BaseUnits,
    /// What was taken back of it since.
    pub credited: Credited,
}

/// Usage that was taken back.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Credited {
    /// How much.
    pub quantity: Quantity,
    /// In how many events.
    pub events: u64,
}

/// Usage that was taken back after it was billed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Adjustment {
    /// The number of the settlement that had billed it.
    pub settlement: u64,
    /// The price version of its line.
    pub version: u32,
    /// How much was taken back.
    pub quantity: Quantity,
    /// By how much that line would have been less without it; less than nothing where a volume price rises.
    pub exact: Exact,
}

impl Adjustment {
    /// Whether both are of the same line.
    pub(crate) fn is_of(&self, other: &Self) -> bool {
        (self.settlement, self.version) == (other.settlement, other.version)
    }
}

/// How a bill is paid.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields say what they are by name")]
pub enum Means {
    /// By an x402 payment to the bill's own paid route.
    X402 { payment: PaymentId, claimed_at: UnixMillis },
    /// From a mandate (`0x` and 64 hexadecimal digits), which holds the amount for `recipient` and then pays it.
    Mandate { mandate: String, recipient: String },
    /// From what a reservation holds.
    Reservation { reservation: ReservationId, mandate: String },
    /// By a transaction to `recipient` that its payer has named.
    Transaction { network: String, transaction: String, payer: String, recipient: String },
}

/// How a payment stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields say what they are by name")]
pub enum Outcome {
    /// The money has arrived: what proves it, such as a transaction's hash.
    Paid { proof: String },
    /// It has not and will not: a code and a sentence.
    Failed { code: String, reason: String },
    /// Nobody knows yet: it is to be looked at again.
    Unknown { reason: String },
}

/// Where a settlement stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields say what they are by name")]
pub enum SettlementState {
    /// It waits to be paid, until then.
    Drafted { until: UnixMillis },
    /// It is being paid. `reason` says why it is not known yet how that ended, `next_at` when it is looked at again.
    Submitted {
        means: Means,
        since: UnixMillis,
        until: UnixMillis,
        reason: Option<String>,
        looks: u32,
        next_at: UnixMillis,
    },
    /// It is paid; or nothing had to be.
    Verified { means: Option<Means>, proof: String, at: UnixMillis },
    /// It is not paid and will not be: its usage is open again.
    Failed { means: Option<Means>, code: String, reason: String, at: UnixMillis },
    /// Its usage is not charged for.
    WrittenOff { at: UnixMillis },
}

/// A bill, as a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settlement {
    /// Its id.
    pub id: SettlementId,
    /// Counts from 1 at each meter, without gaps.
    pub number: u64,
    /// The round whose usage it has; none for what a reservation pays.
    pub round: Option<u64>,
    /// The round in which its usage is billed, if a reservation was to pay it and did not.
    pub reopened_in: Option<u64>,
    /// When it was drawn up.
    pub at: UnixMillis,
    /// What was used, oldest price first.
    pub lines: Vec<Line>,
    /// What was taken back of earlier bills.
    pub adjustments: Vec<Adjustment>,
    /// What is due, all together.
    pub amount: BaseUnits,
    /// What was carried to it from before.
    pub carried_in: Exact,
    /// What it carries on.
    pub carried_out: Exact,
    /// Where it stands.
    pub state: SettlementState,
}

impl SettlementState {
    /// How it is or was being paid.
    pub const fn means(&self) -> Option<&Means> {
        match self {
            Self::Submitted { means, .. } => Some(means),
            Self::Verified { means, .. } | Self::Failed { means, .. } => means.as_ref(),
            Self::Drafted { .. } | Self::WrittenOff { .. } => None,
        }
    }
}

impl Settlement {
    /// As it is once somebody is about to pay it; nothing unless it waits for that.
    pub(crate) fn submitted(self, means: Means, at: UnixMillis) -> Option<Self> {
        let SettlementState::Drafted { .. } = self.state else { return None };
        Some(self.paid_by(means, at))
    }

    /// As it is while it is being paid since `at`.
    pub(crate) fn paid_by(self, means: Means, at: UnixMillis) -> Self {
        let until = at.plus(limits::PAYMENT_WAIT);
        let next_at = at.plus(limits::LOOK_FIRST);
        let state = SettlementState::Submitted { means, since: at, until, reason: None, looks: 0, next_at };
        Self { state, ..self }
    }

    /// As it is once its payment is about to be looked at again: the next time twice as long after.
    pub(crate) fn looked(mut self, at: UnixMillis) -> Option<Self> {
        let SettlementState::Submitted { looks, next_at, .. } = &mut self.state else { return None };
        *looks = looks.saturating_add(1);
        let pause = limits::LOOK_FIRST.0.saturating_mul(2_u64.saturating_pow(*looks));
        *next_at = at.plus(Millis(pause).min(limits::LOOK_MAX));
        Some(self)
    }

    /// As it is once it is known how its payment stands.
    pub(crate) fn reported(mut self, outcome: &Outcome, at: UnixMillis) -> Option<Self> {
        let SettlementState::Submitted { means, reason: unknown, .. } = &mut self.state else { return None };
        match outcome {
            Outcome::Paid { proof } => {
                let means = Some(means.clone());
                let state = SettlementState::Verified { means, proof: proof.clone(), at };
                Some(Self { state, ..self })
            }
            Outcome::Failed { code, reason } => Some(self.failed(code, reason, at)),
            Outcome::Unknown { reason } => {
                *unknown = Some(reason.clone());
                Some(self)
            }
        }
    }

    /// As it is once it is drafted and nobody is going to pay it.
    pub(crate) fn unpaid(self, code: &str, reason: &str, at: UnixMillis) -> Option<Self> {
        let SettlementState::Drafted { .. } = self.state else { return None };
        Some(self.failed(code, reason, at))
    }

    fn failed(self, code: &str, reason: &str, at: UnixMillis) -> Self {
        let means = self.state.means().cloned();
        let state = SettlementState::Failed { means, code: code.to_owned(), reason: reason.to_owned(), at };
        Self { state, ..self }
    }

    /// How much of what is in it was not taken back.
    pub(crate) fn rest(&self) -> Option<Quantity> {
        let rests = self.lines.iter().map(|line| line.quantity.minus(line.credited.quantity));
        rests.into_iter().try_fold(Quantity::ZERO, |sum, rest| sum.plus(rest?))
    }
}

/// Where a reservation stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields say what they are by name")]
pub enum ReservationState {
    /// The mandate has been asked.
    Asked,
    /// It holds the amount.
    Held,
    /// It does not: a code and a sentence.
    Refused { code: String, reason: String },
    /// The work was done and is paid by the settlement of this id.
    Committed { settlement: SettlementId },
    /// What was held is given back.
    Released,
    /// Time has ended it, and what was held is given back.
    Expired,
}

/// Money that is held before work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reservation {
    /// Its id.
    pub id: ReservationId,
    /// The mandate that holds it.
    pub mandate: String,
    /// Whom that pays.
    pub recipient: String,
    /// At most this is used.
    pub quantity: Quantity,
    /// What is held.
    pub amount: BaseUnits,
    /// At which price.
    pub price: Version,
    /// When it was asked for.
    pub at: UnixMillis,
    /// When it ends by itself.
    pub until: UnixMillis,
    /// Where it stands.
    pub state: ReservationState,
}
