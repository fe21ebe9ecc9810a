//! What each question looks like, and which results are its answers.

use chain::rpc::{
    Block, Call, Head, answers, block, body, call, chain_id, code, estimate_gas, logs, max_priority_fee,
    receipt, send_raw_transaction, transaction_count,
};
use chain::{Filter, Transaction};
use eip712::{Signer, U256};
use primitives::UnixMillis;
use serde_json::{Value, json};

use crate::{address, hash};

#[track_caller]
fn asks<T>(call: &Call<T>, method: &str, params: Value) {
    assert_eq!(call.question.method, method);
    assert_eq!(call.question.params, params);
}

#[test]
fn every_question_in_its_words() {
    let (to, from) = (format!("0x{}", "11".repeat(20)), format!("0x{}", "22".repeat(20)));
    asks(&chain_id(), "eth_chainId", json!([]));
    asks(&max_priority_fee(), "eth_maxPriorityFeePerGas", json!([]));
    asks(&code(address(0x11)), "eth_getCode", json!([to, "latest"]));
    asks(
        &call(None, address(0x11), &[0, 0xab]),
        "eth_call",
        json!([{ "to": to, "data": "0x00ab" }, "latest"]),
    );
    asks(
        &call(Some(address(0x22)), address(0x11), &[]),
        "eth_call",
        json!([{ "from": from, "to": to, "data": "0x" }, "latest"]),
    );
    asks(
        &estimate_gas(address(0x22), address(0x11), &[1]),
        "eth_estimateGas",
        json!([{ "from": from, "to": to, "data": "0x01" }]),
    );
    asks(
        &transaction_count(address(0x11), Block::Pending),
        "eth_getTransactionCount",
        json!([to, "pending"]),
    );
    asks(&receipt(hash(7)), "eth_getTransactionReceipt", json!([format!("0x{}", "07".repeat(32))]));
    asks(&send_raw_transaction(&[2, 0xc0]), "eth_sendRawTransaction", json!(["0x02c0"]));
    for (which, text) in [
        (Block::Latest, "latest"),
        (Block::Safe, "safe"),
        (Block::Finalized, "finalized"),
        (Block::Number(0), "0x0"),
        (Block::Number(0x0fff), "0xfff"),
        (Block::Number(u64::MAX), "0xffffffffffffffff"),
    ] {
        asks(&block(which), "eth_getBlockByNumber", json!([text, false]));
    }
    let filter = Filter { address: address(0x11), topics: vec![vec![], vec![hash(3)]], from_block: 16 };
    let topics = json!([null, format!("0x{}", "03".repeat(32))]);
    let params = json!([{ "address": to, "topics": topics, "fromBlock": "0x10", "toBlock": "latest" }]);
    asks(&logs(&filter), "eth_getLogs", params);
}

#[test]
fn one_question_is_an_object_and_several_are_a_batch() {
    let (first, second) = (chain_id(), code(address(0x11)));
    let one: Value = serde_json::from_str(&body(&[&first.question])).unwrap();
    assert_eq!(one, json!({ "jsonrpc": "2.0", "id": 0, "method": "eth_chainId", "params": [] }));
    let several: Value = serde_json::from_str(&body(&[&first.question, &second.question])).unwrap();
    let second =
        json!({ "jsonrpc": "2.0", "id": 1, "method": "eth_getCode", "params": second.question.params });
    assert_eq!(several, json!([one, second]));
    assert_eq!(body(&[]), "[]");
}

