//! Lists: what may be asked for, what lies in the tables, and pages that show each row once.

use std::collections::BTreeSet;

use api::binding::meter::Filed;
use api::listing::metering::{
    By, Named, Size, TallyRecord, audit, buckets, export, meter_events, named, nothing, settlements, summary,
    usage_top,
};
use api::listing::{Csv, Place};
use api::problem::Problem;
use meter::{EventKey, Source};
use primitives::{AgentName, AuditId, MeterId, SettlementId, UnixMillis};
use proptest::prelude::*;
use tariff::Quantity;

use crate::cast::places;

const NOW: UnixMillis = UnixMillis(1_796_029_200_250);

fn query<'a>(pairs: &'a [(&'a str, &'a str)]) -> impl Iterator<Item = (&'a str, String)> {
    pairs.iter().map(|(name, value)| (*name, (*value).to_owned()))
}

fn fault<T>(read: Result<T, Problem>) -> Vec<String> {
    places(&read.err().unwrap()).into_iter().map(str::to_owned).collect()
}

#[test]
fn a_query_says_what_it_does_not_know() {
    assert_eq!(fault(nothing(query(&[("limit", "1")]))), ["limit"]);
    for (name, value) in [("limit", "0"), ("limit", "101"), ("limit", "x"), ("cursor", "!"), ("agent", "a")] {
        assert_eq!(fault(named::<AgentName>(query(&[(name, value)]))), [name], "{name}={value}");
    }
    assert_eq!(fault(usage_top(query(&[("by", "day")]))), ["by"]);
    assert_eq!(usage_top(query(&[("by", "service")])).unwrap().by, By::Service);
    for (name, value) in
        [("status", "paid"), ("agent", "a::b"), ("serviceId", ""), ("cursor", "MQ"), ("limit", "101")]
    {
        assert_eq!(fault(settlements(query(&[(name, value)]))), [name], "{name}={value}");
    }
    for (name, value) in [("type", "Usage recorded"), ("since", "1"), ("until", "soon"), ("more", "1")] {
        assert_eq!(fault(audit(query(&[(name, value)]))), [name], "{name}={value}");
    }
    let doubled = [("limit", "1"), ("limit", "2")];
    assert_eq!(fault(named::<AgentName>(query(&doubled))), ["limit"]);
    let reversed = [("since", "2026-01-02T00:00:00Z"), ("until", "2026-01-02T00:00:00Z")];
    assert_eq!(fault(audit(query(&reversed))), ["until"]);
    assert_eq!(fault(summary(query(&reversed))), ["until"]);
    assert_eq!(fault(export(query(&[("cursor", "YQ")]))), ["cursor"], "an agent without a service");
    for cursor in ["LQ.", "MDE", "LTE", "Kg", &"MS4".repeat(17)] {
        assert_eq!(fault(meter_events(query(&[("cursor", cursor)]))), ["cursor"], "{cursor}");
    }
}

#[test]
fn a_cursor_goes_on_where_it_says_and_not_past_the_end_of_the_span() {
    let id = AuditId::derive(&[b"one"]);
    let place = Place { at: UnixMillis(5_000), id: id.to_string() };
    let cursor = place.encode();
    let read = audit(query(&[("cursor", &cursor), ("until", "1970-01-01T00:00:09Z")])).unwrap();
    assert_eq!(read.page.after, Some(place), "the cursor is older than the end");
    let read = audit(query(&[("until", "1970-01-01T00:00:04Z")])).unwrap();
    assert_eq!(read.page.after, Some(Place { at: UnixMillis(4_000), id: String::new() }));
    assert_eq!(fault(settlements(query(&[("cursor", &cursor)]))), ["cursor"], "another list's");
    let bill = SettlementId::derive(&MeterId::derive(&[b"m"]), &[b"s"]);
    let place = Place { at: UnixMillis(5_000), id: bill.to_string() };
    let read = settlements(query(&[("cursor", &place.encode()), ("status", "writtenOff")])).unwrap();
    assert_eq!(read.page.after, Some(place));
    let agent = api::listing::metering::name_cursor("agent-7");
    let read: Named<AgentName> = named(query(&[("cursor", &agent), ("limit", "7")])).unwrap();
    assert_eq!((read.after.unwrap().as_str(), read.limit), ("agent-7", 7));
}

