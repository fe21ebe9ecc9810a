//! Bodies, and every way in which they can be wrong: each fault names its field.

use api::inbound::metering as inbound;
use api::problem::Problem;
use primitives::Millis;
use serde_json::{Value, json};
use tariff::{Pricing, Quantity, Scale, Tier, UnitPrice};
use tenant::{Mode, Scope};

const MANDATE: &str = "0x00000000000000000000000000000000000000000000000000000000000000AA";

/// The fields that are named, in the order in which they are.
fn fields<T: core::fmt::Debug>(read: Result<T, Problem>) -> Vec<String> {
    let problem = read.unwrap_err();
    assert_eq!((problem.status, problem.code.as_str()), (400, "invalid_body"), "{problem:?}");
    problem.errors.into_iter().map(|fault| fault.field).collect()
}

fn service(changes: &[(&str, Value)]) -> Value {
    let mut body = json!({ "serviceId": "weather.v1", "price": "250" });
    for (name, value) in changes {
        body[*name] = value.clone();
    }
    body
}

#[test]
fn a_service_is_read_with_what_it_does_not_say() {
    let read = inbound::service(&service(&[])).unwrap();
    assert_eq!(read.name.as_str(), "weather.v1");
    assert_eq!((read.scale, read.shards), (Scale::default(), 1));
    assert_eq!(read.pricing, Pricing::Flat { unit: UnitPrice(250_000_000_000) });
    assert_eq!((read.unit, read.description, read.owner), (None, None, None));
}

/// Clients of the earlier service send `priceStroops`, a JSON integer.
#[test]
fn a_price_is_a_text_or_an_integer_under_both_names() {
    for (name, value) in [
        ("price", json!("250")),
        ("price", json!(250)),
        ("priceStroops", json!("250")),
        ("priceStroops", json!(250)),
    ] {
        let body = json!({ "serviceId": "weather.v1", name: value });
        assert_eq!(
            inbound::service(&body).unwrap().pricing,
            Pricing::Flat { unit: UnitPrice(250_000_000_000) }
        );
    }
    assert_eq!(
        fields(inbound::service(&json!({ "serviceId": "a", "price": "1", "priceStroops": 1 }))),
        ["body"]
    );
}

#[test]
fn tiers_are_read_as_they_are_written() {
    let body = service(&[
        ("price", Value::Null),
        (
            "pricing",
            json!({ "kind": "graduated", "tiers": [
                { "upTo": 1000, "price": "2.5" }, { "upTo": "2000.5", "price": 2 }, { "price": "0" },
            ] }),
        ),
    ]);
    let tier = |up_to: Option<u128>, unit| Tier { up_to: up_to.map(Quantity), unit: UnitPrice(unit) };
    let tiers = vec![
        tier(Some(1_000_000_000), 2_500_000_000),
        tier(Some(2_000_500_000), 2_000_000_000),
        tier(None, 0),
    ];
    assert_eq!(inbound::service(&body).unwrap().pricing, Pricing::Graduated { tiers });
}

#[test]
fn what_is_wrong_with_a_service_is_named() {
    let long = "a".repeat(129);
    for (name, value, field) in [
        ("serviceId", json!("agent::service"), "serviceId"),
        ("serviceId", json!("a/b"), "serviceId"),
        ("serviceId", json!("a\u{1f}b"), "serviceId"),
        ("serviceId", json!("ü"), "serviceId"),
        ("serviceId", json!(""), "serviceId"),
        ("serviceId", json!(long), "serviceId"),
        ("serviceId", json!(7), "serviceId"),
        ("price", json!(-1), "price"),
        ("price", json!(2.5), "price"),
        ("price", json!(9_007_199_254_740_992_u64), "price"),
        ("price", json!("-1"), "price"),
        ("price", json!("1e3"), "price"),
        ("price", json!("01"), "price"),
        ("price", json!("0.0000000001"), "price"),
        ("price", json!("1000000000000000"), "price"),
        ("price", json!(true), "price"),
        ("price", Value::Null, "price"),
        ("scale", json!(7), "scale"),
        ("scale", json!(-1), "scale"),
        ("scale", json!(256), "scale"),
        ("shards", json!(0), "shards"),
        ("shards", json!(17), "shards"),
        ("unit", json!(""), "unit"),
        ("description", json!(" padded"), "description"),
        ("description", json!("a".repeat(501)), "description"),
        ("owner", json!("two\nlines"), "owner"),
        ("pricing", json!({ "kind": "flat", "price": "1" }), "pricing"),
        ("currency", json!("XLM"), "currency"),
    ] {
        assert_eq!(fields(inbound::service(&service(&[(name, value.clone())]))), [field], "{name} {value}");
    }
    for body in [json!([]), json!("a"), Value::Null, json!(1)] {
        assert_eq!(fields(inbound::service(&body)), ["body"], "{body}");
    }
}

