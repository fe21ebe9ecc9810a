//! Typed data against viem, which hashed it from its JSON.

use api::inbound::mandate::requested;
use api::outbound::mandate::{message, typed_data};
use api::settings::Ledger;
use eip712::mandates::{Approval, PaymentRequest, Signed, U48};
use eip712::{Address, B256};
use serde_json::{Value, json};

fn vectors(of: &str) -> Vec<Value> {
    let all: Value = serde_json::from_str(include_str!("../../../../tests/vectors/typed_data.json")).unwrap();
    all[of].as_array().unwrap().clone()
}

fn parsed<T: core::str::FromStr<Err: core::fmt::Debug>>(value: &Value) -> T {
    value.as_str().unwrap().parse().unwrap()
}

fn ledger(vector: &Value) -> Ledger {
    let domain = &vector["typedData"]["domain"];
    let address: Address = parsed(&domain["verifyingContract"]);
    Ledger { chain_id: domain["chainId"].as_u64().unwrap(), address, token: Address::ZERO }
}

/// The message as it would come back in a body.
fn read(shown: &Value, ledger: &Ledger) -> PaymentRequest {
    message(&requested(&json!({ "request": shown }), ledger).unwrap().request)
}

/// The order of a struct's fields matters; that of the keys of a JSON object does not.
#[test]
fn requests_are_shown_as_viem_hashes_them() {
    for vector in vectors("requests") {
        let (ledger, expected) = (ledger(&vector), &vector["typedData"]);
        let request = read(&expected["message"], &ledger);
        assert_eq!(&typed_data(&request, &ledger.domain()), expected);
        assert_eq!(request.digest(&ledger.domain()), parsed::<B256>(&vector["digest"]));
    }
}

#[test]
fn approvals_are_shown_as_viem_hashes_them() {
    for vector in vectors("approvals") {
        let (ledger, expected) = (ledger(&vector), &vector["typedData"]);
        let said = &expected["message"];
        let approval = Approval {
            request: read(&said["request"], &ledger),
            approver: parsed(&said["approver"]),
            validBefore: U48::from(said["validBefore"].as_u64().unwrap()),
        };
        assert_eq!(&typed_data(&approval, &ledger.domain()), expected);
        assert_eq!(approval.digest(&ledger.domain()), parsed::<B256>(&vector["digest"]));
    }
}

#[test]
fn there_are_three_of_each_and_all_differ() {
    let digests: std::collections::BTreeSet<_> = ["requests", "approvals"]
        .iter()
        .flat_map(|of| vectors(of))
        .map(|vector| vector["digest"].to_string())
        .collect();
    assert_eq!(digests.len(), 6);
}
