//! What holds in every life, whatever happens in it and when.

use std::collections::BTreeMap;

use alloy_primitives::{Address, B256, U256};
use mandate::*;
use proptest::prelude::*;
use time::OffsetDateTime;

use crate::cast::*;

/// One thing that someone tries. Most of it is refused.
#[derive(Debug, Clone)]
enum Turn {
    Wait(u64),
    Fund(u64),
    Withdraw(u64),
    Authorize { recipient: Address, amount: u128 },
    OnPayment { nth: usize, act: Act },
    Amend { policy: Box<Policy>, entry: Entry },
    ApplyAmendment,
    Pause,
    Unpause,
    SetCeiling(u128),
}

#[derive(Debug, Clone, Copy)]
enum Act {
    Deliver,
    Accept,
    Dispute,
    Capture(u128),
    Claim,
    Void,
    Resolve(u128),
    TimeOut,
    Expire,
    Refund(u128),
}

fn acts() -> impl Strategy<Value = Act> {
    prop_oneof![
        6 => Just(Act::Deliver),
        1 => Just(Act::Accept),
        4 => Just(Act::Dispute),
        3 => (0_u128..90).prop_map(Act::Capture),
        1 => Just(Act::Claim),
        1 => Just(Act::Void),
        2 => (0_u128..90).prop_map(Act::Resolve),
        3 => Just(Act::TimeOut),
        1 => Just(Act::Expire),
        2 => (0_u128..90).prop_map(Act::Refund),
    ]
}

fn turns() -> impl Strategy<Value = Vec<Turn>> {
    let someone = || prop_oneof![8 => Just(PROVIDER), 1 => Just(STRANGER)];
    let policies = (60_u128..150, 100_u128..400, 200_u128..700, 300_u128..1_500, 2_u32..8).prop_map(
        |(payment, day, month, lifetime, day_count)| Policy {
            payment_cap: units(payment),
            day_cap: units(day),
            month_cap: units(month),
            lifetime_cap: units(lifetime),
            day_count,
            ..policy()
        },
    );
    let keys = prop_oneof![Just(PROVIDER), Just(STRANGER), Just(Address::ZERO)];
    let windows = prop_oneof![Just(Window::UtcDay), Just(Window::UtcMonth)];
    let entries = (keys, prop_oneof![Just(SERVICE), Just(B256::ZERO)], 0_u128..120, 100_u128..700, windows)
        .prop_map(|(recipient, service, cap, window_cap, window)| {
            entry(recipient, service, cap, window_cap, window)
        });
    let turn = prop_oneof![
        4 => prop_oneof![
            6 => 0_u64..3_700,
            4 => Just(HOUR),
            2 => Just(2 * HOUR),
            2 => Just(DAY),
            1 => 0_u64..40 * DAY,
        ]
        .prop_map(Turn::Wait),
        1 => (0_u64..1_500).prop_map(Turn::Fund),
        1 => (0_u64..300).prop_map(Turn::Withdraw),
        6 => (someone(), 0_u128..95).prop_map(|(recipient, amount)| Turn::Authorize { recipient, amount }),
        20 => (0_usize..4, acts()).prop_map(|(nth, act)| Turn::OnPayment { nth, act }),
        1 => (policies, entries).prop_map(|(policy, entry)| Turn::Amend { policy: Box::new(policy), entry }),
        1 => Just(Turn::ApplyAmendment),
        1 => prop_oneof![1 => Just(Turn::Pause), 5 => Just(Turn::Unpause)],
        1 => (100_u128..400).prop_map(Turn::SetCeiling),
    ];
    prop::collection::vec(turn, 1..80)
}

/// One authorization, as a bystander notes it.
struct Note {
    day: i64,
    month: (i32, u8),
    entry: EntryKey,
    amount: u128,
    is_under_ceiling: bool,
}

/// A mandate, and what a bystander counts of it.
struct Life {
    scene: Scene,
    requests: Vec<Request>,
    notes: Vec<Note>,
    waiting: Option<Amendment>,
    funded: u128,
    withdrawn: u128,
    paid: u128,
    refunded: u128,
    returned: BTreeMap<B256, u128>,
}

impl Life {
    /// Long-term caps that a life of this length reaches, and an entry that does not come before them.
    fn new() -> Self {
        let mut scene = Scene::new();
        (scene.mandate.policy.month_cap, scene.mandate.policy.lifetime_cap) = (units(400), units(800));
        let limits = entry(PROVIDER, SERVICE, 90, 1_000, Window::UtcMonth).limits;
        scene.mandate.entries.values_mut().for_each(|allowed| allowed.limits = limits);
        Self {
            scene,
            requests: Vec::new(),
            notes: Vec::new(),
            waiting: None,
            funded: 500,
            withdrawn: 0,
            paid: 0,
            refunded: 0,
            returned: BTreeMap::new(),
        }
    }

