//! Asking for a part of the catalogue.

use proptest::prelude::*;
use serde_json::json;
use x402::{DiscoveryQuery, DiscoveryResource, QueryFault, ResourceKind};

use crate::{listed, official};

fn fault(query: &str) -> QueryFault {
    DiscoveryQuery::parse(query).unwrap_err()
}

#[test]
fn nothing_asked_is_the_first_page_of_everything() {
    let query = DiscoveryQuery::parse("").unwrap();
    assert_eq!((query.limit, query.offset), (20, 0));
    assert!(query.admits(&listed(&official("weather")).unwrap()));
    assert_eq!(DiscoveryQuery::parse("type=&limit=&unknown=1&&x"), Ok(query));
}

#[test]
fn each_parameter_is_read() {
    let text =
        "type=mcp&payTo=0xab&scheme=exact&network=eip155%3A84532&extensions=baz%61ar&limit=100&offset=40";
    let expected = DiscoveryQuery {
        kind: Some(ResourceKind::Mcp),
        pay_to: Some("0xab".to_owned()),
        scheme: Some("exact".to_owned()),
        network: Some("eip155:84532".to_owned()),
        extension: Some("bazaar".to_owned()),
        limit: 100,
        offset: 40,
    };
    assert_eq!(DiscoveryQuery::parse(text), Ok(expected));
    assert_eq!(DiscoveryQuery::parse("scheme=a+b%2Bc").unwrap().scheme.as_deref(), Some("a b+c"));
}

#[test]
fn nonsense_is_told_apart() {
    for limit in ["0", "101", "-1", "+1", "1.5", "ten", "99999999999999999999"] {
        assert_eq!(fault(&format!("limit={}", limit.replace('+', "%2B"))), QueryFault::Limit, "{limit}");
    }
    for limit in ["1", "100"] {
        assert!(DiscoveryQuery::parse(&format!("limit={limit}")).is_ok());
    }
    for offset in ["-1", "x", "9007199254740992"] {
        assert_eq!(fault(&format!("offset={offset}")), QueryFault::Offset);
    }
    assert!(DiscoveryQuery::parse("offset=9007199254740991").is_ok());
    assert_eq!(fault("type=ftp"), QueryFault::Kind);
    assert_eq!(fault("limit=1&limit=1"), QueryFault::Twice("limit"));
    assert_eq!(fault("network=%"), QueryFault::Escapes);
    assert_eq!(fault(&"a".repeat(2_049)), QueryFault::TooLong);
    for fault in [
        QueryFault::TooLong,
        QueryFault::Escapes,
        QueryFault::Twice("limit"),
        QueryFault::Kind,
        QueryFault::Limit,
        QueryFault::Offset,
    ] {
        assert!(fault.to_string().ends_with('.'), "{fault}");
    }
}

#[test]
fn every_filter_must_hold_and_for_one_way_to_pay() {
    let mut item = listed(&official("weather")).unwrap();
    let mut second = item.accepts[0].clone();
    second.network = "eip155:8453".to_owned();
    second.pay_to = "0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A".to_owned();
    item.accepts.push(second);
    let admits = |query: &str| DiscoveryQuery::parse(query).unwrap().admits(&item);
    assert!(admits("type=http"));
    assert!(!admits("type=mcp"));
    assert!(admits("extensions=bazaar"));
    assert!(!admits("extensions=other"));
    assert!(admits("scheme=exact"));
    assert!(!admits("scheme=upto"));
    assert!(admits("network=eip155:8453"));
    assert!(!admits("network=eip155:1"));
    assert!(admits("payTo=0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a&network=eip155:8453"));
    assert!(!admits("payTo=0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a&network=eip155:84532"));
}

#[test]
fn an_entry_of_a_later_version_is_read() {
    let item = json!({
        "resource": "https://a.example/", "type": "http", "x402Version": 2, "accepts": [],
        "lastUpdated": "2026-01-01T00:00:00Z", "iconUrl": "https://a.example/icon.png", "rank": 1,
    });
    assert!(serde_json::from_value::<DiscoveryResource>(item).is_ok());
}

proptest! {
    #[test]
    fn any_text_is_answered(text in "[a-zA-Z=&%+0-9]{0,60}|.{0,60}") {
        let _ = DiscoveryQuery::parse(&text);
    }
}
