//! Requests that are made whole.

use api::inbound::mandate::Want;
use api::outbound::mandate::completed;
use eip712::B256;
use mandate::{Request, UnixSeconds};
use primitives::BaseUnits;

use crate::cast::*;

const FRESH: B256 = B256::repeat_byte(0xf5);

fn parts(
    request_id: Option<B256>,
    deliver_by: Option<UnixSeconds>,
    valid_before: Option<UnixSeconds>,
) -> Want {
    Want::Parts {
        recipient: PROVIDER,
        service: SERVICE,
        amount: BaseUnits(40),
        request_id,
        job_hash: B256::ZERO,
        deliver_by,
        valid_before,
    }
}

fn in_hours(request: &Request) -> [u64; 5] {
    let Request { valid_after, valid_before, deliver_by, capture_by, refund_by, .. } = *request;
    [valid_after, valid_before, deliver_by, capture_by, refund_by]
        .map(|moment| (moment.0 - UnixSeconds::from(START).0) / HOUR)
}

#[test]
fn a_request_is_good_for_a_day_and_each_window_follows() {
    let life = Life::new();
    let request = completed(parts(None, None, None), life.book(), at(HOUR), FRESH);
    // A day, an hour; an hour to dispute and a day; a week.
    assert_eq!(in_hours(&request), [1, 25, 26, 51, 219]);
    let Request { mandate, policy_version, token, request_id, terms, .. } = request;
    assert_eq!((mandate, policy_version, token, request_id), (MANDATE, 1, TOKEN, FRESH));
    assert_eq!((terms, request.max_amount), (policy().terms, BaseUnits(40)));
    assert_eq!(request, named(request), "it has the name of its message");
}

#[test]
fn it_ends_with_the_mandate() {
    let life = Life::new();
    let request = completed(parts(None, None, None), life.book(), at(399 * DAY + 20 * HOUR), FRESH);
    assert_eq!(in_hours(&request)[..3], [399 * 24 + 20, 400 * 24, 400 * 24 + 1]);
}

#[test]
fn what_is_named_stands() {
    let (life, id) = (Life::new(), B256::repeat_byte(0x01));
    let hours = |hours: u64| Some(UnixSeconds::from(at(hours * HOUR)));
    let request = completed(parts(Some(id), hours(3), hours(2)), life.book(), START, FRESH);
    assert_eq!((in_hours(&request), request.request_id), ([0, 2, 3, 28, 196], id));
    let whole = crate::cast::request(9, 40);
    assert_eq!(completed(Want::Whole(Box::new(whole)), life.book(), at(HOUR), FRESH), whole);
}

#[test]
fn it_is_one_that_the_rules_allow() {
    let mut life = Life::new();
    let request = completed(parts(None, None, None), life.book(), at(HOUR), FRESH);
    life.hears(ask(request), at(HOUR)).unwrap();
}
