//! K9: how often somebody may ask.

use primitives::{Millis, UnixMillis};
use proptest::prelude::*;
use tenant::rate::{Rate, Window};

use crate::cast::{START, after};

const RATE: Rate = Rate { quota: 3, window: Millis::from_seconds(60) };

#[test]
fn a_window_begins_with_its_first_request_and_counts_no_refused_one() {
    let mut window = Window::default();
    let mut left =
        |at: UnixMillis| window.charge(RATE, at).map(|standing| (standing.remaining, standing.reset_at));
    assert_eq!(left(START), Ok((2, after(60))));
    assert_eq!(left(after(10)), Ok((1, after(60))));
    assert_eq!(left(after(59)), Ok((0, after(60))));
    let refused = left(after(59)).unwrap_err().0;
    assert_eq!((refused.remaining, refused.reset_at), (0, after(60)));
    assert!(left(after(60).minus(Millis(1))).is_err());
    assert_eq!(left(after(60)), Ok((2, after(120))));
}

#[test]
fn another_rule_holds_at_once_and_a_clock_that_goes_back_gives_nothing_away() {
    let mut window = Window::default();
    assert!((0..3).all(|_| window.charge(RATE, after(100)).is_ok()));
    assert!(window.charge(RATE, after(50)).is_err());
    let more = Rate { quota: 5, ..RATE };
    assert_eq!(window.charge(more, after(101)).map(|standing| standing.remaining), Ok(1));
    let less = Rate { quota: 1, ..RATE };
    assert!(window.charge(less, after(102)).is_err());
}

proptest! {
    // Compared with a list of the moments that were let through.
    #[test]
    fn no_window_lets_more_through_than_its_quota(quota in 1_u32..6, waits in prop::collection::vec(0_u64..30, 1..80)) {
        let rate = Rate { quota, window: Millis::from_seconds(60) };
        let (mut window, mut now, mut begun, mut passed) = (Window::default(), START, None::<UnixMillis>, 0);
        for wait in waits {
            now = now.plus(Millis::from_seconds(wait));
            if begun.is_none_or(|begun| now.since(begun).0 >= 60_000) {
                (begun, passed) = (Some(now), 0);
            }
            let expected = passed < quota;
            let charged = window.charge(rate, now);
            prop_assert_eq!(charged.is_ok(), expected);
            passed += u32::from(expected);
            let standing = charged.unwrap_or_else(|refused| refused.0);
            prop_assert_eq!(standing.remaining, quota - passed);
            prop_assert_eq!(standing.reset_at, begun.unwrap().plus(rate.window));
        }
    }
}
