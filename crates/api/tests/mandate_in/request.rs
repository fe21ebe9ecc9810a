//! The message that an agent signs.

use api::binding::Caller;
use api::inbound::mandate::requested;
use api::outbound::mandate::message;
use eip712::mandates::{Signed as _, payment_id};
use mandate::{By, Signature};
use serde_json::{Value, json};

use crate::cast::{
    address, assert_of, ledger, other_domains, places, signature_of, signed, vector, vectors, with,
};

fn body() -> Value {
    let vector = vector("PaymentRequest");
    json!({ "request": vector["message"], "signature": vector["signature"] })
}

/// Both of viem's requests, the second with the largest number in every field.
#[test]
fn a_message_has_the_name_and_the_signer_that_viem_gives_it() {
    let vectors = vectors();
    let structs = vectors["structs"].as_array().unwrap();
    let requests: Vec<_> = structs.iter().filter(|one| one["type"] == "PaymentRequest").collect();
    assert_eq!(requests.len(), 2);
    for one in requests {
        let body = json!({ "request": one["message"], "signature": one["signature"] });
        let requested = requested(&body, &ledger()).unwrap();
        assert_eq!(requested.request.payment.to_string(), one["structHash"]);
        let signed = requested.signed.unwrap();
        assert_eq!(signed.digest.to_string(), one["digest"]);
        assert_of(signed.signature, one["signer"].as_str().unwrap());
        let message = message(&requested.request);
        assert_eq!(payment_id(&message).to_string(), one["structHash"]);
    }
}

#[test]
fn numbers_are_integers_or_texts() {
    let plain = requested(&body(), &ledger()).unwrap();
    for (pointer, value) in [
        ("/request/policyVersion", json!(1)),
        ("/request/maxAmount", json!(120_000_000)),
        ("/request/validAfter", json!("1800000000")),
        ("/request/terms/challengePeriod", json!("3600")),
        ("/request/terms/silenceBps", json!("2500")),
    ] {
        assert_eq!(requested(&with(&body(), pointer, value), &ledger()).unwrap(), plain, "{pointer}");
    }
}

#[test]
fn every_fault_of_a_message_has_its_place() {
    for (pointer, value, place) in [
        ("/request/mandate", json!("0x12"), "request.mandate"),
        ("/request/policyVersion", json!("01"), "request.policyVersion"),
        ("/request/policyVersion", json!("18446744073709551616"), "request.policyVersion"),
        ("/request/policyVersion", json!(-1), "request.policyVersion"),
        ("/request/policyVersion", json!(1.0), "request.policyVersion"),
        ("/request/requestId", json!("order-7"), "request.requestId"),
        ("/request/token", json!("USDC"), "request.token"),
        ("/request/maxAmount", json!("1.5"), "request.maxAmount"),
        ("/request/maxAmount", json!("0x10"), "request.maxAmount"),
        ("/request/maxAmount", json!("340282366920938463463374607431768211456"), "request.maxAmount"),
        ("/request/maxAmount", json!(""), "request.maxAmount"),
        ("/request/recipient", Value::Null, "request.recipient"),
        ("/request/service", json!("translate"), "request.service"),
        ("/request/jobHash", Value::Null, "request.jobHash"),
        ("/request/validAfter", json!(281_474_976_710_656_u64), "request.validAfter"),
        ("/request/validBefore", json!("2027-01-15T08:00:00Z"), "request.validBefore"),
        ("/request/deliverBy", json!(true), "request.deliverBy"),
        ("/request/captureBy", json!("281474976710656"), "request.captureBy"),
        ("/request/refundBy", json!(null), "request.refundBy"),
        ("/request/terms", json!([]), "request.terms"),
        ("/request/terms/challengePeriod", json!(4_294_967_296_u64), "request.terms.challengePeriod"),
        ("/request/terms/silenceBps", json!("65536"), "request.terms.silenceBps"),
        ("/request/terms/resolver", json!("nobody"), "request.terms.resolver"),
        ("/request/terms/color", json!(1), "request.terms.color"),
        ("/request/memo", json!("x"), "request.memo"),
        ("/approval", json!({}), "approval"),
        ("/signature", json!("0x"), "signature"),
        ("/signature", json!("0x123"), "signature"),
        ("/signature", json!("1b"), "signature"),
        ("/signature", json!("0xzz"), "signature"),
        ("/signature", json!("0x0x1b"), "signature"),
        ("/signature", json!(format!("0x{}", "00".repeat(4_097))), "signature"),
    ] {
        let read = requested(&with(&body(), pointer, value.clone()), &ledger());
        assert_eq!(places(read), [place], "{pointer} {value}");
    }
}

#[test]
fn a_signature_for_anything_else_is_not_the_agents() {
    let read = |signature: Value| {
        let body = with(&body(), "/signature", signature);
        requested(&body, &ledger()).unwrap().signed.unwrap().signature
    };
    let request = requested(&body(), &ledger()).unwrap().request;
    assert_of(read(json!(signed("agent", message(&request).digest(&ledger().domain())))), "agent");
    for domain in other_domains() {
        let signature = read(json!(signed("agent", message(&request).digest(&domain))));
        assert!(!matches!(signature, Signature::Of(of) if of == address("agent")), "{domain:?}");
    }
    for pointer in ["/request/maxAmount", "/request/deliverBy", "/request/terms/silenceBps"] {
        let changed = with(&body(), pointer, json!(7));
        let signature = requested(&changed, &ledger()).unwrap().signed.unwrap().signature;
        assert!(!matches!(signature, Signature::Of(of) if of == address("agent")), "{pointer}");
    }
    assert_eq!(read(json!(format!("0x{}", "11".repeat(64)))), Signature::Bad);
    assert_eq!(read(json!(format!("0x{}", "00".repeat(65)))), Signature::Bad);
    assert_eq!(read(json!(format!("0x{}", "11".repeat(4_096)))), Signature::Bad);
}

#[test]
fn a_session_is_no_agents_signature() {
    let agent = address("agent");
    let unsigned = requested(&with(&body(), "/signature", Value::Null), &ledger()).unwrap();
    assert_eq!(unsigned.by(&signature_of(agent)).unwrap(), By::caller(agent));
    for caller in [Caller::Anyone, Caller::Session(agent)] {
        let problem = unsigned.by(&caller).unwrap_err();
        assert_eq!((problem.status, problem.code.as_str()), (401, "missing_credentials"));
        let by = requested(&body(), &ledger()).unwrap().by(&caller).unwrap();
        assert!(by.caller.is_zero());
        assert_of(by.signature, "agent");
    }
}

#[test]
fn a_contract_is_asked_about_what_came_and_believed() {
    let signed = requested(&body(), &ledger()).unwrap().signed.unwrap();
    let question = signed.question(address("owner"));
    let vector = vector("PaymentRequest");
    assert_eq!(question.digest.to_string(), vector["digest"]);
    assert_eq!(alloy_primitives::hex::encode_prefixed(question.signature), vector["signature"]);
    assert_of(signed.vouched(address("owner")).signature, "owner");
}
