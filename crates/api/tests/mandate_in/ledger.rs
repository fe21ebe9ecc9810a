//! What a deployment's mandates are kept and signed for.

use alloy_primitives::{Address, keccak256};
use api::settings::{Environment, Ledger, Settings};
use eip712::mandates;

use crate::cast::{address, ledger, vectors};

pub(crate) fn settings(set: &[(&str, &str)]) -> Settings {
    let fixed =
        [("X402_PAY_TO", "0x209693Bc6afc0C5328bA36FaF03C514EF312287C"), ("FACILITATOR_MODE", "binding")];
    let get = |name: &str| {
        let value = set.iter().chain(&fixed).find(|(known, _)| *known == name)?.1;
        Some(value.to_owned())
    };
    Settings::read(&get).unwrap()
}

#[test]
fn a_ledger_is_named_after_its_site_and_in_the_payments_token() {
    assert_eq!(settings(&[]).ledger, None);
    let origin = "https://guildhall.example";
    let ledger = |set: &[(&str, &str)]| settings(&[&[("SITE_ORIGIN", origin)], set].concat()).ledger.unwrap();
    let hash = keccak256(b"guildhall ledger v1\0https://guildhall.example");
    let expected = Ledger {
        chain_id: 84_532,
        address: Address::from_slice(&hash[12..]),
        token: "0x036CbD53842c5426634e7929541eC2318f3dCF7e".parse().unwrap(),
    };
    assert_eq!(ledger(&[]), expected);
    assert_eq!(ledger(&[]).domain(), mandates::domain(84_532, expected.address));
    let base = ledger(&[("X402_NETWORK", "eip155:8453"), ("ENVIRONMENT", "production")]);
    assert_eq!((base.chain_id, base.address), (8_453, expected.address));
    assert_eq!(base.token, "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913".parse::<Address>().unwrap());
    let other = settings(&[("SITE_ORIGIN", "https://guildhall.test")]).ledger.unwrap();
    assert_ne!(other.address, expected.address);
}

#[test]
fn money_is_real_in_production_alone() {
    assert_eq!(settings(&[]).environment, Environment::Development);
    assert_eq!(settings(&[("ENVIRONMENT", "production")]).environment, Environment::Production);
}

#[test]
fn mandates_have_the_ids_that_viem_gives_them() {
    for one in vectors()["mandates"].as_array().unwrap() {
        assert_eq!(one["owner"], address("owner").to_string());
        let salt = one["salt"].as_str().unwrap().parse().unwrap();
        assert_eq!(ledger().mandate_id(address("owner"), salt).to_string(), one["id"]);
    }
}
