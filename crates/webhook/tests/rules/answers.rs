//! H6, and what a status means.

use primitives::Millis;
use proptest::prelude::*;
use webhook::{ATTEMPTS, Meaning, RETRY_AFTER_MAX, pause};

const NOTHING: Meaning = Meaning::Again { after: None };

const fn after(seconds: u64) -> Meaning {
    Meaning::Again { after: Some(Millis::from_seconds(seconds)) }
}

#[test]
fn every_status_has_its_meaning() {
    for (status, retry_after, expected) in [
        (200, None, Meaning::Taken),
        (204, Some("60"), Meaning::Taken),
        (299, None, Meaning::Taken),
        (199, None, NOTHING),
        (300, None, NOTHING),
        (301, Some("60"), NOTHING),
        (302, None, NOTHING),
        (307, None, NOTHING),
        (308, None, NOTHING),
        (400, None, NOTHING),
        (404, None, NOTHING),
        (410, None, Meaning::Gone),
        (410, Some("60"), Meaning::Gone),
        (429, None, NOTHING),
        (429, Some("60"), after(60)),
        (429, Some(" 0 "), after(0)),
        (503, Some("120"), after(120)),
        (500, Some("120"), NOTHING),
        (502, Some("120"), NOTHING),
        (429, Some("-1"), NOTHING),
        (429, Some(""), NOTHING),
        (429, Some("1.5"), NOTHING),
        (429, Some("Wed, 21 Oct 2026 07:28:00 GMT"), NOTHING),
    ] {
        assert_eq!(Meaning::of(status, retry_after), expected, "{status} {retry_after:?}");
    }
    let Meaning::Again { after: Some(long) } = Meaning::of(503, Some("99999999999999999999")) else {
        panic!()
    };
    assert_eq!(pause(1, 0, Some(long)), Some(RETRY_AFTER_MAX));
}

#[test]
fn ten_attempts_take_three_days() {
    let pauses: Vec<u64> = (1..ATTEMPTS).map(|attempt| pause(attempt, 0, None).unwrap().0 / 1_000).collect();
    assert_eq!(pauses, [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]);
    assert_eq!(pause(ATTEMPTS, 0, None), None);
    assert_eq!(pause(ATTEMPTS, u16::MAX, Some(Millis(1))), None, "what is used up is used up");
    assert_eq!(pause(0, 0, None), None);
    assert_eq!(pause(1, u16::MAX, None), Some(Millis(5_500)));
}

proptest! {
    #[test]
    fn a_pause_is_never_shorter_than_its_schedule_and_what_was_asked_nor_much_longer(
        attempt in 1..ATTEMPTS,
        chance: u16,
        asked in prop::option::of(0_u64..200_000_000),
    ) {
        let least = pause(attempt, 0, None).unwrap();
        let asked = asked.map(Millis);
        let came = pause(attempt, chance, asked).unwrap();
        let bounded = asked.map_or(Millis(0), |asked| asked.min(RETRY_AFTER_MAX));
        prop_assert!(came >= least && came >= bounded);
        prop_assert!(came <= Millis(least.0 + least.0 / 10).max(bounded));
    }
}
