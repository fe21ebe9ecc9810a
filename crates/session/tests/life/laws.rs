//! What holds in every life, whatever happens in it and when.

use std::collections::BTreeSet;

use primitives::{Digest, Millis, UnixMillis};
use proptest::prelude::*;
use rehearsal::{Core, Wait, by_chance};
use session::{Command, Effect, End, Fact, Lifecycle, Refusal, State, deadline, holder, limits};

use crate::cast::*;

/// What happens next.
#[derive(Debug, Clone)]
enum Turn {
    /// A nonce that was made for this.
    Challenge,
    /// With the nonce so many before the latest.
    Present(usize),
    SignIn(usize, &'static str),
    /// Of an account that signed in so many minutes ago.
    Begin(&'static str, u64),
    Hears(Command),
}

fn who() -> impl Strategy<Value = &'static str> {
    prop_oneof![4 => Just("A"), 1 => Just("A2"), 1 => Just("B")]
}

fn turns() -> impl Strategy<Value = Vec<(Wait, Turn)>> {
    let wait = prop_oneof![
        6 => (0_u64..20_000).prop_map(Wait::For),
        3 => (0_u64..4_000_000).prop_map(Wait::For),
        3 => (0_u64..3).prop_map(Wait::UntilBeforeDeadline),
    ];
    let before = || prop_oneof![5 => Just(0_usize), 1 => 1_usize..3];
    let turn = prop_oneof![
        5 => Just(Turn::Challenge),
        4 => before().prop_map(Turn::Present),
        3 => (before(), who()).prop_map(|(before, who)| Turn::SignIn(before, who)),
        1 => (who(), prop_oneof![Just(0), 0_u64..90]).prop_map(|(who, ago)| Turn::Begin(who, ago)),
        4 => Just(Turn::Hears(Command::Visit)),
        1 => Just(Turn::Hears(Command::SignOut)),
        1 => Just(Turn::Hears(Command::Revoke)),
        2 => Just(Turn::Hears(Command::Wake)),
    ];
    // Every other life is a session's, so that there are visits to see.
    let first = prop_oneof![
        1 => Just((Wait::For(0), Turn::Challenge)),
        1 => who().prop_map(|who| (Wait::For(0), Turn::Begin(who, 0))),
    ];
    (first, prop::collection::vec((wait, turn), 1..40)).prop_map(|(first, mut turns)| {
        turns.insert(0, first);
        turns
    })
}

/// Lives through the turns; `see` is shown the life after each, and the moment.
fn live(turns: &[(Wait, Turn)], mut see: impl FnMut(&Life, UnixMillis)) -> Life {
    // The moment is what `see` is told; a beginning that is asked for next knows the one before.
    let (made, now) = (std::cell::Cell::new(0_usize), std::cell::Cell::new(START));
    let nonce = |before: usize| format!("N{}", made.get().saturating_sub(before));
    let asks = |_: &Life, turn: &Turn| match turn {
        Turn::Challenge => {
            made.set(made.get() + 1);
            challenge(&nonce(0))
        }
        Turn::Present(before) => present(&nonce(*before)),
        Turn::SignIn(before, who) => sign_in(&nonce(*before), account(who).unwrap(), "S1"),
        Turn::Begin(who, ago) => begin(account(who).unwrap(), now.get().minus(Millis::from_minutes(*ago))),
        Turn::Hears(command) => command.clone(),
    };
    Life::live(turns, asks, |life, at| {
        now.set(at);
        see(life, at);
    })
}

fn nonce(command: &Command) -> Option<(&'static str, Digest)> {
    match command {
        Command::Present { nonce } => Some(("present", *nonce)),
        Command::SignIn { nonce, .. } => Some(("sign in", *nonce)),
        Command::Challenge { .. }
        | Command::Begin { .. }
        | Command::Visit
        | Command::SignOut
        | Command::Revoke
        | Command::Wake => None,
    }
}

/// One command of every kind, with what fits `state` best.
fn best_tries(state: &State, now: UnixMillis) -> Vec<Command> {
    let current = match state {
        State::Challenged(challenge) | State::Presented(challenge) => challenge.nonce,
        State::Unused | State::SignedIn(_) | State::Ended { .. } => digest("N1"),
    };
    let (whose, since) = match state {
        State::SignedIn(session) => (session.account, session.since),
        State::Unused | State::Challenged(_) | State::Presented(_) | State::Ended { .. } => (A, now),
    };
    vec![
        challenge("fresh"),
        Command::Present { nonce: current },
        Command::SignIn { nonce: current, account: A, successor: digest("S1") },
        begin(whose, since),
        Command::Visit,
        Command::SignOut,
        Command::Revoke,
        Command::Wake,
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    // `Life::hears` panics when what was decided does not apply.
    #[test]
    fn what_is_decided_applies_and_the_journal_replays_to_the_same_state(turns in turns()) {
        live(&turns, |_, _| {}).replays();
    }

    // V1, V3
    #[test]
    fn each_nonce_comes_back_once_and_signs_in_once_after_that(turns in turns()) {
        let life = live(&turns, |_, _| {});
        let granted: Vec<_> = life.granted.iter().filter_map(nonce).collect();
        let once: BTreeSet<_> = granted.iter().map(|(step, nonce)| (*step, *nonce)).collect();
        prop_assert_eq!(once.len(), granted.len(), "{:?}", granted);
        for (at, (step, nonce)) in granted.iter().enumerate() {
            prop_assert!(*step == "present" || at > 0 && granted[at - 1] == ("present", *nonce));
        }
        prop_assert_eq!(life.owed.len(), life.count("SignedIn"));
        prop_assert!(life.owed.len() <= 1);
    }

    // V1, V2
    #[test]
    fn only_the_latest_nonce_comes_back_and_only_within_its_time(turns in turns()) {
        let life = live(&turns, |_, _| {});
        let mut latest = None;
        for command in &life.granted {
            match command {
                Command::Challenge { nonce } => latest = Some(*nonce),
                Command::Present { nonce } | Command::SignIn { nonce, .. } => prop_assert_eq!(latest, Some(*nonce)),
                Command::Begin { .. } | Command::Visit | Command::SignOut | Command::Revoke | Command::Wake => {}
            }
        }
        let mut asked_at = START;
        for (_, event) in &life.journal {
            match event.fact {
                Fact::Challenged { .. } => asked_at = event.at,
                Fact::Presented | Fact::SignedIn { .. } => {
                    prop_assert!(event.at.since(asked_at) < limits::NONCE_LIFETIME);
                }
                Fact::Begun { .. } | Fact::Visited | Fact::SignedOut | Fact::Revoked | Fact::Expired => {}
            }
        }
        prop_assert!(life.count("Challenged") <= limits::CHALLENGES_MAX as usize);
    }

    // V4
    #[test]
    fn what_begins_has_no_past(turns in turns()) {
        let life = live(&turns, |_, _| {});
        let begun = life.facts().position(|fact| fact == "Begun");
        prop_assert!(begun.is_none_or(|at| at == 0));
        prop_assert!(life.count("Begun") <= 1);
    }

    // V5
    #[test]
    fn the_first_end_is_the_last_event(turns in turns()) {
        let life = live(&turns, |_, _| {});
        prop_assert!(life.journal.iter().all(|(before, _)| before.lifecycle() != Lifecycle::Ended));
        let mut ended = life;
        for command in [Command::SignOut, Command::Revoke] {
            ended.hears(command, START).unwrap();
            prop_assert_eq!(ended.state.lifecycle(), Lifecycle::Ended);
            prop_assert!(holder(&ended.state, START).is_err());
        }
    }

    // V6
    #[test]
    fn a_session_is_one_accounts_and_has_an_end(turns in turns()) {
        live(&turns, |life, now| {
            let State::SignedIn(session) = &life.state else { return };
            let Some(Fact::Begun { account, since }) = life.journal.first().map(|(_, event)| &event.fact) else {
                panic!("{:?}", life.journal)
            };
            assert_eq!((&session.account, &session.since), (account, since));
            assert!(session.until() <= since.plus(limits::SESSION_MAX));
            let visited_at = life.journal.last().map_or(*since, |(_, event)| event.at);
            assert!(session.until() <= visited_at.plus(limits::IDLE_MAX));
            let expected = if now < session.until() { Ok(session) } else { Err(Refusal::Ended(End::Expired)) };
            assert_eq!(holder(&life.state, now), expected);
        });
    }

    // V7
    #[test]
    fn a_wake_is_harmless_before_the_deadline_and_the_second_time(turns in turns()) {
        live(&turns, |life, now| {
            let at_rest = matches!(life.state.lifecycle(), Lifecycle::Unused | Lifecycle::Ended);
            assert_eq!(deadline(&life.state).is_none(), at_rest);
            drop(life.woken(now));
        });
    }

    // V7
    #[test]
    fn no_answer_depends_on_whether_the_alarm_was_in_time(turns in turns()) {
        live(&turns, |life, now| {
            let woken = life.woken(now);
            let late = deadline(&life.state).unwrap_or(now).max(now).plus(Millis(1));
            for command in best_tries(&life.state, now) {
                let (mut one, mut other) = (Life { state: life.state.clone(), ..Life::default() }, woken.clone());
                let outcomes = (one.hears(command.clone(), late), other.hears(command, late));
                assert_eq!(outcomes.0.as_ref().err(), outcomes.1.as_ref().err());
                if outcomes.0.is_ok() {
                    assert_eq!(one.state, other.state);
                }
                assert_eq!(holder(&life.state, late), holder(&woken.state, late));
            }
        });
    }

    // V8
    #[test]
    fn a_life_owes_nothing_but_the_session_of_whoever_was_proven(turns in turns()) {
        let life = live(&turns, |_, _| {});
        let proven = life.granted.iter().find_map(|command| match command {
            Command::SignIn { account, successor, .. } => Some((*account, *successor)),
            Command::Challenge { .. }
            | Command::Present { .. }
            | Command::Begin { .. }
            | Command::Visit
            | Command::SignOut
            | Command::Revoke
            | Command::Wake => None,
        });
        // A new kind of effect does not compile here until somebody has thought about it.
        let owed = life.owed.first().map(|Effect::Begin { session, account, .. }| (*account, *session));
        prop_assert_eq!(owed, proven);
        if let Some((_, successor)) = proven {
            let State::Ended { end, at } = &life.state else { panic!("{:?}", life.state) };
            prop_assert_eq!(end, &End::Rotated { successor });
            let Some(Effect::Begin { since, .. }) = life.owed.first() else { panic!("{:?}", life.owed) };
            prop_assert_eq!(since, at);
        }
    }
}

/// Laws over lives in which nothing much happens would prove little.
#[test]
fn the_lives_by_chance_see_every_fact_and_every_state() {
    let (mut facts, mut ends) = (BTreeSet::new(), BTreeSet::new());
    for turns in by_chance(turns(), 500) {
        let life = live(&turns, |_, _| {});
        facts.extend(life.facts());
        ends.extend(life.journal.iter().map(|(before, _)| before.lifecycle().name()));
        ends.insert(life.state.lifecycle().name());
    }
    assert_eq!(facts.len(), Name::FACTS, "{facts:?}");
    assert_eq!(ends.len(), 5, "{ends:?}");
}
