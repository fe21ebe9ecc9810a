//! A mandate is made within its bounds, tightened at once, loosened later, and stopped by those who may.

use alloy_primitives::{Address, B256};
use mandate::*;

use crate::cast::*;

fn created(change: impl FnOnce(&mut Creation)) -> Result<Mandate, Refused> {
    let mut creation = creation();
    change(&mut creation);
    Mandate::create(None, creation, Token::Answers, NOON)
}

#[test]
fn a_mandate_is_made_within_its_bounds() {
    let existing = funded();
    let twice = Mandate::create(Some(&existing), creation(), Token::Answers, NOON);
    assert_eq!(twice, Err(refused(Reason::MandateExists, MANDATE, 0)));
    let tokenless = Mandate::create(None, creation(), Token::Missing, NOON);
    assert_eq!(tokenless, Err(refused(Reason::NoToken, TOKEN, 0)));
    assert_eq!(created(|new| new.agent = Address::ZERO), Err(refused(Reason::ZeroAgent, 0, 0)));
    assert_eq!(created(|new| new.agent = OWNER), Err(refused(Reason::AgentIsOwner, OWNER, OWNER)));
    for party in [OWNER, AGENT] {
        let own_case = created(|new| new.policy.terms.resolver = party);
        assert_eq!(own_case, Err(refused(Reason::ResolverIsParty, party, party)));
    }
    assert!(created(|new| new.policy.terms.resolver = Address::ZERO).is_ok());
    let made = created(|_| ()).unwrap();
    assert_eq!((made.status, made.policy_version), (Status::Active, 1));
}

#[test]
fn each_bound_holds_at_its_edge() {
    let minute = 60;
    let (hour, day) = (3_600, 86_400);
    type Set = fn(&mut Creation, u32);
    let bounds: [(Reason, u32, u32, Set); 3] = [
        (Reason::AmendDelay, hour, 30 * day, |new, value| new.amend_delay = value),
        (Reason::ChallengePeriod, 10 * minute, 30 * day, |new, value| {
            new.policy.terms.challenge_period = value
        }),
        (Reason::ResolutionTimeout, hour, 90 * day, |new, value| new.policy.terms.resolution_timeout = value),
    ];
    for (reason, least, most, set) in bounds {
        for (value, bound) in [(least - 1, Some(least)), (least, None), (most, None), (most + 1, Some(most))]
        {
            let refusal = bound.map(|bound| refused(reason, u64::from(value), u64::from(bound)));
            assert_eq!(created(|new| set(new, value)).err(), refusal, "{value}");
        }
    }
    assert!(created(|new| new.policy.terms.silence_bps = 10_000).is_ok());
    let over = created(|new| new.policy.terms.silence_bps = 10_001);
    assert_eq!(over, Err(refused(Reason::SilenceShare, 10_001, 10_000)));
}

#[test]
fn a_window_that_is_empty_or_over_and_a_cap_of_zero_are_refused() {
    for (start, end, least) in [(NOON.0 + 9, NOON.0 + 9, NOON.0 + 9), (0, NOON.0, NOON.0)] {
        let window = |new: &mut Creation, end| {
            (new.policy.valid_after, new.policy.valid_before) = (UnixSeconds(start), UnixSeconds(end));
        };
        assert_eq!(created(|new| window(new, end)), Err(refused(Reason::EmptyWindow, end, least)));
        assert!(created(|new| window(new, end + 1)).is_ok());
    }
    let zeros: [fn(&mut Policy); 5] = [
        |policy| policy.payment_cap = units(0),
        |policy| policy.day_cap = units(0),
        |policy| policy.month_cap = units(0),
        |policy| policy.lifetime_cap = units(0),
        |policy| policy.day_count = 0,
    ];
    for zero in zeros {
        assert_eq!(created(|new| zero(&mut new.policy)), Err(refused(Reason::ZeroCap, 0, 1)));
    }
}

fn amendment(change: impl FnOnce(&mut Amendment)) -> Amendment {
    let hash = B256::repeat_byte(0x55);
    let mut amendment = Amendment { hash, expected_version: 1, policy: policy(), entries: Vec::new() };
    change(&mut amendment);
    amendment
}

