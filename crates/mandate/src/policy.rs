//! The owner's rules: what they are, which are valid, and which are tighter than others.

use alloy_primitives::{Address, B256, U256};
use primitives::BaseUnits;
use serde::{Deserialize, Serialize};

use crate::amount::ZERO;
use crate::refusal::{Relation, require};
use crate::{Figure, Reason, Refused, UnixSeconds};

const MINUTE: u32 = 60;
const HOUR: u32 = 3_600;
const DAY: u32 = 86_400;

/// The whole of an amount in basis points.
pub const WHOLE_BPS: u16 = 10_000;

/// What a provider relies on, fixed by the policy and signed with every request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terms {
    /// Seconds from delivery in which the owner may dispute: 10 minutes to 30 days.
    pub challenge_period: u32,
    /// Seconds from a dispute in which the resolver may decide: 1 hour to 90 days.
    pub resolution_timeout: u32,
    /// The provider's share in basis points when the resolver was silent on a dispute with evidence. Without evidence
    /// the provider gets all.
    pub silence_bps: u16,
    /// Who decides disputes; zero for nobody, so that the share above decides.
    pub resolver: Address,
}

impl Terms {
    /// The terms as the contract keeps and compares them: one number whose bits are, from the lowest, 32 of the challenge
    /// period, 32 of the resolution timeout, 16 of the share and 160 of the resolver.
    pub fn packed(&self) -> U256 {
        U256::from(self.challenge_period)
            | U256::from(self.resolution_timeout).wrapping_shl(32)
            | U256::from(self.silence_bps).wrapping_shl(64)
            | self.resolver.figure().wrapping_shl(80)
    }

    /// The terms that a number packs.
    pub fn unpacked(packed: U256) -> Self {
        Self {
            challenge_period: packed.wrapping_to(),
            resolution_timeout: packed.wrapping_shr(32).wrapping_to(),
            silence_bps: packed.wrapping_shr(64).wrapping_to(),
            resolver: Address::from_word(packed.wrapping_shr(80).into()),
        }
    }
}

impl core::fmt::Display for Terms {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { challenge_period, resolution_timeout, silence_bps, resolver } = self;
        write!(
            formatter,
            "{challenge_period} s to dispute, {resolution_timeout} s to resolve by {resolver}, {silence_bps} basis points \
             on silence"
        )
    }
}

/// The owner's rules. No cap is above [`AMOUNT_MAX`](crate::AMOUNT_MAX), which is no cap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Policy {
    /// Authorizations are possible from here on, ...
    pub valid_after: UnixSeconds,
    /// ... and before this.
    pub valid_before: UnixSeconds,
    /// At most this for one payment, ...
    pub payment_cap: BaseUnits,
    /// ... per UTC day, ...
    pub day_cap: BaseUnits,
    /// ... per UTC month, ...
    pub month_cap: BaseUnits,
    /// ... and over the life of the mandate.
    pub lifetime_cap: BaseUnits,
    /// At most so many payments per UTC day.
    pub day_count: u32,
    /// Above this amount the owner signs an approval of each request.
    pub approval_above: BaseUnits,
    /// What providers rely on.
    pub terms: Terms,
}

/// The calendar window in which an entry's payments are summed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Window {
    /// One UTC day.
    UtcDay,
    /// One UTC month.
    UtcMonth,
}

/// Whom an entry is for and for what; zero is any.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct EntryKey {
    /// Whom the agent may pay.
    pub recipient: Address,
    /// The keccak-256 of the service's name.
    pub service: B256,
}

impl EntryKey {
    /// The keys that fit one recipient and service, the most specific first.
    pub const fn widening(recipient: Address, service: B256) -> [Self; 4] {
        [
            Self { recipient, service },
            Self { recipient, service: B256::ZERO },
            Self { recipient: Address::ZERO, service },
            Self { recipient: Address::ZERO, service: B256::ZERO },
        ]
    }
}

/// Whom the agent may pay for what.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Whom and for what.
    pub key: EntryKey,
    /// The caps.
    pub limits: EntryLimits,
}

/// How much an entry allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryLimits {
    /// At most this for one payment; zero forbids what the entry names, whatever wider entries allow.
    pub payment_cap: BaseUnits,
    /// At most this in each `window`.
    pub window_cap: BaseUnits,
    /// The window.
    pub window: Window,
}

impl EntryLimits {
    /// Whether nothing is allowed that `current` does not allow. Where there is no entry yet, only a ban is tighter.
    pub fn is_within(&self, current: Option<&Self>) -> bool {
        self.payment_cap == ZERO
            || current.is_some_and(|current| {
                self.payment_cap <= current.payment_cap
                    && self.window_cap <= current.window_cap
                    && self.window == current.window
            })
    }
}

/// A whole new policy, and the entries that are added or changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Amendment {
    /// The keccak-256 of its ABI encoding, computed by whoever builds it.
    pub hash: B256,
    /// The version that the owner looked at; the change makes the next.
    pub expected_version: u64,
    /// The new policy.
    pub policy: Policy,
    /// The entries that are added or changed; of two with one key the later stands.
    pub entries: Vec<Entry>,
}

impl Policy {
    /// Whether a mandate of `owner` for `agent` may have this policy from `now` on.
    ///
    /// # Errors
    /// The first rule that it breaks: [`Reason::EmptyWindow`], [`Reason::ZeroCap`], [`Reason::ChallengePeriod`],
    /// [`Reason::ResolutionTimeout`], [`Reason::SilenceShare`] or [`Reason::ResolverIsParty`].
    pub fn check(&self, owner: Address, agent: Address, now: UnixSeconds) -> Result<(), Refused> {
        let start = self.valid_after.max(now);
        require(self.valid_before, Relation::Above, start, Reason::EmptyWindow)?;
        let caps = [self.payment_cap, self.day_cap, self.month_cap, self.lifetime_cap];
        if caps.contains(&ZERO) || self.day_count == 0 {
            return Err(Refused::new(Reason::ZeroCap, 0, 1));
        }
        let terms = &self.terms;
        within(terms.challenge_period, [10 * MINUTE, 30 * DAY], Reason::ChallengePeriod)?;
        within(terms.resolution_timeout, [HOUR, 90 * DAY], Reason::ResolutionTimeout)?;
        require(u64::from(terms.silence_bps), Relation::AtMost, u64::from(WHOLE_BPS), Reason::SilenceShare)?;
        if [owner, agent].contains(&terms.resolver) {
            return Err(Refused::new(Reason::ResolverIsParty, terms.resolver, terms.resolver));
        }
        Ok(())
    }

    /// Whether nothing is allowed that `current` does not allow. Other terms count as looser.
    pub fn is_within(&self, current: &Self) -> bool {
        self.valid_after >= current.valid_after
            && self.valid_before <= current.valid_before
            && self.payment_cap <= current.payment_cap
            && self.day_cap <= current.day_cap
            && self.month_cap <= current.month_cap
            && self.lifetime_cap <= current.lifetime_cap
            && self.day_count <= current.day_count
            && self.approval_above <= current.approval_above
            && self.terms == current.terms
    }
}

/// Whether a loosening amendment may wait for `delay` seconds: 1 hour to 30 days.
pub(crate) fn check_delay(delay: u32) -> Result<(), Refused> {
    within(delay, [HOUR, 30 * DAY], Reason::AmendDelay)
}

fn within(got: u32, [least, most]: [u32; 2], reason: Reason) -> Result<(), Refused> {
    require(u64::from(got), Relation::AtLeast, u64::from(least), reason)?;
    require(u64::from(got), Relation::AtMost, u64::from(most), reason)
}
