//! Mandates made, changed and stopped: tight caps that bind soon, each bound at its edges, and what is never allowed.

use alloy_primitives::{Address, B256, U256};
use mandate::{
    AMOUNT_MAX, Amendment, Creation, Entry, EntryKey, EntryLimits, Mandate, Policy, SignerKind, Status,
    Terms, UnixSeconds, Window,
};
use primitives::BaseUnits;

use super::Player;
use crate::{Action, Actor, Dice, sealed_amendment};

const DAY: u64 = 86_400;
const MANDATES_MAX: usize = 5;

/// The services that entries name. A request may also name another one.
pub(super) fn service(number: u8) -> B256 {
    B256::repeat_byte(number)
}

impl Player {
    pub(super) fn first_create(&mut self, dice: &mut Dice, at: u64) -> (Actor, u64, Action) {
        let (owner, creation) = self.creation(dice, at, Actor::Owner);
        self.create_call(owner, at, creation)
    }

    pub(super) fn create(&mut self, dice: &mut Dice, at: u64) -> (Actor, u64, Action) {
        let owner = dice.weighted(&[(5, Actor::Owner), (3, Actor::OwnerWallet)]);
        let (owner, mut creation) = self.creation(dice, at, owner);
        if dice.chance(50) || self.book.mandates.len() >= MANDATES_MAX {
            self.spoil_creation(dice, at, owner, &mut creation);
        }
        self.create_call(owner, at, creation)
    }

    fn create_call(&mut self, owner: Actor, at: u64, mut creation: Creation) -> (Actor, u64, Action) {
        let salt = creation.id;
        creation.owner = self.address(owner);
        creation.id = self.book.sites.mandate(creation.owner, salt);
        (owner, at, Action::Create { salt, creation })
    }

    /// A creation that is allowed. Its id is the salt until the call is made.
    fn creation(&mut self, dice: &mut Dice, at: u64, owner: Actor) -> (Actor, Creation) {
        let agent = dice.weighted(&[(5, Actor::Agent), (2, Actor::AgentWallet)]);
        let kind = |dice: &mut Dice, of: Actor| {
            let fits = if of.is_contract() { SignerKind::Erc1271 } else { SignerKind::Ecdsa };
            if dice.chance(92) { fits } else { dice.of(SignerKind::ALL) }
        };
        let creation = Creation {
            id: B256::from(U256::from(self.unique())),
            owner: Address::ZERO,
            agent: self.address(agent),
            token: if dice.chance(95) { self.book.sites.dollar } else { self.book.sites.deaf },
            owner_kind: kind(dice, owner),
            agent_kind: kind(dice, agent),
            amend_delay: dice.of(&[3_600, 3_601, 86_400, 2_592_000]),
            policy: self.policy(dice, at),
            entries: self.entries(dice),
        };
        (owner, creation)
    }

    fn spoil_creation(&self, dice: &mut Dice, at: u64, owner: Actor, creation: &mut Creation) {
        match dice.below(7) {
            0 => creation.id = B256::from(U256::from(1)),
            1 => creation.agent = Address::ZERO,
            2 => creation.agent = self.address(owner),
            3 => {
                let nothing =
                    [Address::ZERO, self.address(Actor::Stranger), self.address(Actor::OwnerWallet)];
                creation.token = dice.of(&nothing);
            }
            4 => creation.amend_delay = dice.of(&[0, 3_599, 2_592_001, u32::MAX]),
            _ => {
                let agent = creation.agent;
                self.spoil_policy(dice, at, self.address(owner), agent, &mut creation.policy);
            }
        }
    }

