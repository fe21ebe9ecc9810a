//! Signed bytes against those of another implementation.

use chain::Transaction;
use eip712::{Signer, U256};
use serde_json::Value;

use crate::bytes;

fn text<'a>(vector: &'a Value, name: &str) -> &'a str {
    vector[name].as_str().unwrap()
}

fn transaction(vector: &Value) -> Transaction {
    let input = match vector["input"].as_str() {
        Some(input) => bytes(input),
        None => {
            let repeat = &vector["inputRepeat"];
            hex::decode(text(repeat, "byte")).unwrap().repeat(repeat["count"].as_u64().unwrap() as usize)
        }
    };
    Transaction {
        chain_id: text(vector, "chainId").parse().unwrap(),
        nonce: text(vector, "nonce").parse().unwrap(),
        max_priority_fee_per_gas: text(vector, "maxPriorityFeePerGas").parse().unwrap(),
        max_fee_per_gas: text(vector, "maxFeePerGas").parse().unwrap(),
        gas_limit: text(vector, "gasLimit").parse().unwrap(),
        to: text(vector, "to").parse().unwrap(),
        value: U256::from_str_radix(text(vector, "value"), 10).unwrap(),
        input,
    }
}

// C4
#[test]
fn signed_bytes_are_those_of_another_implementation() {
    let vectors: Value = serde_json::from_str(include_str!("../vectors/transactions.json")).unwrap();
    let vectors = vectors["transactions"].as_array().unwrap();
    assert_eq!(vectors.len(), 25);
    for vector in vectors {
        let key = bytes(text(vector, "privateKey")).try_into().unwrap();
        let signed = transaction(vector).sign(&Signer::from_bytes(&key).unwrap());
        let name = text(vector, "name");
        assert_eq!(signed.hash.to_string(), text(vector, "hash"), "{name}");
        if let Some(raw) = vector["raw"].as_str() {
            assert_eq!(signed.raw, bytes(raw), "{name}");
        }
    }
}
