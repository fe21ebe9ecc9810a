//! What a payment must be.

use api::binding::{Order, Pay, Proof};
use api::paywall::{Offer, Purchase, Signatures, Unsold, bill, judge, resource};
use primitives::{BaseUnits, Digest, GigId, MeterId, SettlementId};
use serde_json::{Value, json};
use x402::PaymentPayload;

use crate::cast::*;

fn taken(offer: &Offer, payment: PaymentPayload) -> Purchase {
    judge(offer, payment, bought("a"), Signatures::OfKeys, NOW).unwrap()
}

/// The status, the code, and the challenge's error, if there is one.
fn refused(payment: PaymentPayload, signatures: Signatures) -> (u16, String, Option<String>) {
    match judge(&offer(), payment, bought("a"), signatures, NOW).unwrap_err() {
        Unsold::Challenge { problem, error } => (problem.status, problem.code, Some(error)),
        Unsold::Declined(problem) => (problem.status, problem.code, None),
        Unsold::Unsettled { .. } => panic!("nobody was asked to settle"),
    }
}

fn challenged(error: &str) -> (u16, String, Option<String>) {
    (402, "payment_invalid".to_owned(), Some(error.to_owned()))
}

#[test]
fn a_good_payment_is_carried_word_for_word_against_our_own_terms() {
    let (offer, payment) = (offer(), pay(&offer(), 1, 1));
    let purchase = taken(&offer, payment.clone());
    let sent: Value = serde_json::from_str(&purchase.binding.authorization.0).unwrap();
    assert_eq!(sent["paymentPayload"], serde_json::to_value(&payment).unwrap());
    assert_eq!(sent["paymentRequirements"], serde_json::to_value(offer.requirements()).unwrap());
    assert_eq!(purchase.binding.valid_before.0, (NOW.seconds() + 300) * 1_000);
    assert_eq!((purchase.proof, purchase.name), (Proof::Shown, None));
    assert_eq!(purchase.resource, bought("a"));
}

#[test]
fn a_resource_is_its_method_path_and_body() {
    let of = |method, path, body: Value| resource(method, path, &body);
    let one = of("POST", "/a", json!({ "x": 1, "y": 2 }));
    assert_eq!(one, of("POST", "/a", json!({ "y": 2, "x": 1 })), "whatever the order of its fields");
    for other in [
        of("PUT", "/a", json!({ "x": 1, "y": 2 })),
        of("POST", "/b", json!({ "x": 1, "y": 2 })),
        of("POST", "/a", json!({ "x": 1 })),
        of("POST", "/a", Value::Null),
    ] {
        assert_ne!(one, other);
    }
}

/// S2, S6: what is paid, to whom and for which bill follows from the bill alone.
#[test]
fn a_payment_for_one_bill_pays_for_no_other() {
    let meter = MeterId::derive(&[b"meter"]);
    let [one, other] = [b"one", b"two"].map(|own| SettlementId::derive(&meter, &[own.as_slice()]));
    let asset = offer().till.asset;
    let payee = "0x00000000000000000000000000000000000000aa";
    let bill = |id: &SettlementId, amount| bill(asset.clone(), payee.to_owned(), id, BaseUnits(amount));
    let offer = bill(&one, 123_456_789);
    let requirements = offer.requirements();
    assert_eq!((requirements.amount.as_str(), requirements.pay_to.as_str()), ("123456789", payee));
    assert_eq!(offer.path, format!("/v1/settlements/{one}/pay"));
    let of = |offer: &Offer| resource(offer.method, &offer.path, &Value::Null);
    assert_ne!(of(&offer), of(&bill(&other, 123_456_789)));
    let judged = |payment, offer: &Offer| judge(offer, payment, of(offer), Signatures::OfKeys, NOW);
    assert!(judged(pay(&offer, 1, 1), &offer).is_ok());
    let Err(Unsold::Challenge { error, .. }) = judged(pay(&offer, 1, 1), &bill(&one, 5)) else {
        panic!("a payment of another amount is taken")
    };
    assert_eq!(error, "invalid_payment_requirements");
    let target = Order::Settlement(one.clone()).target();
    assert_eq!((target.kind.as_str(), target.name), ("settlement", one.to_string()));
}

#[test]
fn a_name_stands_for_who_pays_how_much_to_whom_for_what() {
    let offer = offer();
    let name = |offer: &Offer, key, nonce, what| {
        let payment = named(pay(offer, key, nonce), json!("order-0123456789abcdef"));
        judge(offer, payment, bought(what), Signatures::OfKeys, NOW).unwrap().name.unwrap()
    };
    let one = name(&offer, 1, 1, "a");
    assert_eq!(one, name(&offer, 1, 2, "a"), "another signature of the same payer's changes nothing");
    let mut dearer = offer.clone();
    dearer.price = BaseUnits(20_000);
    let mut elsewhere = offer.clone();
    elsewhere.till.pay_to = "0x0000000000000000000000000000000000000001".to_owned();
    let mut other_chain = offer.clone();
    other_chain.till.asset.network = "eip155:8453".to_owned();
    let mut other_token = offer.clone();
    other_token.till.asset.address = "0x0000000000000000000000000000000000000002".to_owned();
    for other in [
        name(&offer, 2, 1, "a"),
        name(&offer, 1, 1, "b"),
        name(&dearer, 1, 1, "a"),
        name(&elsewhere, 1, 1, "a"),
        name(&other_chain, 1, 1, "a"),
        name(&other_token, 1, 1, "a"),
    ] {
        assert_eq!(one.digest, other.digest, "the same name is kept in the same place");
        assert_ne!(one.fingerprint, other.fingerprint);
    }
}