#[test]
fn all_faults_are_named_at_once() {
    let body = json!({ "serviceId": "a b", "price": "x", "scale": 9, "shards": 99, "owner": "" });
    assert_eq!(fields(inbound::service(&body)), ["serviceId", "price", "scale", "shards", "owner"]);
}

#[test]
fn what_is_wrong_with_tiers_is_named() {
    let one = |tiers: Value| json!({ "serviceId": "a", "pricing": { "kind": "volume", "tiers": tiers } });
    for (tiers, field) in [
        (json!([]), "pricing.tiers"),
        (json!([{ "upTo": 5, "price": "1" }]), "pricing.tiers"),
        (json!([{ "price": "1" }, { "price": "1" }]), "pricing.tiers"),
        (
            json!([{ "upTo": 5, "price": "1" }, { "upTo": 5, "price": "1" }, { "price": "1" }]),
            "pricing.tiers",
        ),
        (json!([{ "upTo": 0, "price": "1" }, { "price": "1" }]), "pricing.tiers"),
        (json!([{ "upTo": "1.2.3", "price": "1" }, { "price": "1" }]), "pricing.tiers[0].upTo"),
        (json!([{ "upTo": 5, "price": "1" }, { "price": "x" }]), "pricing.tiers[1].price"),
        (json!(vec![json!({ "price": "1" }); 21]), "pricing.tiers"),
    ] {
        assert_eq!(fields(inbound::service(&one(tiers.clone()))), [field], "{tiers}");
    }
    // Within a tagged form the parser knows no deeper place.
    for pricing in [json!({ "kind": "cubic", "price": "1" }), json!({ "kind": "flat" }), json!({})] {
        assert_eq!(fields(inbound::service(&json!({ "serviceId": "a", "pricing": pricing }))).len(), 1);
    }
}

#[test]
fn a_bulk_reads_each_service_by_itself() {
    let bulk = |items: Value| json!({ "items": items });
    let read = inbound::services(&bulk(json!([service(&[]), { "serviceId": "b" }, 7]))).unwrap();
    assert_eq!(read.iter().map(Result::is_ok).collect::<Vec<_>>(), [true, false, false]);
    assert!(inbound::services(&json!({ "services": [service(&[])] })).is_ok());
    assert_eq!(fields(inbound::services(&bulk(json!([])))), ["items"]);
    assert_eq!(fields(inbound::services(&json!({ "items": [], "more": 1 }))), ["more"]);
    assert!(inbound::services(&bulk(json!(vec![service(&[]); 100]))).is_ok());
    let problem = inbound::services(&bulk(json!(vec![service(&[]); 101]))).unwrap_err();
    assert_eq!((problem.status, problem.code.as_str()), (422, "bulk_too_large"));
}

#[test]
fn a_price_has_its_moment_or_none() {
    let read = inbound::price(&json!({ "price": "1", "effectiveFrom": "2026-12-01T12:00:00.000Z" })).unwrap();
    assert_eq!(read.from.unwrap().to_rfc3339(), "2026-12-01T12:00:00.000Z");
    assert_eq!(inbound::price(&json!({ "priceStroops": 3 })).unwrap().from, None);
    for (body, field) in [
        (json!({}), "price"),
        (json!({ "price": "1", "effectiveFrom": "tomorrow" }), "effectiveFrom"),
        (json!({ "price": "1", "effectiveFrom": 7 }), "effectiveFrom"),
        (json!({ "price": "1", "from": "2026-12-01T12:00:00Z" }), "from"),
    ] {
        assert_eq!(fields(inbound::price(&body)), [field], "{body}");
    }
}

#[test]
fn a_tenant_has_a_name_and_perhaps_an_address() {
    let address = "0x036CbD53842c5426634e7929541eC2318f3dCF7e";
    let read = inbound::tenant(&json!({ "name": "Weather Ltd", "payTo": address })).unwrap();
    assert_eq!(read.name.as_str(), "Weather Ltd");
    assert_eq!(read.pay_to.unwrap().as_str(), address.to_lowercase());
    assert_eq!(inbound::tenant(&json!({ "name": "W" })).unwrap().pay_to, None);
    // 0X is read as 0x is.
    let upper = inbound::tenant(&json!({ "name": "W", "payTo": address.replace("0x", "0X") })).unwrap();
    assert_eq!(upper.pay_to.unwrap().as_str(), address.to_lowercase());
    for (body, field) in [
        (json!({}), "name"),
        (json!({ "name": "" }), "name"),
        (json!({ "name": "a".repeat(121) }), "name"),
        (json!({ "name": "W", "payTo": "0x12" }), "payTo"),
        (json!({ "name": "W", "payTo": format!("0x{}", "0".repeat(40)) }), "payTo"),
        (json!({ "name": "W", "id": "ten_a" }), "id"),
    ] {
        let named = fields(inbound::tenant(&body));
        assert!(named == [field], "{body}: {named:?}");
    }
}