#[test]
fn buckets_begin_at_full_hours_and_days_and_are_bounded() {
    let read = buckets(query(&[]), NOW).unwrap();
    assert_eq!(
        (read.size, read.from, read.to),
        (Size::Hour, UnixMillis(1_795_921_200_000), UnixMillis(NOW.0 + 1))
    );
    let days = [("size", "day"), ("from", "2026-11-01T23:59:59Z"), ("to", "2026-11-30T00:00:00Z")];
    let read = buckets(query(&days), NOW).unwrap();
    assert_eq!(read.from.to_rfc3339(), "2026-11-01T00:00:00.000Z");
    let hours = [("from", "2026-01-01T00:00:00Z"), ("to", "2026-11-30T00:00:00Z")];
    assert_eq!(fault(buckets(query(&hours), NOW)), ["from"]);
    let exactly = [("from", "2026-01-01T00:00:00Z"), ("to", "2026-02-11T16:00:00Z")];
    assert!(buckets(query(&exactly), NOW).is_ok(), "1,000 hours");
    let reversed = [("from", "2026-01-02T00:00:00Z"), ("to", "2026-01-01T00:00:00Z")];
    assert_eq!(fault(buckets(query(&reversed), NOW)), ["to"]);
    assert_eq!(fault(buckets(query(&[("size", "week")]), NOW)), ["size"]);
}

fn tally(used: &str) -> TallyRecord {
    let zero = "0".repeat(39);
    TallyRecord {
        agent: Some("=cmd".to_owned()),
        service: Some("s,1".to_owned()),
        meters: 1,
        events: 2,
        used: used.to_owned(),
        open: zero.clone(),
        pending: zero.clone(),
        settled: zero.clone(),
        paid: format!("{:0>39}", u64::MAX),
        written_off: zero,
        last_at: Some(UnixMillis(0)),
        version: 9,
        as_of: Some(UnixMillis(1)),
    }
}

#[test]
fn a_sum_is_shown_exactly_or_not_at_all() {
    let largest = u128::MAX.to_string();
    let row = tally(&largest).shown().unwrap();
    assert_eq!(row.tally.quantity, "340282366920938463463374607431768.211455");
    assert_eq!((row.tally.paid.as_str(), row.tally.total.as_str()), ("18446744073709551615", "0"));
    // One more than can be counted; more digits than there are; what is no number.
    for bad in
        ["340282366920938463463374607431768211456", "1340282366920938463463374607431768211455", "-1", ""]
    {
        assert!(tally(bad).shown().is_none(), "{bad}");
    }
}

#[test]
fn a_file_of_usage_runs_nothing() {
    let mut csv = Csv::default();
    csv.push(&tally(&format!("{:0>39}", 1_500_000)).shown().unwrap());
    let text = csv.into_text();
    let lines: Vec<&str> = text.split("\r\n").collect();
    assert_eq!(
        lines,
        [
            "agent,serviceId,events,quantity,total,pending,settled,paid,writtenOff,lastAt,version",
            "'=cmd,\"s,1\",2,1.5,0,0,0,18446744073709551615,0,1970-01-01T00:00:00.000Z,9",
            "",
        ]
    );
}

fn filed(number: u64, received_at: u64) -> Filed {
    let key = EventKey { source: "api".parse().unwrap(), id: format!("e{number}").parse().unwrap() };
    Filed {
        number,
        key,
        at: UnixMillis(0),
        received_at: UnixMillis(received_at),
        quantity: Quantity::whole(1),
        price: 1,
        source: Source::Open,
        reverses: None,
        reversed: None,
    }
}

proptest! {
    /// Whatever the shards hold, and however many have come at one moment, the pages together show each event once, newest
    /// first.
    #[test]
    fn pages_of_a_meters_events_show_each_once(
        steps in prop::collection::vec(prop::collection::vec(0_u64..3, 0..30), 1..5),
        limit in 1_u32..9,
    ) {
        // A shard's moments never go back; its events are numbered as they come.
        let shards: Vec<Vec<Filed>> = steps.iter().map(|steps| {
            let mut at = 0;
            (1..).zip(steps).map(|(number, step)| { at += step; filed(number, at) }).collect()
        }).collect();
        let (mut shown, mut cursor) = (Vec::new(), None::<String>);
        loop {
            let limit = limit.to_string();
            let mut pairs = vec![("limit", limit.as_str())];
            pairs.extend(cursor.as_deref().map(|cursor| ("cursor", cursor)));
            let wanted = meter_events(query(&pairs)).unwrap();
            let read = (0_u8..).zip(&shards).map(|(shard, events)| {
                let older = |event: &&Filed| wanted.before(shard).is_none_or(|before| event.number < before);
                let more = usize::try_from(wanted.limit + 1).unwrap();
                events.iter().rev().filter(older).take(more).cloned().map(|mut event| {
                    event.price = u32::from(shard);
                    event
                }).collect()
            }).collect();
            let (page, next) = wanted.page(read);
            prop_assert!(page.len() <= usize::try_from(wanted.limit).unwrap());
            shown.extend(page);
            match next {
                Some(next) => cursor = Some(next),
                None => break,
            }
        }
        prop_assert!(shown.is_sorted_by_key(|event| std::cmp::Reverse(event.received_at)));
        let distinct: BTreeSet<(u32, u64)> = shown.iter().map(|event| (event.price, event.number)).collect();
        let all: usize = steps.iter().map(Vec::len).sum();
        prop_assert_eq!((shown.len(), distinct.len()), (all, all));
    }
}