#[test]
fn numbers_are_read_with_leading_zeros_and_within_their_range() {
    for (text, number) in [
        ("0x0", 0),
        ("0x14a34", 84_532),
        ("0x0014A34", 84_532),
        ("0xffffffffffffffff", u64::MAX),
        (&format!("0x{:0>64}", "7"), 7),
    ] {
        assert_eq!(chain_id().read(&json!(text)), Ok(number), "{text}");
    }
    let too_long = format!("0x{:0>65}", "7");
    for text in ["", "0x", "7", "0X7", "0xg", "0x+7", "0x-7", "0x 7", "0x10000000000000000", &too_long] {
        assert!(chain_id().read(&json!(text)).is_err(), "{text}");
    }
    for value in [json!(null), json!(7), json!(["0x7"]), json!({ "0x7": "0x7" })] {
        assert!(chain_id().read(&value).is_err(), "{value}");
    }
    let largest = format!("{:#x}", u128::MAX);
    assert_eq!(max_priority_fee().read(&json!(largest)), Ok(u128::MAX));
    assert!(max_priority_fee().read(&json!(format!("{largest}0"))).is_err());
}

#[test]
fn bytes_are_read_in_either_case_and_in_pairs() {
    assert_eq!(code(address(1)).read(&json!("0x")), Ok(vec![]));
    assert_eq!(code(address(1)).read(&json!("0xABcd")), Ok(vec![0xab, 0xcd]));
    for wrong in
        [json!("0xabc"), json!("abcd"), json!("0XABCD"), json!("0xzz"), json!(""), json!(null), json!([])]
    {
        assert!(code(address(1)).read(&wrong).is_err(), "{wrong}");
    }
}

// C2
#[test]
fn the_hash_of_another_transaction_is_no_answer_to_sending_one() {
    let transaction = Transaction {
        chain_id: 84_532,
        nonce: 0,
        max_priority_fee_per_gas: 1,
        max_fee_per_gas: 2,
        gas_limit: 21_000,
        to: address(0x11),
        value: U256::ZERO,
        input: vec![],
    };
    let signed = transaction.sign(&Signer::from_bytes(&[0x11; 32]).unwrap());
    let call = send_raw_transaction(&signed.raw);
    assert_eq!(call.read(&json!(signed.hash.to_string())), Ok(signed.hash));
    let refusal = call.read(&json!(hash(7).to_string())).unwrap_err();
    assert_eq!(refusal.to_string(), "is not a valid transaction hash: the one that was asked for");
    assert!(call.read(&json!(null)).is_err());
}

fn head() -> Value {
    json!({
        "number": "0x2a", "hash": hash(0xaa).to_string(), "timestamp": "0x692c5c00", "baseFeePerGas": "0x3b9aca00",
    })
}

#[test]
fn the_head_of_a_block() {
    let expected = Head {
        number: 42,
        hash: hash(0xaa),
        timestamp: UnixMillis(0x692c_5c00 * 1_000),
        base_fee_per_gas: Some(1_000_000_000),
    };
    assert_eq!(block(Block::Latest).read(&head()), Ok(Some(expected)));
    assert_eq!(block(Block::Finalized).read(&json!(null)), Ok(None));
    let mut old = head();
    old["baseFeePerGas"] = json!(null);
    assert_eq!(block(Block::Safe).read(&old), Ok(Some(Head { base_fee_per_gas: None, ..expected })));
    for name in ["number", "hash", "timestamp"] {
        for wrong in [json!(null), json!("0x"), json!(1), json!("0xg")] {
            let mut block_with = head();
            block_with[name] = wrong.clone();
            assert!(block(Block::Latest).read(&block_with).is_err(), "{name} {wrong}");
        }
    }
}

// C2
#[test]
fn a_block_of_another_number_is_no_answer() {
    assert!(block(Block::Number(42)).read(&head()).is_ok());
    assert!(block(Block::Number(43)).read(&head()).is_err());
    let mut padded = head();
    padded["number"] = json!("0x002a");
    assert!(block(Block::Number(42)).read(&padded).is_ok());
}

#[test]
fn a_batch_of_calls_of_different_types_is_read_in_order() {
    let (chain, code) = (chain_id(), code(address(0x11)));
    let text = json!([{ "id": 1, "result": "0x60" }, { "id": 0, "result": "0x14a34" }]).to_string();
    let results = answers(&text, 2).unwrap();
    assert_eq!(chain.read(results[0].as_ref().unwrap()), Ok(84_532));
    assert_eq!(code.read(results[1].as_ref().unwrap()), Ok(vec![0x60]));
}
