//! What a refusal says: the reason and its two numbers, as the contract's error has them, and as people read them.

use alloy_primitives::{Address, B256, U256};
use primitives::{BaseUnits, UnixMillis};
use serde::{Deserialize, Serialize};

use crate::{Reason, State, Status, Terms, UnixSeconds};

/// What one of the two numbers of a refusal holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Zero.
    Nothing,
    /// Base units of the mandate's token.
    Amount,
    /// A count or version.
    Number,
    /// Unix seconds.
    Time,
    /// Seconds.
    Span,
    /// Hundredths of a percent.
    BasisPoints,
    /// An address, shown as a number.
    Address,
    /// 32 bytes, shown as a number.
    Hash,
    /// Terms, packed into one number.
    Terms,
    /// The number of a [`State`].
    State,
    /// The number of a [`Status`].
    Status,
}

impl Unit {
    /// The number in words.
    pub fn render(self, number: U256) -> String {
        match self {
            Self::Nothing | Self::Amount | Self::Number => number.to_string(),
            Self::Time => {
                let seconds: u64 = number.saturating_to();
                UnixMillis(seconds.saturating_mul(1_000)).to_rfc3339()
            }
            Self::Span => format!("{number} seconds"),
            Self::BasisPoints => format!("{number} basis points"),
            Self::Address => Address::from_word(B256::from(number)).to_string(),
            Self::Hash => B256::from(number).to_string(),
            Self::Terms => Terms::unpacked(number).to_string(),
            Self::State => {
                State::from_number(number).map_or_else(|| number.to_string(), |state| state.to_string())
            }
            Self::Status => {
                Status::from_number(number).map_or_else(|| number.to_string(), |status| status.to_string())
            }
        }
    }
}

/// Nothing was done: the contract's error `Refused(reason, got, limit)`. [`Reason::units`] says what the numbers hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Refused {
    /// Why.
    pub reason: Reason,
    /// What there was.
    pub got: U256,
    /// What it was held against.
    pub limit: U256,
}

impl Refused {
    /// A refusal.
    pub fn new(reason: Reason, got: impl Figure, limit: impl Figure) -> Self {
        Self { reason, got: got.figure(), limit: limit.figure() }
    }
}

impl core::fmt::Display for Refused {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let (got, limit) = self.reason.units();
        let words = self.reason.words().replace("{got}", &got.render(self.got));
        formatter.write_str(&words.replace("{limit}", &limit.render(self.limit)))
    }
}

impl core::error::Error for Refused {}

/// Whatever a refusal can name, as the number that the contract makes of it.
pub trait Figure {
    /// The number.
    fn figure(self) -> U256;
}

macro_rules! figures {
    ($($kind:ty: $value:ident => $figure:expr;)+) => {
        $(impl Figure for $kind {
            fn figure(self) -> U256 {
                let $value = self;
                $figure
            }
        })+
    };
}

figures! {
    U256: number => number;
    u64: number => U256::from(number);
    BaseUnits: amount => U256::from(amount.0);
    UnixSeconds: moment => U256::from(moment.0);
    Address: address => U256::from_be_bytes(address.into_word().0);
    B256: hash => U256::from_be_bytes(hash.0);
    State: state => U256::from(state.number());
    Status: status => U256::from(status.number());
}

/// How the two numbers of a rule must stand to each other for it to pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// `got ≤ limit`.
    AtMost,
    /// `got < limit`.
    Below,
    /// `got ≥ limit`.
    AtLeast,
    /// `got > limit`.
    Above,
    /// `got = limit`.
    Equal,
    /// The numbers only illustrate what is true or not.
    Fact {
        /// Whether it is as the rule wants it.
        holds: bool,
    },
}

/// One rule as it was found for one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Finding {
    /// The rule, by the reason for which it refuses.
    pub rule: Reason,
    /// How the numbers must stand to each other.
    pub relation: Relation,
    /// What there is.
    pub got: U256,
    /// What it is held against.
    pub limit: U256,
}

impl Finding {
    pub(crate) fn new(rule: Reason, got: impl Figure, relation: Relation, limit: impl Figure) -> Self {
        Self { rule, relation, got: got.figure(), limit: limit.figure() }
    }

    /// Whether the rule allows the call.
    pub fn passes(&self) -> bool {
        match self.relation {
            Relation::AtMost => self.got <= self.limit,
            Relation::Below => self.got < self.limit,
            Relation::AtLeast => self.got >= self.limit,
            Relation::Above => self.got > self.limit,
            Relation::Equal => self.got == self.limit,
            Relation::Fact { holds } => holds,
        }
    }

    /// What the rule says to the call.
    ///
    /// # Errors
    /// The refusal, when the rule does not pass.
    pub fn verdict(&self) -> Result<(), Refused> {
        if self.passes() {
            Ok(())
        } else {
            Err(Refused { reason: self.rule, got: self.got, limit: self.limit })
        }
    }
}

/// Refuses for `reason` unless the numbers stand to each other as they should.
pub(crate) fn require(
    got: impl Figure,
    relation: Relation,
    limit: impl Figure,
    reason: Reason,
) -> Result<(), Refused> {
    Finding::new(reason, got, relation, limit).verdict()
}
