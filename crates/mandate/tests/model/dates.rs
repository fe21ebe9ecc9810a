//! Days and months against known dates, another library, and their own laws.

use mandate::UnixSeconds;
use mandate::calendar::{day, month};
use proptest::prelude::*;
use time::OffsetDateTime;

/// A moment, its day, and its year and month.
const KNOWN: [(u64, u64, u64, u64); 16] = [
    (0, 0, 1970, 1),
    (86_399, 0, 1970, 1),
    (86_400, 1, 1970, 1),
    (2_678_399, 30, 1970, 1),
    (2_678_400, 31, 1970, 2),
    (951_782_400, 11_016, 2000, 2), // 2000-02-29, a leap day of the fourth century
    (951_868_800, 11_017, 2000, 3), // 2000-03-01
    (1_796_083_199, 20_787, 2026, 11), // 2026-11-30T23:59:59
    (1_796_083_200, 20_788, 2026, 12),
    (1_835_395_200, 21_243, 2028, 2),  // 2028-02-29
    (1_835_481_600, 21_244, 2028, 3),  // 2028-03-01
    (1_861_919_999, 21_549, 2028, 12), // 2028-12-31T23:59:59
    (1_861_920_000, 21_550, 2029, 1),
    (4_107_542_399, 47_540, 2100, 2), // 2100-02-28T23:59:59, and no leap day follows
    (4_107_542_400, 47_541, 2100, 3),
    (253_402_300_799, 2_932_896, 9999, 12),
];

#[test]
fn known_moments_have_their_known_days_and_months() {
    for (moment, number, year, month_of_year) in KNOWN {
        assert_eq!(day(UnixSeconds(moment)), number, "{moment}");
        assert_eq!(month(number), year * 12 + month_of_year - 1, "{moment}");
    }
}

#[test]
fn a_month_changes_on_its_first_day_and_on_no_other_and_never_falls() {
    // Two full cycles of the calendar.
    for number in 0..292_194 {
        let date =
            OffsetDateTime::from_unix_timestamp(i64::try_from((number + 1) * 86_400).unwrap()).unwrap();
        let step = month(number + 1) - month(number);
        assert_eq!(step, u64::from(date.day() == 1), "{date}");
    }
}

proptest! {
    #[test]
    fn another_library_knows_the_same_dates(moment in 0_u64..253_402_300_800) {
        let date = OffsetDateTime::from_unix_timestamp(i64::try_from(moment).unwrap()).unwrap();
        let (year, month_of_year) = (u64::try_from(date.year()).unwrap(), u64::from(u8::from(date.month())));
        prop_assert_eq!(day(UnixSeconds(moment)), moment / 86_400);
        prop_assert_eq!(month(day(UnixSeconds(moment))), year * 12 + month_of_year - 1);
    }

    #[test]
    fn any_moment_of_the_contract_has_a_month(moment in 0..=UnixSeconds::MAX.0) {
        let number = day(UnixSeconds(moment));
        prop_assert!(month(number + 28) - month(number) <= 1 && month(number + 31) > month(number));
    }
}
