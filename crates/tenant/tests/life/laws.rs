//! What holds in every life, whatever happens in it and when.

use std::collections::{BTreeMap, BTreeSet};

use primitives::{Millis, UnixMillis};
use proptest::prelude::*;
use rehearsal::{Core, Wait, by_chance};
use tenant::{Access, Change, Command, Known, Mode, Refusal, Scope, ServiceStatus, admit, deadline, decide};

use crate::cast::*;

/// What happens next. What is seen of time and revisions depends on the life.
#[derive(Debug, Clone)]
enum Turn {
    Hears(Command),
    Open,
    CreateFor(&'static str, &'static [&'static str], Option<u64>),
    Rotate(&'static str, &'static str, &'static [&'static str], u64),
    PriceIn(&'static str, u128, i64),
    Offer(&'static str, &'static str, &'static str),
    Withdraw(&'static str, &'static str),
    Mode(&'static str, Mode, Option<&'static str>),
    Late(u64, u64),
}

const KEYS: [&str; 4] = ["K1", "K2", "K3", "K4"];
const SERVICES: [&str; 2] = ["search", "maps"];

fn turns() -> impl Strategy<Value = Vec<(Wait, Turn)>> {
    let key = || prop::sample::select(KEYS.to_vec());
    let name = || prop::sample::select(SERVICES.to_vec());
    let given = || {
        let sets: Vec<&'static [&'static str]> =
            vec![&["admin"], &["usage:read"], &["usage:write", "services:write"], &[]];
        prop::sample::select(sets)
    };
    let who = || prop::sample::select(vec!["0xA", "0xB"]);
    let mandate = || prop::sample::select(vec!["M1", "M2"]);
    let moded = prop_oneof![Just(Mode::Prepaid), Just(Mode::Postpaid)];
    let of_services = prop_oneof![
        4 => (name(), 1_u128..4).prop_map(|(name, units)| register(name, units)),
        2 => name().prop_map(delete),
        1 => name().prop_map(|name| Command::DisableService { service: service(name) }),
        1 => name().prop_map(|name| Command::EnableService { service: service(name) }),
        1 => (name(), prop::option::of(0_u64..5)).prop_map(|(name, seen)| describe(name, "Finds.", seen)),
    ];
    let hears = prop_oneof![
        6 => of_services,
        3 => key().prop_map(revoke),
        1 => key().prop_map(|key| reissue(key, key, Known::Fresh)),
        1 => key().prop_map(|by| Command::Reset { by: key_id(by) }),
        1 => prop::sample::select(vec!["W1", "W2"]).prop_map(|id| follow(id, &["service.*"])),
        1 => prop::sample::select(vec!["W1", "W2"])
            .prop_map(|id| Command::SetEndpointTypes { id: endpoint(id), types: types(&["*"]) }),
        1 => Just(Command::RemoveEndpoint { id: endpoint("W1") }),
        1 => prop_oneof![Just(Known::Fresh), Just(Known::Filed)].prop_map(|known| used("bob", known)),
        2 => prop::sample::select(vec![
            Command::Pause { reason: None }, Command::Unpause, Command::Suspend { reason: None }, Command::Resume,
        ]),
        1 => Just(Command::Wake),
    ];
    let turn = prop_oneof![
        12 => hears.prop_map(Turn::Hears),
        2 => Just(Turn::Open),
        3 => (key(), given(), prop::option::of(0_u64..600)).prop_map(|(key, given, end)| Turn::CreateFor(key, given, end)),
        3 => (key(), key(), given(), 0_u64..300).prop_map(|(old, new, given, end)| Turn::Rotate(old, new, given, end)),
        5 => (name(), 1_u128..4, -10_i64..200).prop_map(|(name, units, from)| Turn::PriceIn(name, units, from)),
        2 => (mandate(), who()).prop_map(|(mandate, who)| Turn::Offer("bob", mandate, who)),
        1 => who().prop_map(|who| Turn::Withdraw("bob", who)),
        2 => (moded, prop::option::of(mandate())).prop_map(|(mode, mandate)| Turn::Mode("bob", mode, mandate)),
        2 => (0_u64..4, 0_u64..3).prop_map(|(days, ago)| Turn::Late(days, ago)),
    ];
    prop::collection::vec(((0_u64..120_000).prop_map(Wait::For), turn), 1..80)
}

/// Lives through the turns, of which the first opens the tenant; `see` is shown the life after each, and the moment.
fn live(turns: &[(Wait, Turn)], mut see: impl FnMut(&Life, UnixMillis)) -> Life {
    let (mut life, mut now) = (Life::of([open()]), START);
    for (wait, turn) in turns {
        let Wait::For(millis) = wait else { continue };
        now = now.plus(Millis(*millis));
        let later = |seconds: &u64| now.plus(Millis::from_seconds(*seconds));
        let command = match turn {
            Turn::Hears(command) => command.clone(),
            Turn::Open => open(),
            Turn::CreateFor(key, given, None) => create(key, given),
            Turn::CreateFor(key, given, Some(end)) => create_until(key, given, later(end)),
            Turn::Rotate(old, new, given, end) => rotate(old, new, given, Millis::from_seconds(*end)),
            // From now, half of the time.
            Turn::PriceIn(name, units, from) if from % 2 == 0 => price(name, *units, None),
            Turn::PriceIn(name, units, from) => {
                let from = now.0.checked_add_signed(from * 1_000).map(UnixMillis);
                price(name, *units, from)
            }
            Turn::Offer(of, mandate, who) => offer(of, mandate, who, filed(&life, of)),
            Turn::Withdraw(of, who) => withdraw(of, who, filed(&life, of)),
            Turn::Mode(of, wanted, mandate) => mode(of, *wanted, *mandate, filed(&life, of)),
            Turn::Late(days, ago) => {
                let revision = life.state.book().unwrap().revision.saturating_sub(*ago);
                let late = Some(Millis::from_minutes(days * 24 * 60));
                configure(Change { late, ..Change::default() }, revision)
            }
        };
        let _ = life.hears(command, now);
        see(&life, now);
    }
    life
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    // `Life::hears` panics when what was decided does not apply.
    #[test]
    fn what_is_decided_applies_and_the_journal_replays_to_the_same_state(turns in turns()) {
        live(&turns, |life, now| {
            assert_eq!(deadline(&life.state), None);
            assert_eq!(life.woken(now).state, life.state);
        }).replays();
    }

    // K4
    #[test]
    fn nobody_is_ever_locked_out(turns in turns()) {
        live(&turns, |life, now| {
            let far = now.plus(Millis::from_minutes(60 * 24 * 1_000));
            let opens = |word: &&str| {
                admit(&life.state, &shown(word), far).is_ok_and(|it| it.may(Access::Recover(Scope::Admin)).is_ok())
            };
            assert!(KEYS.iter().any(opens));
        });
    }

    // K5
    #[test]
    fn prices_are_numbered_upwards_and_what_has_begun_is_never_changed(turns in turns()) {
        let mut before: BTreeMap<_, Vec<tariff::Version>> = BTreeMap::new();
        let (mut newest, mut era) = (BTreeMap::new(), 0);
        live(&turns, |life, now| {
            let book = life.state.book().unwrap();
            if book.era > era {
                (era, before, newest) = (book.era, BTreeMap::new(), BTreeMap::new());
            }
            for (name, service) in &book.services {
                let versions = &service.versions;
                assert!(versions.is_sorted_by(|one, next| one.number < next.number && one.from < next.from));
                let begun: Vec<_> = versions.iter().filter(|version| version.from <= now).cloned().collect();
                let known = before.insert(name.clone(), begun.clone()).unwrap_or_default();
                assert!(begun.starts_with(&known), "{known:?} {begun:?}");
                let last = newest.insert(name.clone(), service.newest).unwrap_or(0);
                assert!(service.newest >= last && versions.iter().all(|version| version.number <= service.newest));
                // What is new is of a number that no other price ever had.
                if service.newest > last {
                    assert_eq!(versions.last().map(|version| version.number), Some(service.newest));
                }
            }
        });
    }

    // K6
    #[test]
    fn an_offer_is_its_makers_and_prepaid_is_by_a_mandate_that_was_named(turns in turns()) {
        let mut named = None;
        live(&turns, |life, _| {
            if let Some(Command::SetMode { mode: Mode::Prepaid, mandate, .. }) = life.granted.last() {
                named = mandate.clone();
                let offer = filed(life, "bob").and_then(|account| account.offer);
                assert_eq!(offer.map(|offer| offer.mandate), named);
            }
        });
    }

    // K7
    #[test]
    fn only_who_has_seen_the_revision_changes_what_is_set(turns in turns(), seen in 0_u64..12) {
        live(&turns, |life, now| {
            let book = life.state.book().unwrap();
            let late = Millis(book.configuration.late.0 ^ 1);
            let asked = |late| decide(&life.state, configure(Change { late: Some(late), ..Change::default() }, seen), now);
            let revision = book.revision;
            match asked(late) {
                Ok(events) => assert_eq!((seen, events.len()), (revision, 1)),
                Err(Refusal::InvalidConfiguration { .. }) => assert_eq!(seen, revision),
                Err(refusal) => assert_eq!((refusal, seen == revision), (Refusal::RevisionChanged { revision }, false)),
            }
            assert_eq!(asked(book.configuration.late), Ok(Vec::new()));
        });
    }

    // K2, seen from outside: no key has a scope that the key that made it did not have.
    #[test]
    fn keys_give_only_what_they_have(words in prop::sample::subsequence(Scope::ALL.to_vec(), 0..=6),
        wanted in prop::sample::subsequence(Scope::ALL.to_vec(), 0..=6)) {
        let names = |scopes: &[Scope]| scopes.iter().map(|scope| scope.name()).collect::<Vec<_>>();
        let life = Life::of([open(), create("K2", &names(&words))]);
        let asked = Command::CreateKey { key: new_key("K3", &names(&wanted)), by: key_id("K2") };
        let may = words.contains(&Scope::Admin) || wanted.iter().all(|scope| words.contains(scope));
        let heard = decide(&life.state, asked, START).map(|_| ());
        prop_assert_eq!(heard, if may { Ok(()) } else { Err(Refusal::ScopeAboveOwn) });
    }
}

/// Laws over lives in which nothing much happens would prove little.
#[test]
fn the_lives_by_chance_see_every_fact_and_every_state() {
    let (mut facts, mut states, mut statuses) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for turns in by_chance(turns(), 300) {
        let life = live(&turns, |life, _| {
            states.insert(life.state.name());
            for service in life.state.book().unwrap().services.values() {
                statuses.insert(format!("{:?}", service.status));
            }
        });
        facts.extend(life.facts());
    }
    assert_eq!(facts.len(), Tenant::FACTS, "{facts:?}");
    assert_eq!((states.len(), statuses.len()), (3, 3), "{states:?} {statuses:?}");
    assert!(statuses.contains(&format!("{:?}", ServiceStatus::Deleted)));
}
