//! Whatever comes in, nothing panics, and what is kept stays within its bounds.

use chain::account::is_magic;
use chain::limits::{FAULT_CHARS, REVERT_BYTES, TOKEN_TEXT_BYTES, TOPICS_MAX};
use chain::rpc::{Block, answers, block, chain_id, code, logs, receipt, send_raw_transaction};
use chain::token::{read_bool, read_text, read_uint, transfer_by_contract};
use chain::{Account, Filter, Wrapped6492};
use eip712::{TransferWithAuthorization, U256};
use proptest::prelude::*;
use serde_json::{Map, Value};

use crate::{address, hash};

/// Names that mean something, so that random objects come close to real ones.
const NAMES: [&str; 18] = [
    "id",
    "jsonrpc",
    "result",
    "error",
    "code",
    "message",
    "data",
    "transactionHash",
    "blockNumber",
    "blockHash",
    "status",
    "gasUsed",
    "logs",
    "address",
    "topics",
    "removed",
    "number",
    "timestamp",
];

fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (0u64..3).prop_map(Value::from),
        ".{0,20}".prop_map(Value::from),
        "0x[0-9a-fA-F]{0,70}".prop_map(Value::from),
        "0x[0-9a-f]{64}".prop_map(Value::from),
        "0x[0-9a-f]{40}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 64, 8, |inner| {
        let name = prop_oneof![prop::sample::select(&NAMES[..]).prop_map(str::to_owned), ".{0,8}"];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((name, inner), 0..8)
                .prop_map(|members| Value::from(members.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

fn read_all(result: &Value) {
    let _ = chain_id().read(result);
    let _ = code(address(1)).read(result);
    let _ = send_raw_transaction(&[2]).read(result);
    let _ = block(Block::Latest).read(result);
    let _ = block(Block::Number(1)).read(result);
    if let Ok(Some(receipt)) = receipt(hash(1)).read(result) {
        assert!(receipt.logs.iter().all(|log| log.topics.len() <= TOPICS_MAX));
    }
    let _ = logs(&Filter::authorization_ended(address(1), address(2), hash(3), 4)).read(result);
}

fn answer_all(text: &str, count: usize) {
    for answer in answers(text, count).into_iter().flat_map(|answers| {
        assert_eq!(answers.len(), count);
        answers
    }) {
        match answer {
            Ok(result) => read_all(&result),
            Err(fault) => {
                let _ = fault.kind();
                assert!(fault.message.chars().count() <= FAULT_CHARS);
                assert!(fault.data.is_none_or(|data| data.len() <= REVERT_BYTES));
            }
        }
    }
}

fn read_bytes(bytes: &[u8]) {
    let _ = (read_bool(bytes), read_uint(bytes), is_magic(bytes), Account::from_code(bytes));
    if let Ok(text) = read_text(bytes) {
        assert!(text.len() <= TOKEN_TEXT_BYTES);
    }
    if let Ok(Some(wrapped)) = Wrapped6492::parse(bytes) {
        // Both strings stand in the signature, so neither is longer than it.
        assert!(wrapped.signature.len().max(wrapped.factory_calldata.len()) <= bytes.len());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    // C1
    #[test]
    fn no_text_makes_an_answer_panic(text in ".{0,200}", count in 0usize..4) {
        answer_all(&text, count);
    }

    // C1
    #[test]
    fn no_json_makes_an_answer_panic(value in json(), count in 0usize..4) {
        answer_all(&value.to_string(), count);
        read_all(&value);
    }

    // C1
    #[test]
    fn no_reply_makes_an_answer_panic(result in json(), error in json(), id in 0u64..3) {
        answer_all(&serde_json::json!({ "id": id, "result": result }).to_string(), 1);
        answer_all(&serde_json::json!({ "id": id, "error": error }).to_string(), 2);
    }

    // C1
    #[test]
    fn no_bytes_make_a_contract_panic_us(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        read_bytes(&bytes);
        read_bytes(&[&bytes[..], &[0x64, 0x92].repeat(16)].concat());
    }

    // C1: words as an ABI encoder writes them, most of them small, so that offsets and lengths point to many places.
    #[test]
    fn no_words_make_a_contract_panic_us(words in prop::collection::vec(prop_oneof![0u64..400, any::<u64>()], 0..12)) {
        let bytes: Vec<u8> = words.iter().flat_map(|word| U256::from(*word).to_be_bytes::<32>()).collect();
        read_bytes(&bytes);
        read_bytes(&[&bytes[..], &[0x64, 0x92].repeat(16)].concat());
    }

    #[test]
    fn calldata_is_whole_words_for_a_signature_of_any_length(signature in prop::collection::vec(any::<u8>(), 0..130)) {
        let transfer = TransferWithAuthorization {
            from: address(1), to: address(2), value: U256::ONE, valid_after: U256::ZERO, valid_before: U256::MAX,
            nonce: hash(3),
        };
        let calldata = transfer_by_contract(&transfer, &signature);
        prop_assert_eq!(calldata.len() % 32, 4);
    }
}