    fn policy(&self, dice: &mut Dice, at: u64) -> Policy {
        let max = AMOUNT_MAX.0;
        let cap = |dice: &mut Dice, caps: &[u128]| BaseUnits(dice.of(caps));
        let resolver = dice.weighted(&[
            (8, self.address(Actor::Resolver)),
            (1, Address::ZERO),
            (1, self.address(Actor::Provider)),
        ]);
        Policy {
            valid_after: UnixSeconds(dice.weighted(&[(3, 0), (5, at), (1, at + 1), (1, at + 600)])),
            valid_before: UnixSeconds(at + dice.weighted(&[(1, 2 * DAY), (2, 45 * DAY), (12, 300 * DAY)])),
            payment_cap: cap(dice, &[90, 120, 200, max]),
            day_cap: cap(dice, &[130, 250, 400, max]),
            month_cap: cap(dice, &[200, 350, 600, max]),
            lifetime_cap: cap(dice, &[300, 700, 1_500, max]),
            day_count: dice.of(&[1, 2, 3, 5, u32::MAX]),
            approval_above: cap(dice, &[0, 50, 80, max, max]),
            terms: Terms {
                challenge_period: dice.of(&[600, 601, 3_600, DAY as u32, 2_592_000]),
                resolution_timeout: dice.of(&[3_600, 3_601, DAY as u32, 7_776_000]),
                silence_bps: dice.of(&[0, 1, 3_333, 5_000, 9_999, 10_000]),
                resolver,
            },
        }
    }

    /// Entries of every width. Now and then one names the same key twice.
    fn entries(&self, dice: &mut Dice) -> Vec<Entry> {
        (0..dice.below(5) + 1).map(|_| self.entry(dice)).collect()
    }

    fn entry(&self, dice: &mut Dice) -> Entry {
        let provider = self.address(Actor::Provider);
        let rival = self.address(Actor::Rival);
        let key = EntryKey {
            recipient: dice.of(&[provider, provider, rival, Address::ZERO, Address::ZERO]),
            service: dice.of(&[service(1), service(1), service(2), B256::ZERO, B256::ZERO]),
        };
        let limits = EntryLimits {
            payment_cap: BaseUnits(dice.of(&[0, 60, 100, 150, AMOUNT_MAX.0, AMOUNT_MAX.0])),
            window_cap: BaseUnits(dice.of(&[110, 200, 350, AMOUNT_MAX.0])),
            window: dice.of(&[Window::UtcDay, Window::UtcMonth]),
        };
        Entry { key, limits }
    }

    fn spoil_policy(&self, dice: &mut Dice, at: u64, owner: Address, agent: Address, policy: &mut Policy) {
        let zero = BaseUnits(0);
        match dice.below(12) {
            0 => policy.payment_cap = zero,
            1 => policy.day_cap = zero,
            2 => policy.month_cap = zero,
            3 => policy.lifetime_cap = zero,
            4 => policy.day_count = 0,
            5 => policy.terms.challenge_period = dice.of(&[0, 599, 2_592_001]),
            6 => policy.terms.resolution_timeout = dice.of(&[0, 3_599, 7_776_001]),
            7 => policy.terms.silence_bps = dice.of(&[10_001, u16::MAX]),
            8 => policy.terms.resolver = dice.of(&[owner, agent]),
            9 => policy.valid_before = UnixSeconds(dice.near(at)),
            10 => policy.valid_before = UnixSeconds(dice.near(policy.valid_after.0.max(1))),
            _ => policy.valid_before = policy.valid_after,
        }
    }

    pub(super) fn amend(&mut self, dice: &mut Dice, at: u64) -> (Actor, u64, Action) {
        let known: Vec<_> = self.amendments.iter().rev().take(4).cloned().collect();
        if !known.is_empty() && dice.chance(45) {
            return self.apply(dice, at, &known);
        }
        let of = self.some_mandate(dice);
        if dice.chance(8) {
            return (self.mostly(dice, of.owner), at, Action::CancelAmendment { mandate: of.id });
        }
        let amendment = self.amendment(dice, at, &of);
        self.amendments.push((of.id, amendment.clone()));
        (self.mostly(dice, of.owner), at, Action::Amend { mandate: of.id, amendment })
    }

    /// Applies what waits, at the edge of its time, or what does not.
    fn apply(&self, dice: &mut Dice, at: u64, known: &[(B256, Amendment)]) -> (Actor, u64, Action) {
        let waiting: Vec<_> = known
            .iter()
            .filter(|(id, amendment)| {
                let pending = self.book.mandates.get(id).and_then(|of| of.pending);
                pending.is_some_and(|pending| pending.hash == amendment.hash)
            })
            .collect();
        let (mandate, amendment) = if waiting.is_empty() || dice.chance(15) {
            dice.of(known)
        } else {
            let (id, amendment) = dice.of(&waiting);
            (*id, amendment.clone())
        };
        let effective = self.book.mandates.get(&mandate).and_then(|of| of.pending);
        let edges: Vec<_> = effective.iter().map(|pending| pending.effective_at.0).collect();
        let at = if dice.chance(70) { self.at_edge(dice, &edges) } else { at };
        (dice.of(&Actor::ALL), at, Action::ApplyAmendment { mandate, amendment })
    }

