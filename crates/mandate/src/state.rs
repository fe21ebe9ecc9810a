//! What the contract keeps of one mandate and its payments.

use std::collections::BTreeMap;

use alloy_primitives::{Address, B256, U256};
use primitives::BaseUnits;
use serde::{Deserialize, Serialize};

use crate::amount::{ZERO, minus, plus};
use crate::calendar::{day, month};
use crate::{Entry, EntryKey, EntryLimits, Policy, UnixSeconds, Window};

/// An enum of the contract: each name has a number, beginning with the one given.
macro_rules! numbered {
    ($(#[$meta:meta])* $kind:ident from $first:literal { $($(#[$doc:meta])* $name:ident $text:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum $kind { $($(#[$doc])* $name,)+ }

        impl $kind {
            /// Every one, in the order of the numbers.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// The number in the contract's enum.
            pub const fn number(self) -> u64 {
                (self as u64).saturating_add($first)
            }

            /// The one that has this number.
            pub fn from_number(number: U256) -> Option<Self> {
                Self::ALL.iter().find(|one| U256::from(one.number()) == number).copied()
            }
        }

        impl core::fmt::Display for $kind {
            fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                formatter.write_str(match self { $(Self::$name => $text,)+ })
            }
        }
    };
}

numbered! {
    /// How an owner or an agent signs; fixed when the mandate is created.
    SignerKind from 0 {
        /// A key pair on secp256k1.
        Ecdsa "a key",
        /// A contract that answers by ERC-1271.
        Erc1271 "a contract",
    }
}

numbered! {
    /// What the owner said of a mandate as a whole.
    Status from 1 {
        /// Authorizations are possible.
        Active "active",
        /// None are until the owner unpauses.
        Paused "paused",
        /// None are for ever. Open escrows live on.
        Revoked "revoked",
    }
}

numbered! {
    /// Where a payment is in its life.
    State from 0 {
        /// There is no such payment.
        None "unknown",
        /// Final: the request was killed before it was used.
        Cancelled "cancelled",
        /// The amount is reserved, and the provider works.
        Escrowed "escrowed",
        /// The provider recorded a receipt; the owner may challenge, then the provider may capture.
        Delivered "delivered",
        /// The owner challenged; the resolver decides.
        Disputed "disputed",
        /// Final: something was paid, and nothing is held.
        Settled "settled",
        /// Final: nothing was paid, and all went back.
        Refunded "refunded",
        /// Final: the provider gave back what was held.
        Voided "voided",
        /// Final: the resolver was silent, and the amount was split as the terms say.
        TimedOut "timed out",
    }
}

impl State {
    /// Whether an amount is held for the payment.
    pub const fn is_open(self) -> bool {
        match self {
            Self::Escrowed | Self::Delivered | Self::Disputed => true,
            Self::None | Self::Cancelled | Self::Settled | Self::Refunded | Self::Voided | Self::TimedOut => {
                false
            }
        }
    }

    /// Whether nothing follows.
    pub const fn is_final(self) -> bool {
        !self.is_open() && !matches!(self, Self::None)
    }
}

/// One payment as it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Payment {
    /// Where it is in its life.
    pub state: State,
    /// Whether the dispute names evidence.
    pub has_evidence: bool,
    /// When it came into its state while that is delivered or disputed, else when it was authorized or cancelled.
    pub since: UnixSeconds,
    /// The sum of all that the provider was paid.
    pub paid: BaseUnits,
    /// The sum that the provider gave back of it.
    pub refunded: BaseUnits,
}

impl Payment {
    pub(crate) const fn new(state: State, since: UnixSeconds) -> Self {
        Self { state, has_evidence: false, since, paid: ZERO, refunded: ZERO }
    }
}

/// What was authorized on the UTC day `day`, and in the month of that day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spent {
    /// UTC days since 1970.
    pub day: u64,
    /// How many payments on that day.
    pub day_count: u32,
    /// Their sum.
    pub day_sum: BaseUnits,
    /// The sum of the month so far.
    pub month_sum: BaseUnits,
}

impl Spent {
    /// Nothing yet.
    pub const NOTHING: Self = Self { day: 0, day_count: 0, day_sum: ZERO, month_sum: ZERO };

