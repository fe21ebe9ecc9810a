//! What an executor comes back with.

use api::inbound::run::{browser_result, progress};
use executor::Progress;
use primitives::{Digest, UnixMillis};
use run::{BrowserResult, Cart, Cents, Evidence, Item, Line, OrderEvidence, PixTarget};
use serde_json::{Value, json};

use crate::cast::*;

#[test]
fn a_cart_is_read_line_by_line() {
    let line = |name: &str, amount| Line { name: name.to_owned(), amount: Cents(amount) };
    let cart = Cart {
        merchant: "Mercado Azul".to_owned(),
        items: vec![Item {
            product: "Coca-Cola 2L".to_owned(),
            quantity: 2,
            unit_price: Cents(899),
            total: Cents(1_798),
        }],
        fees: vec![line("delivery", 500)],
        discounts: vec![line("coupon", 100)],
        total: Cents(2_198),
        eta_minutes: Some(35),
    };
    let expected = BrowserResult::Quote { cart, captured_at: NOW, page: "ifood/cart".to_owned() };
    assert_eq!(browser_result(&quote()).unwrap(), ("cmd_5".to_owned(), expected.clone()));
    let as_integers =
        with(&with(&quote(), "/quote/totalCents", json!(2_198)), "/quote/fees/0/amountCents", json!(500));
    assert_eq!(browser_result(&as_integers).unwrap().1, expected);
    let least = without(&without(&without(&quote(), "/quote/fees"), "/quote/discounts"), "/quote/etaMinutes");
    let BrowserResult::Quote { cart, .. } = browser_result(&least).unwrap().1 else { panic!() };
    assert_eq!((cart.fees.len(), cart.discounts.len(), cart.eta_minutes), (0, 0, None));
}

#[test]
fn every_fault_of_a_cart_has_its_place() {
    let item = quote()["quote"]["items"][0].clone();
    let fee = quote()["quote"]["fees"][0].clone();
    for (pointer, value, place) in [
        ("/type", json!("quote"), "type"),
        ("/type", json!("CLICK"), "type"),
        ("/type", json!(""), "type"),
        ("/type", Value::Null, "type"),
        ("/commandId", Value::Null, "commandId"),
        ("/quote", json!([]), "quote"),
        ("/quote/items", json!({}), "quote.items"),
        ("/quote/items/0/quantity", json!("2"), "quote.items[0].quantity"),
        ("/commandId", json!(""), "commandId"),
        ("/commandId", json!("cmd 5"), "commandId"),
        ("/commandId", json!("x".repeat(65)), "commandId"),
        ("/capturedAt", json!("2027-01-01"), "capturedAt"),
        ("/pageRef", json!(""), "pageRef"),
        ("/pageRef", json!("https://shop.example/cart?session=1"), "pageRef"),
        ("/pageRef", json!("https://me@shop.example/cart"), "pageRef"),
        ("/quote/merchantName", json!("x".repeat(201)), "quote.merchantName"),
        ("/quote/merchantName", json!("a\r\nb"), "quote.merchantName"),
        ("/quote/items", json!(vec![item.clone(); 21]), "quote.items"),
        ("/quote/fees", json!(vec![fee.clone(); 21]), "quote.fees"),
        ("/quote/discounts", json!(vec![fee; 21]), "quote.discounts"),
        ("/quote/items/0/product", json!(" "), "quote.items[0].product"),
        ("/quote/items/0/unitPriceCents", json!("8.99"), "quote.items[0].unitPriceCents"),
        ("/quote/items/0/totalCents", json!("1000000000001"), "quote.items[0].totalCents"),
        ("/quote/fees/0/name", json!(""), "quote.fees[0].name"),
        ("/quote/discounts/0/amountCents", json!(-100), "quote.discounts[0].amountCents"),
        ("/quote/totalCents", Value::Null, "quote.totalCents"),
        ("/quote/etaMinutes", json!(-1), "quote.etaMinutes"),
        ("/quote/address", json!("Rua 1"), "quote.address"),
        ("/cookies", json!([]), "cookies"),
    ] {
        assert_eq!(
            places(browser_result(&with(&quote(), pointer, value.clone()))),
            [place],
            "{pointer} {value}"
        );
    }
    for pointer in ["/type", "/commandId", "/quote", "/capturedAt", "/pageRef", "/quote/items/0/quantity"] {
        let place = pointer[1..].replace("/0/", "[0].").replace('/', ".");
        assert_eq!(places(browser_result(&without(&quote(), pointer))), [place.as_str()], "{pointer}");
    }
    assert_eq!(places(browser_result(&json!("QUOTE"))), ["body"]);
    let two = with(&quote(), "/quote/items", json!([item.clone(), with(&item, "/product", json!(""))]));
    assert_eq!(places(browser_result(&two)), ["quote.items[1].product"]);
}

