//! What is to be billed, paid and reserved.

use api::inbound::metering::{
    PAIRS_MAX, commitment, from_mandate, new_reservation, new_settlement, pair, pairs, reservation,
    transaction,
};
use primitives::{Digest, MeterId, Millis, UnixMillis};
use serde_json::{Value, json};
use tariff::{Pricing, Quantity, UnitPrice, Version};

use crate::cast::{but, places};

#[test]
fn a_pair_is_an_agent_and_a_service_and_stands_once() {
    let one = json!({ "agent": "a", "serviceId": "s" });
    let (agent, service) = pair(&one).unwrap();
    assert_eq!((agent.as_str(), service.as_str()), ("a", "s"));
    for (field, bad) in [
        ("agent", but(&one, "agent", Some("a::b".into()))),
        ("serviceId", but(&one, "serviceId", Some("".into()))),
        ("serviceId", but(&one, "serviceId", None)),
        ("amount", but(&one, "amount", Some("7".into()))),
        ("body", json!([one])),
    ] {
        assert_eq!(places(&pair(&bad).unwrap_err()), [field], "{bad}");
    }
    let many = |count: usize| -> Value {
        let items: Vec<Value> =
            (0..count).map(|n| json!({ "agent": format!("a{n}"), "serviceId": "s" })).collect();
        json!({ "items": items })
    };
    assert_eq!(pairs(&many(PAIRS_MAX)).unwrap().len(), PAIRS_MAX);
    assert_eq!(pairs(&many(PAIRS_MAX + 1)).unwrap_err().code, "bulk_too_large");
    assert_eq!(places(&pairs(&many(0)).unwrap_err()), ["items"]);
    let bad = json!({ "items": [one, { "agent": "a b", "serviceId": "s" }, one] });
    assert_eq!(places(&pairs(&bad).unwrap_err()), ["items[1].agent", "items[2]"]);
}

#[test]
fn ids_lead_to_their_meter_and_follow_from_what_they_are_made_of() {
    let meter = MeterId::derive(&[b"m"]);
    let bill = new_settlement(&meter, [1; 32]);
    assert_eq!((bill.meter(), bill.as_str().parse().as_ref()), (meter.clone(), Ok(&bill)));
    assert_ne!(new_settlement(&meter, [2; 32]), bill);
    let held = new_reservation(&meter, "key");
    assert_eq!((held.meter(), new_reservation(&meter, "key")), (meter.clone(), held.clone()));
    assert_ne!(new_reservation(&meter, "other"), held);
}

#[test]
fn what_pays_is_named_in_one_way() {
    let hash = format!("0x{}", "aB".repeat(32));
    let payer = format!("0x{}", "Cd".repeat(20));
    let read = transaction(&json!({ "transaction": hash, "payer": payer })).unwrap();
    assert_eq!((read.transaction, read.payer), (hash.to_lowercase(), payer.to_lowercase()));
    assert_eq!(from_mandate(&json!({ "mandate": hash })).unwrap(), hash.to_lowercase());
    let bad = json!({ "transaction": "0x12", "payer": "0xzz" });
    assert_eq!(places(&transaction(&bad).unwrap_err()), ["transaction", "payer"]);
    for bad in ["", "0x", "ab", &hash[..65], &format!("{hash}0")] {
        assert_eq!(places(&from_mandate(&json!({ "mandate": bad })).unwrap_err()), ["mandate"], "{bad}");
    }
}

#[test]
fn a_reservation_says_how_much_and_for_how_long() {
    let body = json!({ "agent": "a", "serviceId": "s", "quantity": 7 });
    let read = reservation(&body).unwrap();
    assert_eq!((read.quantity, read.ttl), (Quantity::whole(7), Millis::from_minutes(60)));
    for seconds in [1, 86_400] {
        let read = reservation(&but(&body, "ttlSeconds", Some(seconds.into()))).unwrap();
        assert_eq!(read.ttl, Millis::from_seconds(seconds));
    }
    for (field, value) in [
        ("ttlSeconds", json!(0)),
        ("ttlSeconds", json!(86_401)),
        ("ttlSeconds", json!(-1)),
        ("ttlSeconds", json!(1.5)),
        ("quantity", json!("x")),
        ("quantity", json!(0.5)),
        ("agent", json!("")),
        ("mandate", json!("0x")),
    ] {
        assert_eq!(places(&reservation(&but(&body, field, Some(value))).unwrap_err()), [field]);
    }
}

#[test]
fn a_commit_is_an_event_that_is_called_after_its_reservation() {
    let held = new_reservation(&MeterId::derive(&[b"m"]), "key");
    let (agent, service) = ("a".parse().unwrap(), "s".parse().unwrap());
    let price = Version { number: 3, from: UnixMillis(0), pricing: Pricing::Flat { unit: UnitPrice(1) } };
    let read = commitment(&json!({ "quantity": "1.5" }), &held).unwrap();
    let item = read.item(&agent, &service, price.clone(), UnixMillis(9));
    assert_eq!((item.key.id.as_str(), item.key.source.as_str()), (held.as_str(), "api"));
    assert_eq!(
        (item.at, item.quantity, item.price),
        (UnixMillis(9), Quantity(1_500_000), Some(price.clone()))
    );
    let says = json!({ "agent": "a", "serviceId": "s", "quantity": "1.5", "time": null });
    assert_eq!(item.fingerprint, Digest::of_json(&says).unwrap());

    let body = json!({ "requests": 2, "id": "e", "source": "/gw", "time": "1970-01-01T00:00:01Z" });
    let item = commitment(&body, &held).unwrap().item(&agent, &service, price, UnixMillis(9));
    assert_eq!((item.key.id.as_str(), item.at), ("e", UnixMillis(1_000)));
    for (field, value) in [("time", json!("x")), ("id", json!("a b")), ("quantity", json!(-2))] {
        let bad = but(&json!({ "quantity": 2 }), field, Some(value));
        assert_eq!(places(&commitment(&bad, &held).unwrap_err()), [field]);
    }
}