    /// Plays one turn; whether it was refused.
    fn hears(&mut self, turn: &Turn) -> Result<(), Refused> {
        let now = self.scene.now;
        match turn {
            Turn::Wait(seconds) => self.scene.now = after(now, *seconds),
            Turn::Fund(amount) => {
                self.scene.mandate.fund(U256::from(*amount), Arrival::Whole)?;
                self.funded += u128::from(*amount);
            }
            Turn::Withdraw(amount) => {
                self.scene.mandate.withdraw(U256::from(*amount), OWNER)?;
                self.withdrawn += u128::from(*amount);
            }
            Turn::Authorize { recipient, amount } => self.authorizes(*recipient, *amount)?,
            Turn::OnPayment { nth, act } => self.acts(*nth, *act)?,
            Turn::Amend { policy, entry } => self.amends(**policy, *entry)?,
            Turn::ApplyAmendment => {
                if let Some(waiting) = &self.waiting {
                    self.scene.mandate.apply_amendment(waiting, now)?;
                }
            }
            Turn::Pause => self.scene.mandate.pause(OWNER)?,
            Turn::Unpause => self.scene.mandate.unpause(OWNER)?,
            Turn::SetCeiling(cap) => {
                self.scene.ceiling.set(units(*cap), now);
            }
        }
        Ok(())
    }

    fn authorizes(&mut self, recipient: Address, amount: u128) -> Result<(), Refused> {
        let mut name = [0; 32];
        name[..8].copy_from_slice(&(self.requests.len() as u64 + 1).to_be_bytes());
        let now = self.scene.now;
        self.scene.request = Request {
            payment: B256::new(name),
            recipient,
            max_amount: units(amount),
            policy_version: self.scene.mandate.policy_version,
            ..request_at(1, now)
        };
        let authorized = self.scene.authorize()?;
        self.requests.push(self.scene.request);
        let date = OffsetDateTime::from_unix_timestamp(i64::try_from(now.0).unwrap()).unwrap();
        let (day, month) = (date.to_julian_day().into(), (date.year(), date.month().into()));
        let is_under_ceiling = self.scene.ceiling != Ceiling::Unset;
        self.notes.push(Note { day, month, entry: authorized.entry, amount, is_under_ceiling });
        self.is_within_every_cap(now);
        Ok(())
    }

    /// M1, by adding up the notes of the window in which the last one falls.
    fn is_within_every_cap(&self, now: UnixSeconds) {
        let last = self.notes.last().unwrap();
        let total = |filter: &dyn Fn(&&Note) -> bool| {
            units(self.notes.iter().filter(filter).map(|note| note.amount).sum())
        };
        let mandate = &self.scene.mandate;
        let policy = mandate.policy;
        let limits = mandate.entries[&last.entry].limits;
        assert!(total(&|note| note.day == last.day) <= policy.day_cap);
        assert!(total(&|note| note.month == last.month) <= policy.month_cap);
        assert!(total(&|_| true) <= policy.lifetime_cap);
        assert!(self.notes.iter().filter(|note| note.day == last.day).count() <= policy.day_count as usize);
        let in_window = |note: &&Note| match limits.window {
            Window::UtcDay => note.day == last.day,
            Window::UtcMonth => note.month == last.month,
        };
        assert!(total(&|note| note.entry == last.entry && in_window(note)) <= limits.window_cap);
        assert!(last.amount <= limits.payment_cap.0.min(policy.payment_cap.0));
        if let Ceiling::Set(caps) = self.scene.ceiling {
            assert!(total(&|note| note.is_under_ceiling && note.day == last.day) <= caps.cap_at(now));
        }
    }

    fn acts(&mut self, nth: usize, act: Act) -> Result<(), Refused> {
        // The newest payments are the ones that have most before them.
        let Some(request) = self.requests.iter().rev().nth(nth).copied() else { return Ok(()) };
        let (mandate, now) = (&mut self.scene.mandate, self.scene.now);
        let [owner, provider, resolver] = [OWNER, request.recipient, RESOLVER].map(By::caller);
        let moved = match act {
            Act::Deliver => return mandate.deliver(&request, provider, now).map(drop),
            Act::Dispute => return mandate.dispute(&request, SERVICE, owner, now).map(drop),
            Act::Refund(total) => {
                let back = mandate.refund(&request, units(total), provider, now, Arrival::Whole)?;
                self.refunded += back.0;
                return Ok(());
            }
            Act::Accept => mandate.accept(&request, owner)?,
            Act::Capture(total) => mandate.capture(&request, units(total), provider, now)?,
            Act::Claim => mandate.claim(&request, now)?,
            Act::Void => mandate.void(&request, provider)?,
            Act::Resolve(part) => mandate.resolve(&request, units(part), resolver, now)?,
            Act::TimeOut => mandate.time_out(&request, now)?,
            Act::Expire => mandate.expire(&request, now)?,
        };
        self.paid += moved.to_provider.0;
        *self.returned.entry(request.payment).or_default() += moved.returned.0;
        Ok(())
    }