#[test]
fn of_a_pix_code_only_the_digest_goes_on() {
    let (command_id, result) = browser_result(&pix()).unwrap();
    let target = PixTarget {
        amount: Cents(1_990),
        evidence: Evidence::PixCode,
        expires_at: Some(UnixMillis(NOW.0 + 900_000)),
        payload_digest: Some(Digest::of(&[CODE.as_bytes()])),
    };
    assert_eq!((command_id.as_str(), &result), ("cmd_9", &BrowserResult::Pix(target)));
    assert!(!serde_json::to_string(&result).unwrap().contains("br.gov.bcb.pix"));
    let both = with(&pix(), "/payloadDigest", json!(Digest::of(&[CODE.as_bytes()])));
    assert_eq!(browser_result(&both).unwrap().1, result);
    assert_eq!(browser_result(&without(&both, "/payload")).unwrap().1, result);
    let selected =
        json!({ "type": "PIX", "commandId": "cmd_9", "amountCents": 1990, "evidence": "pix-selected" });
    let target = PixTarget {
        amount: Cents(1_990),
        evidence: Evidence::PixSelected,
        expires_at: None,
        payload_digest: None,
    };
    assert_eq!(browser_result(&selected).unwrap().1, BrowserResult::Pix(target));
}

/// No fault shows a code: faults are logged and shown.
#[test]
fn a_code_that_is_wrong_is_refused_and_not_repeated() {
    let recurring = format!(
        "{}6304",
        &CODE[..CODE.len() - 8].replace("62070503***", "62070503***80260014br.gov.bcb.pix2504a.b/")
    );
    let recurring = format!("{recurring}{:04X}", pix::crc16(recurring.as_bytes()));
    for (pointer, value, place) in [
        ("/payload", json!(CODE.replace("19.90", "29.90")), "payload"),
        ("/payload", json!(CODE.to_ascii_uppercase()), "payload"),
        ("/payload", json!(recurring), "payload"),
        ("/payload", json!("x".repeat(600)), "payload"),
        ("/payload", json!(""), "payload"),
        ("/amountCents", json!("1991"), "amountCents"),
        ("/payloadDigest", json!(Digest::ZERO), "payloadDigest"),
        ("/payloadDigest", json!("none"), "payloadDigest"),
        ("/evidence", json!("pix-selected"), "evidence"),
        ("/expiresAt", json!("soon"), "expiresAt"),
    ] {
        let problem = browser_result(&with(&pix(), pointer, value.clone())).unwrap_err();
        let shown = serde_json::to_string(&problem).unwrap();
        for part in ["br.gov.bcb.pix", "Fulano", "426655440000", "8677"] {
            assert!(!shown.contains(part), "{pointer}: {shown}");
        }
        assert!(problem.errors.iter().any(|fault| fault.field == place), "{pointer} {value}: {shown}");
    }
    assert_eq!(places(browser_result(&without(&pix(), "/payload"))), ["payloadDigest"]);
}

#[test]
fn what_has_a_reason_has_one_that_people_can_read() {
    for (kind, made) in [
        ("NEEDS_USER", BrowserResult::NeedsUser { reason: "Log in.".to_owned() }),
        ("UNAVAILABLE", BrowserResult::Unavailable { reason: "Log in.".to_owned() }),
        ("ERROR", BrowserResult::Error { reason: "Log in.".to_owned() }),
    ] {
        let body = json!({ "type": kind, "commandId": "cmd_5", "reason": "Log in." });
        assert_eq!(browser_result(&body).unwrap(), ("cmd_5".to_owned(), made));
        for bad in ["", "a\u{1b}[2Jb", &"x".repeat(501), "a\u{2066}b"] {
            assert_eq!(places(browser_result(&with(&body, "/reason", json!(bad)))), ["reason"], "{bad:?}");
        }
        assert_eq!(places(browser_result(&without(&body, "/reason"))), ["reason"]);
    }
}

#[test]
fn an_order_is_confirmed_or_not() {
    for confirmed in [true, false] {
        let body = json!({ "type": "ORDER", "commandId": "cmd_9", "confirmed": confirmed, "evidence": "Pedido 4711" });
        let evidence = OrderEvidence { confirmed, evidence: "Pedido 4711".to_owned() };
        assert_eq!(browser_result(&body).unwrap().1, BrowserResult::Order(evidence));
        assert_eq!(places(browser_result(&with(&body, "/evidence", json!("")))), ["evidence"]);
    }
}

#[test]
fn only_what_is_no_end_is_progress() {
    let of = |body: Value| progress(&browser_result(&body).unwrap().1);
    assert_eq!(of(json!({ "type": "STARTED", "commandId": "c" })), Some(Progress::Started));
    assert_eq!(
        of(json!({ "type": "NEEDS_USER", "commandId": "c", "reason": "x" })),
        Some(Progress::NeedsUser)
    );
    for body in [
        quote(),
        pix(),
        json!({ "type": "ERROR", "commandId": "c", "reason": "x" }),
        json!({ "type": "UNAVAILABLE", "commandId": "c", "reason": "x" }),
        json!({ "type": "ORDER", "commandId": "c", "confirmed": true, "evidence": "x" }),
    ] {
        assert_eq!(of(body), None);
    }
}