#[test]
fn a_name_that_is_none_is_a_fault_of_the_request_and_no_reason_to_pay_again() {
    for id in [json!("too-short"), json!("x".repeat(129)), json!("order 0123456789abcdef"), json!(7)] {
        let answer = refused(named(pay(&offer(), 1, 1), id.clone()), Signatures::OfKeys);
        assert_eq!(answer, (400, "invalid_payment_identifier".to_owned(), None), "{id}");
    }
    for id in [json!("x".repeat(16)), json!("x".repeat(128)), json!("A-Z_a-z_0123456789")] {
        assert!(taken(&offer(), named(pay(&offer(), 1, 1), id)).name.is_some());
    }
    assert_eq!(taken(&offer(), named(pay(&offer(), 1, 1), Value::Null)).name, None);
}

#[test]
fn what_is_advertised_may_be_left_out_or_added_to_and_not_changed() {
    let offer = offer();
    let with = |change: &dyn Fn(&mut Value)| {
        let mut extensions = Value::Object(offer.extensions.clone());
        change(&mut extensions);
        let mut payment = pay(&offer, 1, 1);
        payment.extensions = extensions.as_object().cloned();
        payment
    };
    for good in [
        with(&|_| ()),
        with(&|all| all["payment-identifier"]["info"]["id"] = json!("order-0123456789abcdef")),
        with(&|all| all["bazaar"]["info"]["note"] = json!("mine")),
        with(&|all| drop(all.as_object_mut().unwrap().remove("bazaar"))),
    ] {
        taken(&offer, good);
    }
    for bad in [
        with(&|all| all["payment-identifier"]["info"]["required"] = json!(true)),
        with(&|all| all["bazaar"]["info"]["input"]["method"] = json!("GET")),
        with(&|all| drop(all["bazaar"]["info"].as_object_mut().unwrap().remove("output"))),
    ] {
        assert_eq!(refused(bad, Signatures::OfKeys), challenged("extension_echo_mismatch"));
    }
}

#[test]
fn a_contracts_signature_is_neither_believed_nor_refused_where_a_chain_can_be_asked() {
    let signed = |signature: Value| {
        let mut payment = pay(&offer(), 1, 1);
        payment.payload.insert("signature".to_owned(), signature);
        payment
    };
    for payment in
        [signed(json!(format!("0x{}", "ab".repeat(200)))), signed(json!(format!("0x{}", "1b".repeat(65))))]
    {
        let signatures = Signatures::OfKeys;
        assert_eq!(refused(payment.clone(), signatures), challenged("invalid_exact_evm_signature"));
        let purchase = judge(&offer(), payment, bought("a"), Signatures::OfAnyAccount, NOW).unwrap();
        assert_eq!(purchase.proof, Proof::Open);
    }
    let key = judge(&offer(), pay(&offer(), 1, 1), bought("a"), Signatures::OfAnyAccount, NOW).unwrap();
    assert_eq!(key.proof, Proof::Shown);
}

#[test]
fn an_order_names_its_target_and_a_message_says_who_pays() {
    let purchase = taken(&offer(), pay(&offer(), 1, 1));
    let posting = api::inbound::posting(&json!({
        "message_id": "m", "sender": "buyer", "type": "TaskDelegation",
        "payload": {
            "title": "t", "description": "d", "task_type": "custom", "task_params": {}, "bounty_sats": 1,
            "ttl_minutes": 1,
        },
    }));
    let terms = posting.unwrap().terms(&purchase.payer, primitives::Millis(1), primitives::Millis(1));
    let gig: GigId = terms.gig_id;
    let order = Order::Gig { terms: Box::new(terms), grant: Digest::ZERO };
    let target = order.target();
    assert_eq!((target.kind.as_str(), target.name), (Order::GIG, gig.to_string()));

    let pay = purchase.pay(order, "c".parse().unwrap());
    let mut text = serde_json::to_value(&pay).unwrap();
    text.as_object_mut().unwrap().remove("proof");
    let read: Pay = serde_json::from_value(text).unwrap();
    assert_eq!(
        read.proof,
        Proof::Shown,
        "a message without the field is of an edge that has recovered the payer"
    );
    assert_eq!(read.payment, purchase.binding.payment);
}