// M7
#[test]
fn m7_whatever_loosens_waits_and_what_tightens_does_not() {
    type Change = fn(&mut Amendment, bool);
    /// Each with `true` loosens and with `false` tightens by the least there is.
    const CHANGES: [Change; 12] = [
        |a, more| {
            a.policy.valid_before.0 =
                if more { a.policy.valid_before.0 + 1 } else { a.policy.valid_before.0 - 1 }
        },
        |a, more| {
            a.policy.valid_after.0 =
                if more { a.policy.valid_after.0 - 1 } else { a.policy.valid_after.0 + 1 }
        },
        |a, more| a.policy.payment_cap = units(if more { 101 } else { 99 }),
        |a, more| a.policy.day_cap = units(if more { 251 } else { 249 }),
        |a, more| a.policy.month_cap = units(if more { 1_001 } else { 999 }),
        |a, more| a.policy.lifetime_cap = units(if more { 3_001 } else { 2_999 }),
        |a, more| a.policy.day_count = if more { 6 } else { 4 },
        |a, more| a.policy.approval_above = units(if more { 61 } else { 59 }),
        |a, more| a.policy.terms.silence_bps = if more { 2_499 } else { 2_500 },
        |a, more| a.entries = vec![entry(PROVIDER, SERVICE, if more { 91 } else { 89 }, 200, Window::UtcDay)],
        |a, more| {
            a.entries = vec![entry(PROVIDER, SERVICE, 90, if more { 201 } else { 199 }, Window::UtcDay)]
        },
        // Nobody could pay the stranger: a permission loosens, and a ban does not.
        |a, more| a.entries = vec![entry(STRANGER, SERVICE, u128::from(more), 1, Window::UtcMonth)],
    ];
    for (number, change) in CHANGES.iter().enumerate() {
        let mut mandate = funded();
        let looser = amendment(|amendment| change(amendment, true));
        let effective_at = after(NOON, HOUR);
        assert_eq!(mandate.amend(&looser, OWNER, NOON), Ok(Amended::Scheduled { effective_at }), "{number}");
        let waiting = mandate.clone();
        assert_eq!((waiting.policy, waiting.policy_version), (policy(), 1));
        let early = mandate.apply_amendment(&looser, UnixSeconds(effective_at.0 - 1));
        assert_eq!(early, Err(refused(Reason::AmendmentEarly, effective_at.0 - 1, effective_at)));
        mandate.apply_amendment(&looser, effective_at).unwrap();
        assert_eq!((mandate.policy, mandate.policy_version), (looser.policy, 2));
        assert_eq!(mandate.pending, None);

        let mut mandate = funded();
        let tighter = amendment(|amendment| change(amendment, false));
        assert_eq!(mandate.amend(&tighter, OWNER, NOON), Ok(Amended::AtOnce), "{number}");
        assert_eq!(mandate.policy_version, 2);
    }
}

// M7
#[test]
fn m7_another_window_of_an_entry_loosens_even_where_one_of_many_changes() {
    let monthly = entry(PROVIDER, SERVICE, 90, 200, Window::UtcMonth);
    let tighter = entry(PROVIDER, SERVICE, 80, 200, Window::UtcDay);
    for entries in [vec![monthly], vec![tighter, monthly], vec![monthly, tighter]] {
        let mut mandate = funded();
        let amended = mandate.amend(&amendment(|amendment| amendment.entries = entries), OWNER, NOON);
        assert!(matches!(amended, Ok(Amended::Scheduled { .. })));
        assert_eq!(mandate.entries, funded().entries);
    }
}

// M5
#[test]
fn m5_a_request_for_the_version_before_is_refused_and_counters_and_escrows_carry_over() {
    let mut scene = Scene::new();
    scene.authorize().unwrap();
    let before = scene.mandate.clone();
    scene
        .mandate
        .amend(
            &amendment(|a| a.entries = vec![entry(PROVIDER, SERVICE, 50, 60, Window::UtcDay)]),
            OWNER,
            NOON,
        )
        .unwrap();
    scene.request = request(0x22);
    assert_eq!(scene.verdict(), Err(refused(Reason::PolicyVersion, 1, 2)));
    scene.request.policy_version = 2;
    assert_eq!(scene.verdict(), Err(refused(Reason::EntryWindowCap, 80, 60)));
    let after = &scene.mandate;
    assert_eq!((after.spent, after.lifetime_spent), (before.spent, before.lifetime_spent));
    assert_eq!((after.funds, &after.payments), (before.funds, &before.payments));
}

