//! What nodes say when they refuse, by what it means.

use chain::limits::{FAULT_CHARS, REVERT_BYTES};
use chain::rpc::FaultKind::{
    self, AlreadyKnown, InsufficientFunds, NonceTooLow, Other, RateLimited, Reverted, Underpriced,
};
use chain::rpc::{Fault, answers};
use serde_json::{Value, json};

fn parsed(error: Value) -> Fault {
    answers(&json!({ "id": 0, "error": error }).to_string(), 1).unwrap().remove(0).unwrap_err()
}

/// Who says it, the code, the words, and what they mean.
const SAID: [(&str, i64, &str, FaultKind); 74] = [
    ("geth", 3, "execution reverted: FiatTokenV2: invalid signature", Reverted),
    ("geth", -32_000, "execution reverted", Reverted),
    ("geth", -32_000, "gas required exceeds allowance (200000)", Reverted),
    ("geth", -32_000, "out of gas", Reverted),
    ("geth", -32_000, "invalid opcode: INVALID", Reverted),
    ("geth", -32_000, "invalid jump destination", Reverted),
    ("geth", -32_000, "stack underflow (0 <=> 1)", Reverted),
    ("geth", -32_000, "nonce too low: next nonce 5, tx nonce 4", NonceTooLow),
    ("geth", -32_000, "already known", AlreadyKnown),
    ("geth", -32_000, "replacement transaction underpriced", Underpriced),
    ("geth", -32_000, "transaction underpriced: gas tip cap 1, minimum needed 1000000", Underpriced),
    (
        "geth",
        -32_000,
        "max fee per gas less than block base fee: address 0xf3, maxFeePerGas: 1, baseFee: 7",
        Underpriced,
    ),
    (
        "geth",
        -32_000,
        "insufficient funds for gas * price + value: balance 0, tx cost 2, overshot 2",
        InsufficientFunds,
    ),
    ("geth", -32_000, "insufficient funds for transfer", InsufficientFunds),
    ("geth", -32_000, "nonce too high", Other),
    ("geth", -32_000, "txpool is full", Other),
    ("geth", -32_000, "intrinsic gas too low: gas 0, minimum needed 21000", Other),
    ("geth", -32_000, "tx fee (1.50 ether) exceeds the configured cap (1.00 ether)", Other),
    ("geth", -32_000, "future transaction tries to replace pending", Other),
    ("geth", -32_000, "in-flight transaction limit reached for delegated accounts", Other),
    ("geth", -32_602, "invalid argument 0: hex string has length 2, want 40 for common.Address", Other),
    ("reth", 3, "execution reverted", Reverted),
    ("reth", -32_003, "out of gas: gas required exceeds: 50000000", Reverted),
    ("reth", -32_000, "nonce too low: next nonce 1, tx nonce 0", NonceTooLow),
    ("reth", -32_000, "already known", AlreadyKnown),
    ("reth", -32_000, "replacement transaction underpriced", Underpriced),
    ("reth", -32_000, "max fee per gas less than block base fee", Underpriced),
    ("reth", -32_003, "insufficient funds for gas * price + value: have 0 want 21000", InsufficientFunds),
    ("nethermind", -32_015, "VM execution error.", Reverted),
    ("nethermind", -32_010, "OldNonce, Current nonce: 5, nonce of rejected tx: 4", NonceTooLow),
    ("nethermind", -32_010, "AlreadyKnown", AlreadyKnown),
    ("nethermind", -32_010, "ReplacementNotAllowed", Underpriced),
    ("nethermind", -32_010, "FeeTooLow, MaxFeePerGas too low. MaxFeePerGas: 1, BaseFee: 7", Underpriced),
    ("nethermind", -32_010, "FeeTooLowToCompete", Underpriced),
    ("nethermind", -32_010, "InsufficientFunds, Account balance: 0, cumulative cost: 1", InsufficientFunds),
    ("nethermind", -32_010, "NonceGap, Future nonce. Expected nonce: 5", Other),
    ("erigon", -32_000, "INTERNAL_ERROR: nonce too low", NonceTooLow),
    ("erigon", -32_000, "ALREADY_EXISTS: already known", AlreadyKnown),
    ("erigon", -32_000, "INTERNAL_ERROR: existing tx with same hash", AlreadyKnown),
    ("erigon", -32_000, "INTERNAL_ERROR: could not replace existing tx", Underpriced),
    ("erigon", -32_000, "FEE_TOO_LOW: underpriced", Underpriced),
    ("erigon", -32_000, "fee too low", Underpriced),
    ("erigon", -32_000, "INTERNAL_ERROR: insufficient funds", InsufficientFunds),
    ("besu", -32_000, "Execution reverted", Reverted),
    ("besu", -32_001, "Nonce too low", NonceTooLow),
    ("besu", -32_000, "Known transaction", AlreadyKnown),
    ("besu", -32_000, "Replacement transaction underpriced", Underpriced),
    ("besu", -32_009, "Gas price below current base fee", Underpriced),
    ("besu", -32_009, "Gas price below configured minimum gas price", Underpriced),
    ("besu", -32_004, "Upfront cost exceeds account balance", InsufficientFunds),
    ("besu", -32_005, "Transaction gas limit exceeds block gas limit", Other),
    ("anvil", 3, "execution reverted: custom error 0xdeadbeef", Reverted),
    ("anvil", -32_603, "EVM error OutOfGas", Reverted),
    ("anvil", -32_603, "EVM error MemoryOOG", Reverted),
    ("anvil", -32_603, "EVM error InvalidFEOpcode", Reverted),
    ("anvil", -32_603, "EVM error OpcodeNotFound", Reverted),
    ("anvil", -32_603, "EVM error InvalidJump", Reverted),
    ("anvil", -32_603, "EVM error StackUnderflow", Reverted),
    ("anvil", -32_603, "EVM error FatalExternalError", Other),
    ("anvil", -32_003, "nonce too low", NonceTooLow),
    ("anvil", -32_003, "transaction already imported", AlreadyKnown),
    ("anvil", -32_003, "replacement transaction underpriced", Underpriced),
    ("anvil", -32_003, "max fee per gas less than block base fee", Underpriced),
    ("anvil", -32_003, "Insufficient funds for gas * price + value", InsufficientFunds),
    ("anvil", -32_601, "Method not found", Other),
    ("alchemy", 429, "Your app has exceeded its compute units per second capacity.", RateLimited),
    ("alchemy", -32_000, "Your app has exceeded its compute units per second capacity.", RateLimited),
    ("infura", -32_005, "project ID request rate exceeded", RateLimited),
    ("infura", -32_005, "daily request count exceeded, request rate limited", RateLimited),
    (
        "quicknode",
        -32_007,
        "50/second request limit reached - reduce calls per second or upgrade your account",
        RateLimited,
    ),
    ("op proxy", -32_016, "over rate limit", RateLimited),
    ("chainstack", -32_005, "You've exceeded the RPS limit available on the current plan.", RateLimited),
    ("any gateway", 429, "slow down", RateLimited),
    ("any gateway", 0, "Too Many Requests", RateLimited),
];