    /// The same as seen from `now`: a day or month that is over counts nothing, and days that were missed are lost.
    pub fn seen_at(self, now: UnixSeconds) -> Self {
        let today = day(now);
        if self.day == today {
            return self;
        }
        let month_sum = if month(self.day) == month(today) { self.month_sum } else { ZERO };
        Self { day: today, month_sum, ..Self::NOTHING }
    }

    /// The sum of the window.
    pub const fn within(&self, window: Window) -> BaseUnits {
        match window {
            Window::UtcDay => self.day_sum,
            Window::UtcMonth => self.month_sum,
        }
    }

    pub(crate) const fn with(self, amount: BaseUnits) -> Self {
        Self {
            day: self.day,
            day_count: self.day_count.saturating_add(1),
            day_sum: plus(self.day_sum, amount),
            month_sum: plus(self.month_sum, amount),
        }
    }
}

/// An entry's limits, and what was authorized by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Allowed {
    /// The limits.
    pub limits: EntryLimits,
    /// What was authorized by this entry.
    pub spent: Spent,
}

/// All money of a mandate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Funds {
    /// All of it.
    pub balance: BaseUnits,
    /// The part that open escrows hold.
    pub reserved: BaseUnits,
}

impl Funds {
    /// What is not reserved.
    pub const fn available(&self) -> BaseUnits {
        minus(self.balance, self.reserved)
    }
}

/// An amendment that waits for its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pending {
    /// The keccak-256 of its ABI encoding.
    pub hash: B256,
    /// From when on it may be applied.
    pub effective_at: UnixSeconds,
}

/// One mandate, with everything that the contract keeps for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mandate {
    /// Its id.
    pub id: B256,
    /// Whose money it is.
    pub owner: Address,
    /// Who may ask for it.
    pub agent: Address,
    /// What it is.
    pub token: Address,
    /// How the owner signs.
    pub owner_kind: SignerKind,
    /// How the agent signs.
    pub agent_kind: SignerKind,
    /// Seconds before a loosening amendment takes effect.
    pub amend_delay: u32,
    /// What the owner said of it as a whole.
    pub status: Status,
    /// The number of policies it has had.
    pub policy_version: u64,
    /// The policy.
    pub policy: Policy,
    /// Whom the agent may pay for what.
    #[serde(with = "rows")]
    pub entries: BTreeMap<EntryKey, Allowed>,
    /// Its money.
    pub funds: Funds,
    /// What was authorized in the calendar's windows.
    pub spent: Spent,
    /// What was authorized since creation.
    pub lifetime_spent: BaseUnits,
    /// The amendment that waits.
    pub pending: Option<Pending>,
    /// Its payments by their names.
    pub payments: BTreeMap<B256, Payment>,
}

impl Mandate {
    /// The most specific entry for a recipient and service.
    pub fn entry_for(&self, recipient: Address, service: B256) -> Option<(EntryKey, &Allowed)> {
        EntryKey::widening(recipient, service)
            .into_iter()
            .find_map(|key| self.entries.get(&key).map(|allowed| (key, allowed)))
    }

    /// Where a payment is in its life.
    pub fn state_of(&self, payment: B256) -> State {
        self.payments.get(&payment).map_or(State::None, |payment| payment.state)
    }

    pub(crate) fn write_entries(&mut self, entries: &[Entry]) {
        for entry in entries {
            self.entries
                .entry(entry.key)
                .and_modify(|allowed| allowed.limits = entry.limits)
                .or_insert(Allowed { limits: entry.limits, spent: Spent::NOTHING });
        }
    }
}

/// JSON has only text for keys, so the entries are a list of pairs.
mod rows {
    use serde::{Deserialize, Deserializer, Serializer};

    use super::{Allowed, BTreeMap, EntryKey};

    pub(super) fn serialize<S: Serializer>(
        entries: &BTreeMap<EntryKey, Allowed>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(entries)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<BTreeMap<EntryKey, Allowed>, D::Error> {
        Ok(Vec::deserialize(deserializer)?.into_iter().collect())
    }
}
