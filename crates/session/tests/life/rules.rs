//! Single rules that stories cannot tell.

use primitives::{Millis, UnixMillis};
use rehearsal::Core;
use session::{
    Command, Effect, End, Event, Fact, Refusal, State, apply, deadline, forgettable_from, holder, limits,
};

use crate::cast::*;

/// V3, V4: two names as a shell would keep them; the effect of the first is the beginning of the second.
#[test]
fn a_sign_in_under_one_name_begins_the_session_under_another() {
    let mut visitor = Life::of([challenge("N1"), present("N1")]);
    let now = START.plus(Millis::from_seconds(30));
    let heard = visitor.hears(sign_in("N1", A, "S1"), now).unwrap();
    let [Effect::Begin { session: name, account, since }] = &heard.owed[..] else { panic!("{heard:?}") };
    assert_eq!((*name, *since), (digest("S1"), now));
    assert!(
        matches!(visitor.state, State::Ended { end: End::Rotated { successor }, .. } if successor == *name)
    );

    let mut session = Life::default();
    for delivery in [0, 5, 5_000] {
        session.hears(begin(*account, *since), now.plus(Millis(delivery))).unwrap();
    }
    assert_eq!(session.count("Begun"), 1);
    assert_eq!(holder(&session.state, now).map(|session| session.account), Ok(A));
}

/// V4, V7: once an ended name may be forgotten, a late beginning makes no session under it, and not a moment before.
#[test]
fn a_name_is_forgotten_when_no_beginning_can_reach_it_any_more() {
    let mut early = Life::default();
    early.hears(Command::SignOut, START).unwrap();
    let over = forgettable_from(&early.state).unwrap();
    let forgotten = |now: UnixMillis| {
        let mut life = Life::default();
        // The beginning was owed at the latest when the name ended.
        life.hears(begin(A, START), now).is_ok() && holder(&life.state, now).is_ok()
    };
    assert!(!forgotten(over));
    assert!(forgotten(UnixMillis(over.0 - 1)), "until then the name has to say no itself");
    for life in [Life::default(), Life::of([begin(A, START)])] {
        assert_eq!(forgettable_from(&life.state), None);
    }
}

/// V6: a session is bound to the chain on which its account was proven.
#[test]
fn the_same_address_on_another_chain_is_another_account() {
    let session = Life::of([begin(A, START)]);
    assert_eq!(session.tried(begin(account("A2").unwrap(), START), START), "- session_name_used");
    assert_eq!(holder(&session.state, START).map(|session| session.account.chain_id), Ok(8453));
}

#[test]
fn every_refusal_says_what_to_do_and_none_is_worth_a_retry() {
    let rotated = End::Rotated { successor: digest("S1") };
    let refusals = [
        (Refusal::NonceUnknown, "nonce_unknown", "Ask for a nonce"),
        (Refusal::NonceUsed, "nonce_used", "Ask for another"),
        (Refusal::TooManyChallenges, "too_many_challenges", "10 nonces. Start anew"),
        (Refusal::AlreadySignedIn, "already_signed_in", "Sign out first"),
        (Refusal::NotSignedIn, "not_signed_in", "sign in"),
        (Refusal::NameUsed, "session_name_used", "fresh secret"),
        (Refusal::Ended(End::SignedOut), "session_signed_out", "Sign in again"),
        (Refusal::Ended(End::Revoked), "session_revoked", "Sign in again"),
        (Refusal::Ended(End::Expired), "session_expired", "Sign in again"),
        (Refusal::Ended(rotated), "session_rotated", "sign in again"),
    ];
    for (refusal, code, advice) in refusals {
        assert_eq!((refusal.code(), refusal.may_retry()), (code, false));
        assert!(refusal.to_string().contains(advice), "{refusal}");
    }
}

/// A day of a page that calls every ten seconds costs some hundred and fifty writes, and the state stays as small.
#[test]
fn a_busy_session_is_cheap() {
    let mut session = Life::of([begin(A, START)]);
    let mut now = START;
    while now.since(START) < limits::SESSION_MAX {
        assert!(session.hears(Command::Visit, now).is_ok());
        assert!(serde_json::to_string(&session.state).unwrap().len() < 200);
        now = now.plus(Millis::from_seconds(10));
    }
    assert_eq!(session.count("Visited"), 143);
}

/// V1, V4, V5, V7: a spoilt journal leads to no state to which the core itself could not have come.
#[test]
fn an_event_that_cannot_follow_is_corrupt() {
    let facts = [
        Fact::Challenged { nonce: digest("N2"), until: START },
        Fact::Presented,
        Fact::SignedIn { account: A, successor: digest("S1") },
        Fact::Begun { account: A, since: START },
        Fact::Visited,
        Fact::SignedOut,
        Fact::Revoked,
        Fact::Expired,
    ];
    let following = |state: &State, at: UnixMillis| {
        let events = facts.iter().map(|fact| Event { at, fact: fact.clone() });
        let names: Vec<_> = events
            .filter(|event| apply(state.clone(), event).is_ok())
            .map(|event| Name::name(&event))
            .collect();
        names.join(" ")
    };
    for (commands, follow) in [
        (vec![], "Challenged Begun SignedOut Revoked"),
        (vec![challenge("N1")], "Challenged Presented SignedOut Revoked"),
        (vec![challenge("N1"), present("N1")], "Challenged SignedIn SignedOut Revoked"),
        (vec![begin(A, START)], "Visited SignedOut Revoked"),
        (vec![Command::Revoke], ""),
    ] {
        let state = Life::of(commands).state;
        assert_eq!(following(&state, START), follow);
        if let Some(until) = deadline(&state) {
            assert_eq!(following(&state, until), "Expired");
        }
    }
    let event = Event { at: START, fact: Fact::Expired };
    let said = "an event recorded at 2026-11-30T14:00:00.000Z does not follow from UNUSED";
    assert_eq!(apply(State::Unused, &event).unwrap_err().to_string(), said);
}