#[test]
fn what_nodes_say_by_what_it_means() {
    for (node, code, message, kind) in SAID {
        let fault = Fault { code, message: message.into(), data: None };
        assert_eq!(fault.kind(), kind, "{node}: {message}");
    }
}

// C3
#[test]
fn a_contract_that_speaks_like_a_node_is_still_a_revert() {
    for (_, _, message, _) in SAID {
        for prefix in
            ["execution reverted: ", "Error: VM Exception while processing transaction: reverted with "]
        {
            let fault = Fault { code: -32_000, message: format!("{prefix}{message}"), data: None };
            assert_eq!(fault.kind(), Reverted, "{message}");
        }
        assert_eq!(Fault { code: 3, message: message.into(), data: None }.kind(), Reverted, "{message}");
    }
}

#[test]
fn revert_data_is_found_where_nodes_put_it() {
    let with = |data: Value| parsed(json!({ "code": 3, "message": "execution reverted", "data": data })).data;
    let expected = Some(vec![0x08, 0xc3, 0x79, 0xa0]);
    assert_eq!(with(json!("0x08c379a0")), expected);
    assert_eq!(with(json!("Reverted 0x08c379a0")), expected);
    assert_eq!(with(json!({ "message": "reverted", "data": "0x08c379a0" })), expected);
    assert_eq!(with(json!("0x")), Some(vec![]));
    for nothing in [json!(null), json!("reverted"), json!("0x0"), json!(7), json!({}), json!({ "data": {} })]
    {
        assert_eq!(with(nothing.clone()), None, "{nothing}");
    }
}

// C1
#[test]
fn words_and_data_of_a_fault_are_bounded() {
    let fault = parsed(json!({ "code": 1, "message": "é".repeat(FAULT_CHARS + 1) }));
    assert_eq!(fault.message.chars().count(), FAULT_CHARS);
    let with = |bytes: usize| {
        parsed(json!({ "code": 3, "message": "", "data": format!("0x{}", "00".repeat(bytes)) })).data
    };
    assert_eq!(with(REVERT_BYTES).map(|data| data.len()), Some(REVERT_BYTES));
    assert_eq!(with(REVERT_BYTES + 1), None);
}

#[test]
fn a_fault_without_code_or_message_is_still_a_fault() {
    let fault = parsed(json!({ "message": "Too Many Requests" }));
    assert_eq!((fault.code, fault.kind()), (0, RateLimited));
    assert_eq!(parsed(json!({})), Fault { code: 0, message: String::new(), data: None });
    let fault = parsed(json!({ "code": -32_000, "message": "already known" }));
    assert_eq!(fault.to_string(), "the node answers with error -32000: already known");
}
