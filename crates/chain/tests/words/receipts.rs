//! Receipts and logs: what counts as a transfer, and what is refused.

use chain::rpc::{logs, receipt};
use chain::{Filter, Receipt};
use eip712::U256;
use serde_json::{Value, json};

use crate::{address, hash, known};

const ASSET: u8 = 0xa0;
const FROM: u8 = 0xf0;
const TO: u8 = 0x70;
const TRANSACTION: u8 = 0x01;

fn padded(byte: u8) -> String {
    format!("0x{}{}", "00".repeat(12), hex::encode([byte; 20]))
}

fn transfer_log() -> Value {
    json!({
        "address": address(ASSET).to_string(),
        "topics": [known()["transferTopic"], padded(FROM), padded(TO)],
        "data": format!("0x{:064x}", 10_000),
        "blockHash": hash(2).to_string(),
        "blockNumber": "0x10",
        "transactionHash": hash(TRANSACTION).to_string(),
        "logIndex": "0x0",
        "removed": false,
    })
}

fn receipt_json() -> Value {
    json!({
        "transactionHash": hash(TRANSACTION).to_string(),
        "blockNumber": "0x10",
        "blockHash": hash(2).to_string(),
        "status": "0x1",
        "gasUsed": "0x14c08",
        "effectiveGasPrice": "0x77359400",
        "logs": [transfer_log()],
        "type": "0x2",
        "contractAddress": null,
    })
}

fn read(json: &Value) -> Result<Option<Receipt>, primitives::Malformed> {
    receipt(hash(TRANSACTION)).read(json)
}

fn transfers(json: &Value) -> bool {
    read(json).unwrap().unwrap().transfers(address(ASSET), address(FROM), address(TO), U256::from(10_000))
}

#[test]
fn a_receipt_in_our_words() {
    let receipt = read(&receipt_json()).unwrap().unwrap();
    assert_eq!((receipt.transaction_hash, receipt.block_hash), (hash(TRANSACTION), hash(2)));
    assert_eq!((receipt.block_number, receipt.gas_used, receipt.succeeded), (16, 85_000, true));
    assert_eq!(receipt.effective_gas_price, Some(2_000_000_000));
    let log = &receipt.logs[0];
    assert_eq!((log.address, log.topics.len(), log.data.len()), (address(ASSET), 3, 32));
    assert_eq!((log.block_number, log.block_hash), (Some(16), Some(hash(2))));
    assert_eq!(log.transaction_hash, Some(hash(TRANSACTION)));

    assert_eq!(read(&Value::Null), Ok(None), "not in a block");
    let mut failed = receipt_json();
    failed["status"] = json!("0x0");
    failed["effectiveGasPrice"] = json!(null);
    let failed = read(&failed).unwrap().unwrap();
    assert_eq!((failed.succeeded, failed.effective_gas_price), (false, None));
}

// C2
#[test]
fn the_receipt_of_another_transaction_is_no_answer() {
    assert!(receipt(hash(9)).read(&receipt_json()).is_err());
}

#[test]
fn a_receipt_with_a_part_missing_or_wrong_is_refused() {
    for name in ["transactionHash", "blockNumber", "blockHash", "status", "gasUsed", "logs"] {
        for wrong in [json!(null), json!("0x"), json!("0xg"), json!(1), json!({})] {
            let mut receipt = receipt_json();
            receipt[name] = wrong.clone();
            let refusal = read(&receipt).unwrap_err();
            assert_eq!(refusal.what, name, "{wrong}");
        }
    }
    let mut receipt = receipt_json();
    receipt["status"] = json!("0x2");
    assert!(read(&receipt).is_err());
    let log_parts = [
        ("address", json!("0xa0")),
        ("topics", json!(null)),
        ("topics", json!(["0x01"])),
        ("topics", Value::from(vec![hash(1).to_string(); 5])),
        ("data", json!("0x0")),
        ("blockNumber", json!("sixteen")),
        ("transactionHash", json!("0x")),
    ];
    for (name, wrong) in log_parts {
        let mut receipt = receipt_json();
        receipt["logs"][0][name] = wrong.clone();
        assert!(read(&receipt).is_err(), "{name} {wrong}");
    }
}