#[test]
fn a_key_may_record_and_read_unless_it_says_otherwise() {
    let read = inbound::key(&Value::Null).unwrap();
    assert_eq!(read.scopes.into_iter().collect::<Vec<_>>(), [Scope::UsageWrite, Scope::UsageRead]);
    let body =
        json!({ "label": "ci", "scopes": ["admin", "admin"], "rate": { "quota": 5, "windowSeconds": 60 } });
    let read = inbound::key(&body).unwrap();
    assert_eq!(read.scopes.into_iter().collect::<Vec<_>>(), [Scope::Admin]);
    assert_eq!(read.rate.unwrap().window, Millis::from_seconds(60));
    for (body, field) in [
        (json!({ "scopes": [] }), "scopes"),
        (json!({ "scopes": ["root"] }), "scopes[0]"),
        (json!({ "expiresAt": "never" }), "expiresAt"),
        (json!({ "rate": { "quota": 0, "windowSeconds": 60 } }), "rate.quota"),
        (json!({ "rate": { "quota": 1_000_001, "windowSeconds": 60 } }), "rate.quota"),
        (json!({ "rate": { "quota": 1, "windowSeconds": 3_601 } }), "rate.windowSeconds"),
        (json!({ "rate": { "quota": 1 } }), "rate.windowSeconds"),
        (json!({ "secret": "gld_test_" }), "secret"),
    ] {
        assert_eq!(fields(inbound::key(&body)), [field], "{body}");
    }
}

#[test]
fn an_overlap_is_a_day_unless_it_says_otherwise() {
    assert_eq!(inbound::rotation(&Value::Null), Ok(Millis::from_seconds(86_400)));
    assert_eq!(inbound::rotation(&json!({ "overlapSeconds": 0 })), Ok(Millis(0)));
    let most = 30 * 86_400;
    assert!(inbound::rotation(&json!({ "overlapSeconds": most })).is_ok());
    for seconds in [json!(most + 1), json!(-1), json!("60"), json!(1.5), json!(u64::MAX)] {
        assert_eq!(fields(inbound::rotation(&json!({ "overlapSeconds": seconds }))), ["overlapSeconds"]);
    }
}

#[test]
fn a_configuration_names_what_changes_within_its_bounds() {
    let read = inbound::configuration(&json!({ "bulkMaxItems": 500, "keysMax": 3 })).unwrap();
    assert_eq!((read.bulk_max, read.keys_max, read.services_max), (Some(500), Some(3), None));
    assert_eq!(inbound::configuration(&json!({ "servicesStoreMaxKeys": 9 })).unwrap().services_max, Some(9));
    for (name, value) in [
        ("bulkMaxItems", json!(0)),
        ("bulkMaxItems", json!(1_001)),
        ("bulkMaxItems", json!("500")),
        ("lateWindowSeconds", json!(35 * 86_400 + 1)),
        ("servicesMax", json!(0)),
        ("keysMax", json!(201)),
        ("endpointsMax", json!(51)),
        ("draftWaitSeconds", json!(59)),
        ("draftWaitSeconds", json!(30 * 86_400 + 1)),
        ("name", json!("")),
        ("payTo", json!("me")),
        ("eventLogCap", json!(1)),
    ] {
        assert_eq!(fields(inbound::configuration(&json!({ name: value }))), [name], "{name} {value}");
    }
    assert_eq!(fields(inbound::configuration(&json!({}))), ["body"]);
}

#[test]
fn prepaid_names_the_mandate() {
    let read = inbound::account(&json!({ "mode": "prepaid", "mandate": MANDATE })).unwrap();
    assert_eq!(read, (Mode::Prepaid, Some(MANDATE.to_lowercase())));
    assert_eq!(inbound::account(&json!({ "mode": "postpaid" })), Ok((Mode::Postpaid, None)));
    for (body, field) in [
        (json!({ "mode": "prepaid" }), "mandate"),
        (json!({ "mode": "prepaid", "mandate": "0x1" }), "mandate"),
        (json!({ "mode": "never" }), "mode"),
        (json!({ "mode": "postpaid", "balance": 1 }), "balance"),
    ] {
        assert_eq!(fields(inbound::account(&body)), [field], "{body}");
    }
    assert_eq!(inbound::mandate(&json!({ "mandate": MANDATE })), Ok(MANDATE.to_lowercase()));
}