    fn amendment(&self, dice: &mut Dice, at: u64, of: &Mandate) -> Amendment {
        let mut policy = of.policy;
        for _ in 0..dice.below(3) {
            change(dice, at, &mut policy);
        }
        let mut entries: Vec<_> = of
            .entries
            .iter()
            .filter(|_| dice.chance(25))
            .map(|(key, allowed)| Entry { key: *key, limits: allowed.limits })
            .collect();
        for entry in &mut entries {
            change_limits(dice, &mut entry.limits);
        }
        if dice.chance(15) {
            entries.push(self.entry(dice));
        }
        if dice.chance(12) {
            self.spoil_policy(dice, at, of.owner, of.agent, &mut policy);
        }
        let version = of.policy_version;
        let expected_version = dice.weighted(&[(16, version), (1, version + 1), (1, version - 1)]);
        sealed_amendment(Amendment { hash: B256::ZERO, expected_version, policy, entries })
    }

    pub(super) fn rule(&mut self, dice: &mut Dice, at: u64) -> (Actor, u64, Action) {
        let of = self.some_mandate(dice);
        let mandate = of.id;
        let call = match of.status {
            Status::Active => dice.weighted(&[(12, 0), (1, 1), (2, 2), (1, 3)]),
            Status::Paused => dice.weighted(&[(1, 0), (16, 1), (1, 2), (1, 3)]),
            Status::Revoked => dice.below(4),
        };
        let (party, action) = match call {
            0 => (of.owner, Action::Pause { mandate }),
            1 => (of.owner, Action::Unpause { mandate }),
            2 => (of.owner, Action::Revoke { mandate }),
            _ => (of.agent, Action::Renounce { mandate }),
        };
        (self.mostly(dice, party), at, action)
    }
}

/// Moves one number of a policy by one, or terms by a little.
fn change(dice: &mut Dice, at: u64, policy: &mut Policy) {
    let moved = |dice: &mut Dice, cap: BaseUnits| BaseUnits(dice.around(cap.0).clamp(1, AMOUNT_MAX.0));
    match dice.below(12) {
        0 => policy.payment_cap = moved(dice, policy.payment_cap),
        1 => policy.day_cap = moved(dice, policy.day_cap),
        2 => policy.month_cap = moved(dice, policy.month_cap),
        3 => policy.lifetime_cap = moved(dice, policy.lifetime_cap),
        4 => policy.approval_above = moved(dice, policy.approval_above),
        5 => policy.day_count = dice.of(&[policy.day_count, policy.day_count.saturating_add(1), 1]),
        6 => policy.valid_after = UnixSeconds(dice.near(policy.valid_after.0)),
        7 => policy.valid_before = UnixSeconds(dice.near(policy.valid_before.0)),
        8 => policy.valid_before = UnixSeconds(at + 200 * DAY),
        9 => policy.terms.silence_bps = dice.of(&[policy.terms.silence_bps, 5_000]),
        10 => policy.terms.resolution_timeout = dice.of(&[policy.terms.resolution_timeout, 3_700]),
        _ => policy.terms.challenge_period = dice.of(&[policy.terms.challenge_period, 700]),
    }
}

fn change_limits(dice: &mut Dice, limits: &mut EntryLimits) {
    match dice.below(4) {
        0 => limits.payment_cap = BaseUnits(dice.around(limits.payment_cap.0).min(AMOUNT_MAX.0)),
        1 => limits.window_cap = BaseUnits(dice.around(limits.window_cap.0).min(AMOUNT_MAX.0)),
        2 => limits.window = dice.of(&[Window::UtcDay, Window::UtcMonth]),
        _ => limits.payment_cap = dice.of(&[limits.payment_cap, BaseUnits(0)]),
    }
}