// C5
#[test]
fn a_transfer_is_the_log_of_that_token_with_these_values() {
    assert!(transfers(&receipt_json()));
    let anywhere = {
        let mut receipt = receipt_json();
        let mut other = transfer_log();
        other["address"] = json!(address(0xbb).to_string());
        receipt["logs"] = json!([other, transfer_log()]);
        receipt
    };
    assert!(transfers(&anywhere), "among others");

    let topic = known()["transferTopic"].clone();
    for (why, pointer, value) in [
        ("another token", "/logs/0/address", json!(address(0xbb).to_string())),
        ("another event", "/logs/0/topics/0", known()["authorizationUsedTopic"].clone()),
        ("another payer", "/logs/0/topics/1", json!(padded(0xf1))),
        ("another receiver", "/logs/0/topics/2", json!(padded(0x71))),
        ("payer and receiver exchanged", "/logs/0/topics", json!([topic, padded(TO), padded(FROM)])),
        ("a topic too few", "/logs/0/topics", json!([topic, padded(FROM)])),
        ("a topic too many", "/logs/0/topics", json!([topic, padded(FROM), padded(TO), padded(TO)])),
        ("a dirty address", "/logs/0/topics/1", json!(format!("0x01{}", &padded(FROM)[4..]))),
        ("less", "/logs/0/data", json!(format!("0x{:064x}", 9_999))),
        ("more", "/logs/0/data", json!(format!("0x{:064x}", 10_001))),
        ("a word too many", "/logs/0/data", json!(format!("0x{:064x}{:064x}", 10_000, 0))),
        ("no value", "/logs/0/data", json!("0x")),
        ("taken back", "/logs/0/removed", json!(true)),
        ("a failed call", "/status", json!("0x0")),
        ("no log", "/logs", json!([])),
    ] {
        let mut receipt = receipt_json();
        *receipt.pointer_mut(pointer).unwrap() = value;
        assert!(!transfers(&receipt), "{why} was taken for the transfer");
    }
}

fn used_log() -> Value {
    json!({
        "address": address(ASSET).to_string(),
        "topics": [known()["authorizationUsedTopic"], padded(FROM), hash(5).to_string()],
        "data": "0x",
        "blockHash": null,
        "blockNumber": null,
        "transactionHash": hash(TRANSACTION).to_string(),
    })
}

#[test]
fn the_use_or_cancellation_of_an_authorization_is_found_by_its_log() {
    let filter = Filter::authorization_ended(address(ASSET), address(FROM), hash(5), 100);
    let call = logs(&filter);
    let asked = &call.question.params[0];
    assert_eq!(
        asked["topics"],
        json!([
            [known()["authorizationUsedTopic"], known()["authorizationCanceledTopic"]],
            padded(FROM),
            hash(5).to_string()
        ])
    );
    assert_eq!(asked["fromBlock"], "0x64");
    let mut cancelled = used_log();
    cancelled["topics"][0] = known()["authorizationCanceledTopic"].clone();
    assert!(call.read(&json!([cancelled])).is_ok());
    let found = call.read(&json!([used_log()])).unwrap();
    assert_eq!(found[0].transaction_hash, Some(hash(TRANSACTION)));
    assert_eq!((found[0].block_hash, found[0].block_number), (None, None));
    assert_eq!(call.read(&json!([])), Ok(vec![]));
    let mut removed = used_log();
    removed["removed"] = json!(true);
    assert_eq!(call.read(&json!([removed])), Ok(vec![]), "a log that is taken back says nothing");
    for wrong in [json!(null), json!({}), json!("0x"), json!([null])] {
        assert!(call.read(&wrong).is_err(), "{wrong}");
    }
}

// C2
#[test]
fn a_log_that_was_not_asked_for_is_no_answer() {
    let call = logs(&Filter::authorization_ended(address(ASSET), address(FROM), hash(5), 100));
    for (pointer, value) in [
        ("/address", json!(address(0xbb).to_string())),
        ("/topics/0", known()["transferTopic"].clone()),
        ("/topics/1", json!(padded(0xf1))),
        ("/topics/2", json!(hash(6).to_string())),
        ("/topics", json!([known()["authorizationUsedTopic"], padded(FROM)])),
    ] {
        let mut log = used_log();
        *log.pointer_mut(pointer).unwrap() = value;
        assert!(call.read(&json!([used_log(), log])).is_err(), "{pointer}");
    }
    let any = Filter { address: address(ASSET), topics: vec![vec![], vec![hash(6)]], from_block: 0 };
    let mut log = used_log();
    log["topics"][1] = json!(hash(6).to_string());
    assert!(logs(&any).read(&json!([log])).is_ok(), "an open place takes any topic");
}

/// What an authorization has moved was paid for something that the authorization was given for.
#[test]
fn a_receipt_says_whether_the_token_has_used_an_authorization_of_the_payers() {
    let mut signed = receipt_json();
    signed["logs"] = json!([transfer_log(), used_log()]);
    let uses = |json: &Value, asset: u8, of: u8| {
        read(json).unwrap().unwrap().uses_authorization(address(asset), address(of))
    };
    assert!(uses(&signed, ASSET, FROM));
    assert!(!uses(&signed, ASSET, TO), "another's");
    assert!(!uses(&signed, 0xbb, FROM), "another token's");
    assert!(!uses(&receipt_json(), ASSET, FROM), "a plain transfer");
    signed["status"] = json!("0x0");
    assert!(!uses(&signed, ASSET, FROM), "one that was taken back");
}
