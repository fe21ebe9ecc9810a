//! K8: the state stays below a megabyte, whatever is put into it.

use primitives::{Millis, UnixMillis};
use proptest::prelude::*;
use tariff::{Pricing, Quantity, TIERS_MAX, Tier, UnitPrice};
use tenant::{Change, Command, NewKey, NewService, Refusal, Scope, State, apply, decide, limits};

use crate::cast::*;

const MEGABYTE: usize = 1_000_000;

/// The longest of everything: texts that take as much as they can, in JSON too.
fn longest(word: &str, letter: char, chars: usize) -> NewService {
    let text: String = core::iter::repeat_n(letter, chars).collect();
    let name = format!("{word}{}", "n".repeat(128 - word.len()));
    NewService {
        name: name.parse().unwrap(),
        scale: 6.try_into().unwrap(),
        unit: Some(text.chars().take(120).collect::<String>().parse().unwrap()),
        shards: 16,
        pricing: tiers(0),
        description: Some(text.chars().take(500).collect::<String>().parse().unwrap()),
        owner: Some(text.chars().take(120).collect::<String>().parse().unwrap()),
    }
}

fn tiers(from: u128) -> Pricing {
    let tier = |number: usize| Tier {
        up_to: (number + 1 < TIERS_MAX)
            .then(|| Quantity(99_999_999_999_999_000_000_000_001 - 1_000 + u128::try_from(number).unwrap())),
        unit: UnitPrice(999_999_999_999_999_999_999_000 + from),
    };
    Pricing::Graduated { tiers: (0..TIERS_MAX).map(tier).collect() }
}

/// A tenant without the story of how it came to be so: that of a full one fills a machine.
struct Full(State);

impl Full {
    fn hears(&mut self, command: Command, now: UnixMillis) -> Result<(), Refusal> {
        let events = decide(&self.0, command, now)?;
        self.0 = events.iter().try_fold(core::mem::take(&mut self.0), apply).unwrap();
        Ok(())
    }

    fn open() -> Self {
        let mut full = Self(State::default());
        full.hears(open(), START).unwrap();
        full
    }

    fn size(&self) -> usize {
        serde_json::to_string(&self.0).unwrap().len()
    }
}

/// Fills a tenant until it is full, with services of which each has so many prices.
fn filled(letter: char, chars: usize, prices: u64) -> Full {
    let mut life = Full::open();
    let most = Change {
        services_max: Some(*limits::SERVICES_MAX.end()),
        keys_max: Some(*limits::KEYS_MAX.end()),
        endpoints_max: Some(*limits::ENDPOINTS_MAX.end()),
        ..Change::default()
    };
    life.hears(configure(most, 1), START).unwrap();
    let label: String = core::iter::repeat_n(letter, chars.min(120)).collect();
    for number in 0..*limits::KEYS_MAX.end() {
        let key = NewKey {
            label: Some(label.parse().unwrap()),
            scopes: Scope::ALL.into(),
            expires_at: Some(after(1_000_000)),
            rate: Some(tenant::rate::Rate { quota: 1_000_000, window: Millis::from_minutes(60) }),
            ..new_key(&format!("key {number}"), &[])
        };
        let _ = life.hears(Command::CreateKey { key, by: key_id("K1") }, START);
    }
    for number in 0..*limits::ENDPOINTS_MAX.end() {
        let words: Vec<String> = (0..limits::TYPES).map(|word| format!("{word:0>64}")).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let _ = life.hears(follow(&format!("W{number}"), &words), START);
    }
    for number in 0..*limits::SERVICES_MAX.end() {
        let new = longest(&format!("s{number}-"), letter, chars);
        let name = new.name.clone();
        match life.hears(Command::RegisterService(Box::new(new)), START) {
            Ok(_) => {}
            Err(Refusal::StoreFull) => break,
            Err(refusal) => panic!("{refusal:?}"),
        }
        for version in 0..prices {
            let (service, from) = (name.clone(), Some(after(version + 1)));
            let pricing = tiers(u128::from(version) + 1);
            let _ = life.hears(Command::SetPrice { service, pricing, from, revision: None }, START);
        }
    }
    life
}

#[test]
fn a_full_tenant_is_below_a_megabyte() {
    for (letter, chars, prices) in [('"', 500, 0), ('\\', 500, 120), ('🦀', 500, 3), ('a', 1, 0)] {
        let life = filled(letter, chars, prices);
        let taken = life.size();
        assert!(taken < MEGABYTE, "{letter} {prices}: {taken}");
        // What is counted is close to what is taken, or much less would fit than is promised.
        assert!(chars == 1 || taken > MEGABYTE * 2 / 5, "{letter} {prices}: {taken}");
    }
}

#[test]
fn a_thousand_plain_services_fit() {
    let mut life = Full::open();
    for number in 0..1_000 {
        life.hears(register(&format!("service-{number}"), 100), START).unwrap();
    }
    assert_eq!(life.hears(register("one-more", 100), START), Err(Refusal::TooManyServices));
}

#[test]
fn the_oldest_price_gives_way_once_no_event_can_need_it() {
    let mut life = Life::of([open(), register("search", 1)]);
    for number in 1..limits::VERSIONS {
        let seconds = u64::try_from(number).unwrap();
        life.hears(price("search", 2 + u128::from(seconds % 2), Some(after(seconds))), START).unwrap();
    }
    let end = after(1).plus(limits::LATE_MAX);
    let one_more = || price("search", 9, None);
    assert_eq!(life.clone().hears(one_more(), end.minus(Millis(1))), Err(Refusal::TooManyVersions));
    life.hears(one_more(), end).unwrap();
    let versions = &life.state.book().unwrap().services[&service("search")].versions;
    assert_eq!((versions.len(), versions[0].number, versions.last().unwrap().number), (100, 2, 101));
}

#[test]
fn keys_that_are_over_make_room_and_the_oldest_of_them_are_forgotten() {
    let mut life = Life::of([open()]);
    for number in 0..500_u64 {
        let word = format!("key {number}");
        life.hears(create(&word, &["usage:read"]), after(number)).unwrap();
        life.hears(revoke(&word), after(number)).unwrap();
    }
    let keys = &life.state.book().unwrap().keys;
    assert_eq!(keys.len(), limits::OVER_KEYS + 1);
    assert!(keys.contains_key(&key_id("key 499")) && !keys.contains_key(&key_id("key 400")));
    assert!(keys.contains_key(&key_id("K1")));
}

#[test]
fn there_are_as_many_open_keys_as_are_set() {
    let mut life = Life::of([open()]);
    life.hears(configure(Change { keys_max: Some(2), ..Change::default() }, 1), START).unwrap();
    life.hears(create_until("K2", &[], after(60)), START).unwrap();
    assert_eq!(life.hears(create("K3", &[]), after(59)), Err(Refusal::TooManyKeys));
    // A successor comes before the one that it replaces goes.
    life.clone().hears(rotate("K2", "K4", &[], Millis::from_seconds(31)), after(59)).unwrap();
    life.hears(create("K3", &[]), after(60)).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, ..ProptestConfig::default() })]

    #[test]
    fn whatever_letters_and_prices_there_are_it_stays_below(letter in prop::char::range('!', '\u{FFFF}'), chars in 1_usize..500, prices in 0_u64..40) {
        prop_assume!(!letter.is_whitespace() && !letter.is_control());
        prop_assert!(filled(letter, chars, prices).size() < MEGABYTE);
    }
}