    /// M7: what works at once lets nobody have more than before.
    fn amends(&mut self, policy: Policy, entry: Entry) -> Result<(), Refused> {
        let expected_version = self.scene.mandate.policy_version;
        let amendment = Amendment { hash: SERVICE, expected_version, policy, entries: vec![entry] };
        let left = |scene: &Scene| {
            [PROVIDER, STRANGER].map(|whom| scene.mandate.remaining(whom, SERVICE, scene.now, &scene.ceiling))
        };
        let before = left(&self.scene);
        match self.scene.mandate.amend(&amendment, OWNER, self.scene.now)? {
            Amended::AtOnce => {
                for (before, after) in before.into_iter().zip(left(&self.scene)) {
                    assert!(after.per_payment <= before.per_payment && after.today <= before.today);
                    assert!(after.this_month <= before.this_month && after.lifetime <= before.lifetime);
                    assert!(after.count_today <= before.count_today);
                    assert!(after.entry_per_payment <= before.entry_per_payment);
                    assert!(after.entry_window <= before.entry_window || after.entry_per_payment.0 == 0);
                }
            }
            Amended::Scheduled { .. } => {
                assert_eq!(left(&self.scene), before);
                self.waiting = Some(amendment);
            }
        }
        Ok(())
    }

    fn check(&self) {
        let Mandate { funds, payments, .. } = &self.scene.mandate;
        let held = |request: &Request| match payments[&request.payment] {
            payment if payment.state.is_open() => request.max_amount.0 - payment.paid.0,
            _ => 0,
        };
        // M2
        assert_eq!(funds.reserved.0, self.requests.iter().map(held).sum::<u128>());
        assert!(funds.reserved <= funds.balance);
        // M4
        assert_eq!(funds.balance.0 + self.withdrawn + self.paid, self.funded + self.refunded);
        for request in &self.requests {
            let payment = payments[&request.payment];
            let returned = self.returned.get(&request.payment).copied().unwrap_or_default();
            if payment.state.is_final() {
                assert_eq!(payment.paid.0 + returned, request.max_amount.0);
            }
            assert!(payment.refunded <= payment.paid && payment.paid <= request.max_amount);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 250, ..ProptestConfig::default() })]

    // M1, M2, M4, M7
    #[test]
    fn m1_m2_m4_m7_caps_hold_money_is_conserved_and_nothing_loosens_at_once(turns in turns()) {
        let mut life = Life::new();
        for turn in &turns {
            let _ = life.hears(turn);
            life.check();
        }
    }

    // M3, M5, M8
    #[test]
    fn m3_m5_m8_ends_are_ends_versions_grow_and_a_refusal_changes_nothing(turns in turns()) {
        let mut life = Life::new();
        for turn in &turns {
            let before = life.scene.mandate.clone();
            if life.hears(turn).is_err() {
                prop_assert_eq!(&life.scene.mandate, &before);
            }
            let after = &life.scene.mandate;
            prop_assert!(after.policy_version >= before.policy_version);
            prop_assert!(after.lifetime_spent >= before.lifetime_spent);
            for (name, payment) in before.payments.iter().filter(|(_, payment)| payment.state.is_final()) {
                let now = after.payments[name];
                prop_assert_eq!((now.state, now.paid), (payment.state, payment.paid));
                prop_assert!(now.refunded >= payment.refunded);
            }
        }
    }

    // M9
    #[test]
    fn m9_the_verdict_is_in_the_explanation_at_any_time(turns in turns(), amount in 0_u128..300, late in 0_u64..DAY) {
        let mut life = Life::new();
        for turn in &turns {
            let _ = life.hears(turn);
        }
        let mut scene = life.scene;
        scene.request = Request { max_amount: units(amount), ..request_at(1, scene.now) };
        scene.now = after(scene.now, late);
        let first = scene.findings().into_iter().find_map(|finding| finding.verdict().err());
        prop_assert_eq!(scene.verdict().err(), first);
    }
}