#[test]
fn an_amendment_is_the_owners_of_the_version_it_looked_at_and_the_one_that_waits() {
    let mut mandate = funded();
    let looser = amendment(|amendment| amendment.policy.day_cap = units(300));
    assert_eq!(mandate.amend(&looser, AGENT, NOON), Err(refused(Reason::NotPermitted, AGENT, OWNER)));
    for version in [0, 2] {
        let stale = amendment(|amendment| amendment.expected_version = version);
        assert_eq!(mandate.amend(&stale, OWNER, NOON), Err(refused(Reason::PolicyVersion, version, 1)));
    }
    let none = refused(Reason::NoAmendment, looser.hash, 0);
    assert_eq!(mandate.apply_amendment(&looser, NOON), Err(none));
    assert_eq!(mandate.cancel_amendment(OWNER), Err(refused(Reason::NoAmendment, 0, 0)));
    mandate.amend(&looser, OWNER, NOON).unwrap();
    let other = Amendment { hash: SERVICE, ..looser.clone() };
    let later = after(NOON, HOUR);
    assert_eq!(
        mandate.apply_amendment(&other, later),
        Err(refused(Reason::NoAmendment, SERVICE, looser.hash))
    );
    assert_eq!(mandate.cancel_amendment(AGENT), Err(refused(Reason::NotPermitted, AGENT, OWNER)));
    // A second one takes the place of the first, and a tightening makes the one that waits stale.
    mandate.amend(&other, OWNER, NOON).unwrap();
    assert_eq!(
        mandate.apply_amendment(&looser, later),
        Err(refused(Reason::NoAmendment, looser.hash, SERVICE))
    );
    mandate.amend(&amendment(|_| ()), OWNER, NOON).unwrap();
    assert_eq!(mandate.apply_amendment(&other, later), Err(refused(Reason::PolicyVersion, 1, 2)));
    mandate.cancel_amendment(OWNER).unwrap();
    assert_eq!(mandate.pending, None);
}

#[test]
fn an_amendment_cannot_make_a_party_the_resolver() {
    for party in [OWNER, AGENT] {
        let own_case = amendment(|amendment| amendment.policy.terms.resolver = party);
        let refusal = refused(Reason::ResolverIsParty, party, party);
        assert_eq!(funded().amend(&own_case, OWNER, NOON), Err(refusal));
    }
}

#[test]
fn a_waiting_amendment_is_judged_again_when_it_is_applied() {
    let looser = amendment(|amendment| {
        amendment.policy.day_cap = units(300);
        amendment.policy.valid_before = after(NOON, HOUR);
    });
    let mut mandate = funded();
    mandate.amend(&looser, OWNER, NOON).unwrap();
    let over = mandate.apply_amendment(&looser, after(NOON, HOUR));
    assert_eq!(over, Err(refused(Reason::EmptyWindow, after(NOON, HOUR), after(NOON, HOUR))));
    mandate.revoke(OWNER).unwrap();
    assert_eq!(mandate.apply_amendment(&looser, after(NOON, HOUR)), Err(refused(Reason::Revoked, 0, 0)));
}

#[test]
fn each_standing_allows_its_own_changes() {
    type Change = fn(&mut Mandate, Address) -> Result<(), Refused>;
    let changes: [(Address, Change); 4] = [
        (OWNER, Mandate::pause),
        (OWNER, Mandate::unpause),
        (OWNER, Mandate::revoke),
        (AGENT, Mandate::renounce),
    ];
    let revoked = refused(Reason::Revoked, 0, 0);
    let table = [
        (
            Status::Active,
            [
                Ok(Status::Paused),
                Err(refused(Reason::NotPaused, 1, 2)),
                Ok(Status::Revoked),
                Ok(Status::Revoked),
            ],
        ),
        (
            Status::Paused,
            [
                Err(refused(Reason::Paused, 0, 0)),
                Ok(Status::Active),
                Ok(Status::Revoked),
                Ok(Status::Revoked),
            ],
        ),
        (Status::Revoked, [Err(revoked), Err(revoked), Err(revoked), Err(revoked)]),
    ];
    for (status, outcomes) in table {
        for ((party, change), outcome) in changes.into_iter().zip(outcomes) {
            for caller in [OWNER, AGENT, PROVIDER, STRANGER] {
                let mut mandate = funded();
                mandate.status = status;
                let answer = change(&mut mandate, caller).map(|()| mandate.status);
                let denied = Err(refused(Reason::NotPermitted, caller, party));
                assert_eq!(answer, if caller == party { outcome } else { denied }, "{status} {caller}");
            }
        }
    }
}

#[test]
fn a_stop_touches_no_open_escrow() {
    let mut scene = Scene::new();
    scene.authorize().unwrap();
    scene.mandate.renounce(AGENT).unwrap();
    let (request, by) = (scene.request, By::caller(PROVIDER));
    scene.mandate.deliver(&request, by, scene.now).unwrap();
    assert_eq!(scene.mandate.accept(&request, By::caller(OWNER)).unwrap().to_provider, units(40));
}
