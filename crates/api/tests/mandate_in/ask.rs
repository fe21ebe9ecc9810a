//! Questions.

use alloy_primitives::{Address, B256};
use api::inbound::mandate::{Asked, Want, asked, budget, requested};
use mandate::UnixSeconds;
use primitives::BaseUnits;
use serde_json::{Value, json};

use crate::cast::{address, ledger, places, vector, vectors, with};

fn parts() -> Value {
    json!({ "recipient": address("provider").to_string(), "service": "translate", "amount": "7" })
}

#[test]
fn three_parts_are_a_question() {
    let Asked { mandate: None, want } = asked(&parts()).unwrap() else { panic!("names a mandate") };
    let expected = Want::Parts {
        recipient: address("provider"),
        service: eip712::mandates::service_id("translate").unwrap(),
        amount: BaseUnits(7),
        request_id: None,
        job_hash: B256::ZERO,
        deliver_by: None,
        valid_before: None,
    };
    assert_eq!(want, expected);
}

#[test]
fn more_parts_are_kept() {
    let hash = |byte| B256::repeat_byte(byte);
    let mut body = parts();
    for (name, value) in [
        ("mandate", hash(1).to_string()),
        ("requestId", hash(2).to_string()),
        ("jobHash", hash(3).to_string()),
        ("deliverBy", "2027-01-15T08:00:00Z".to_owned()),
        ("validBefore", "2027-01-15T07:00:00Z".to_owned()),
    ] {
        body[name] = json!(value);
    }
    let asked = asked(&body).unwrap();
    assert_eq!(asked.mandate, Some(hash(1)));
    let Want::Parts { request_id, job_hash, deliver_by, valid_before, .. } = asked.want else {
        panic!("is whole")
    };
    assert_eq!((request_id, job_hash), (Some(hash(2)), hash(3)));
    assert_eq!(deliver_by, Some(UnixSeconds(1_800_000_000)));
    assert_eq!(valid_before, Some(UnixSeconds(1_799_996_400)));
}

#[test]
fn a_whole_request_is_a_question_and_names_its_mandate() {
    let message = vector("PaymentRequest")["message"].clone();
    let body = json!({ "request": message });
    let whole = requested(&body, &ledger()).unwrap().request;
    let mandate = Some(whole.mandate);
    assert_eq!(asked(&body).unwrap(), Asked { mandate, want: Want::Whole(Box::new(whole)) });
    assert!(asked(&with(&body, "/mandate", message["mandate"].clone())).is_ok());
    for (pointer, value, place) in [
        ("/mandate", json!(B256::ZERO.to_string()), "mandate"),
        ("/amount", json!("7"), "request"),
        ("/validBefore", json!("2027-01-15T07:00:00Z"), "request"),
        ("/request/maxAmount", json!("x"), "request.maxAmount"),
        ("/signature", json!("0x00"), "signature"),
    ] {
        assert_eq!(places(asked(&with(&body, pointer, value))), [place], "{pointer}");
    }
}

#[test]
fn every_fault_of_a_question_has_its_place() {
    assert_eq!(places(asked(&json!({}))), ["recipient", "service", "amount"]);
    for (pointer, value, place) in [
        ("/recipient", json!("x"), "recipient"),
        ("/recipient", Value::Null, "recipient"),
        ("/service", json!("Ü"), "service"),
        ("/amount", json!(7), "amount"),
        ("/amount", json!("-7"), "amount"),
        ("/requestId", json!("7"), "requestId"),
        ("/jobHash", json!("7"), "jobHash"),
        ("/deliverBy", json!("soon"), "deliverBy"),
        ("/validBefore", json!("1800000000"), "validBefore"),
        ("/mandate", json!("mine"), "mandate"),
        ("/approval", json!("0x"), "approval"),
    ] {
        assert_eq!(places(asked(&with(&parts(), pointer, value))), [place], "{pointer}");
    }
}

/// What a rule has a word for is left to the rule.
#[test]
fn zeros_are_left_to_the_rules() {
    let zero = json!({
        "recipient": Address::ZERO.to_string(), "service": B256::ZERO.to_string(), "amount": "0",
    });
    assert!(asked(&zero).is_ok());
    assert!(asked(&with(&parts(), "/amount", json!(u128::MAX.to_string()))).is_ok());
}

#[test]
fn services_have_the_ids_that_viem_gives_them() {
    for service in vectors()["services"].as_array().unwrap() {
        for text in [&service["name"], &service["id"]] {
            let pairs = [("service", text.as_str().unwrap().to_owned())];
            let (recipient, id) = budget(pairs.into_iter()).unwrap();
            assert_eq!(
                (recipient, id.to_string()),
                (Address::ZERO, service["id"].as_str().unwrap().to_owned())
            );
        }
    }
}

#[test]
fn a_budget_is_asked_for_anyone_or_for_whom_is_named() {
    assert_eq!(budget([].into_iter()).unwrap(), (Address::ZERO, B256::ZERO));
    let provider = address("provider");
    let pairs = [("recipient", format!("{provider:#x}"))];
    assert_eq!(budget(pairs.into_iter()).unwrap(), (provider, B256::ZERO));
    let pairs = [("recipient", "x"), ("service", "X"), ("color", "red")];
    let problem = budget(pairs.map(|(name, text)| (name, text.to_owned())).into_iter()).unwrap_err();
    assert_eq!((problem.status, problem.code.as_str()), (400, "malformed"));
    let fields: Vec<_> = problem.errors.iter().map(|fault| fault.field.as_str()).collect();
    assert_eq!(fields, ["recipient", "service", "color"]);
}
