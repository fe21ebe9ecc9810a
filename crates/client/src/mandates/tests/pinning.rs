//! Nothing is signed for another chain, another ledger or another domain than the caller's.

use serde_json::{Value, json};

use super::cast::*;
use crate::{Guildhall, double::Double};

#[tokio::test]
async fn a_board_of_another_chain_or_domain_is_refused() {
    let cases: [(&str, Value, &str); 6] = [
        ("/chainId", json!(1), "chain 1"),
        ("/eip712Domain/chainId", json!(1), "chain 84532 is asked for"),
        ("/eip712Domain/name", json!("Mandates"), "is not the domain"),
        ("/eip712Domain/version", json!("2"), "is not the domain"),
        ("/eip712Domain/verifyingContract", json!(PROVIDER), "is not the domain"),
        ("/ledger", json!("0x12"), "no address"),
    ];
    for (place, value, why) in cases {
        let mut said = status();
        *said.pointer_mut(place).unwrap() = value;
        let double = Double::start(vec![yes(&said)]).await;
        is_outside(Guildhall::new(&double.url).unwrap().mandates(CHAIN).await, why);
    }
    let double = Double::start(vec![yes(&status())]).await;
    is_outside(Guildhall::new(&double.url).unwrap().mandates(1).await, "chain 1 is asked for");
}

#[tokio::test]
async fn a_mandate_of_another_ledger_is_refused() {
    for place in ["/ledger", "/token"] {
        let mut said = mandate();
        *said.pointer_mut(place).unwrap() = json!(PROVIDER);
        let (ledger, _double) = ledger(vec![yes(&said)]).await;
        is_outside(ledger.mandate(mandate_id()).await, "mandate of chain");
    }
    let mut said = mandate();
    said["chainId"] = json!(1);
    let (ledger, _double) = ledger(vec![yes(&said)]).await;
    is_outside(ledger.mandate(mandate_id()).await, "chain 1");
}

#[tokio::test]
async fn what_is_public_is_asked_for_without_a_signature() {
    let (ledger, double) = ledger(vec![yes(&mandate())]).await;
    assert_eq!(ledger.mandate(mandate_id()).await.unwrap().policy_version, 3);
    assert!(double.asked().iter().all(|asked| asked.header("signature").is_none()));
}
