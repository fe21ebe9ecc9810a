//! What a wallet has, and which transactions name it.

use chain::Filter;
use chain::rpc::{balance, logs};
use chain::solana::{Address, Signature, Token, block_time, lamports, signatures, token_balance};
use primitives::{BaseUnits, UnixMillis};
use serde_json::{Value, json};

use crate::{with, without};

const OWNER: Address = Address([3; 32]);
const MINT: Address = Token::USDC.mint;

#[test]
fn the_questions_are_about_final_balances() {
    let question = lamports(&OWNER).question;
    assert_eq!(question.method, "getBalance");
    assert_eq!(question.params, json!([OWNER.to_string(), { "commitment": "finalized" }]));
    let question = token_balance(&OWNER, &MINT).question;
    assert_eq!(question.method, "getTokenAccountsByOwner");
    assert_eq!(
        question.params,
        json!([
            OWNER.to_string(),
            { "mint": "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v" },
            { "encoding": "jsonParsed", "commitment": "finalized" }
        ])
    );
}

#[test]
fn lamports_are_a_whole_number() {
    let answer = |value: Value| json!({ "context": { "slot": 1 }, "value": value });
    assert_eq!(lamports(&OWNER).read(&answer(json!(0))), Ok(0));
    assert_eq!(lamports(&OWNER).read(&answer(json!(u64::MAX))), Ok(u64::MAX));
    for wrong in [json!(-1), json!(1.5), json!("1"), json!(null), json!([1])] {
        assert!(lamports(&OWNER).read(&answer(wrong.clone())).is_err(), "{wrong}");
    }
    for wrong in [json!(1), json!(null), json!({})] {
        assert!(lamports(&OWNER).read(&wrong).is_err(), "{wrong}");
    }
}

fn account(amount: &str) -> Value {
    json!({
        "pubkey": Address([9; 32]).to_string(),
        "account": {
            "data": {
                "program": "spl-token",
                "parsed": {
                    "type": "account",
                    "info": {
                        "isNative": false, "mint": MINT.to_string(), "owner": OWNER.to_string(), "state": "initialized",
                        "tokenAmount": { "amount": amount, "decimals": 6, "uiAmount": 0.0, "uiAmountString": "0" },
                    },
                },
                "space": 165,
            },
            "executable": false, "lamports": 2_039_280, "owner": Token::PROGRAM.to_string(), "rentEpoch": u64::MAX,
            "space": 165,
        },
    })
}

fn held(accounts: Value) -> Result<BaseUnits, primitives::Malformed> {
    token_balance(&OWNER, &MINT).read(&json!({ "context": { "slot": 1 }, "value": accounts }))
}

#[test]
fn tokens_are_summed_over_all_accounts_of_the_wallet() {
    assert_eq!(held(json!([])), Ok(BaseUnits(0)), "a wallet without an account");
    assert_eq!(held(json!([account("1"), account("0"), account("41")])), Ok(BaseUnits(42)));
    let most = u64::MAX.to_string();
    assert_eq!(held(json!([account(&most), account(&most)])), Ok(BaseUnits(u128::from(u64::MAX) * 2)));
    // Base units stay base units.
    let lie = with(&account("5"), "/account/data/parsed/info/tokenAmount/decimals", 0);
    assert_eq!(held(json!([lie])), Ok(BaseUnits(5)));
}

/// C2
#[test]
fn accounts_that_were_not_asked_for_or_say_no_amount_are_no_answer() {
    for (place, value) in [
        ("/account/data/parsed/info/owner", json!(Address([4; 32]).to_string())),
        ("/account/data/parsed/info/mint", json!(Address([4; 32]).to_string())),
        ("/account/data/parsed/info/owner", json!(null)),
        ("/account/data/parsed/info/tokenAmount/amount", json!(5)),
        ("/account/data/parsed/info/tokenAmount/amount", json!("")),
        ("/account/data/parsed/info/tokenAmount/amount", json!("-5")),
        ("/account/data/parsed/info/tokenAmount/amount", json!("+5")),
        ("/account/data/parsed/info/tokenAmount/amount", json!("5.0")),
        ("/account/data/parsed/info/tokenAmount/amount", json!("18446744073709551616")),
        ("/account/data/parsed", json!("AAAA")),
        ("/account/data", json!(["AAAA", "base64"])),
    ] {
        assert!(
            held(json!([account("1"), with(&account("5"), place, value.clone())])).is_err(),
            "{place} {value}"
        );
    }
    assert!(held(json!([without(&account("5"), "/account")])).is_err());
    for wrong in [json!(null), json!({}), json!("0"), json!([null])] {
        assert!(held(wrong.clone()).is_err(), "{wrong}");
    }
}

#[test]
fn the_transactions_of_an_address_are_those_that_have_not_failed() {
    let call = signatures(&OWNER);
    assert_eq!(call.question.method, "getSignaturesForAddress");
    assert_eq!(call.question.params, json!([OWNER.to_string(), { "commitment": "finalized", "limit": 100 }]));
    let landed = |byte: u8, fault: Value| {
        json!({
            "signature": Signature([byte; 64]).to_string(), "slot": 1, "err": fault, "memo": null, "blockTime": 1,
            "confirmationStatus": "finalized",
        })
    };
    let reverted = landed(2, json!({ "InstructionError": [0, { "Custom": 1 }] }));
    let three = json!([landed(3, Value::Null), reverted, landed(1, Value::Null)]);
    assert_eq!(call.read(&three), Ok(vec![Signature([3; 64]), Signature([1; 64])]));
    assert_eq!(call.read(&json!([])), Ok(vec![]));
    for wrong in [
        json!(null),
        json!({}),
        json!([null]),
        json!([without(&landed(1, Value::Null), "/err")]),
        json!([without(&landed(1, Value::Null), "/signature")]),
        json!([with(&landed(1, Value::Null), "/signature", "1")]),
    ] {
        assert!(call.read(&wrong).is_err(), "{wrong}");
    }
}

#[test]
fn a_slot_has_its_time_or_none() {
    let call = block_time(430_000_000);
    assert_eq!((call.question.method, &call.question.params), ("getBlockTime", &json!([430_000_000])));
    assert_eq!(call.read(&json!(1_796_110_634)), Ok(Some(UnixMillis(1_796_110_634_000))));
    assert_eq!(call.read(&Value::Null), Ok(None));
    for wrong in [json!(-1), json!("1"), json!({}), json!(1.5)] {
        assert!(call.read(&wrong).is_err(), "{wrong}");
    }
}

#[test]
fn an_ethereum_account_has_wei() {
    let account = eip712::Address::repeat_byte(0x11);
    let call = balance(account);
    assert_eq!(call.question.method, "eth_getBalance");
    assert_eq!(call.question.params, json!([format!("0x{}", "11".repeat(20)), "latest"]));
    assert_eq!(call.read(&json!("0x21e19e0c9bab2400000")), Ok(BaseUnits(10_000_000_000_000_000_000_000)));
    assert!(call.read(&json!(1)).is_err());
}

/// C2
#[test]
fn transfers_are_asked_for_by_both_parties() {
    let party = |byte: u8| eip712::Address::repeat_byte(byte);
    let padded = |byte: u8| format!("0x{}{}", "00".repeat(12), hex::encode([byte; 20]));
    let call = logs(&Filter::transfers(party(1), party(2), party(3), 16));
    let topic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
    assert_eq!(call.question.params[0]["topics"], json!([topic, padded(2), padded(3)]));
    let log =
        json!({ "address": party(1).to_string(), "topics": [topic, padded(2), padded(3)], "data": "0x" });
    assert_eq!(call.read(&json!([log])).unwrap().len(), 1);
    assert!(call.read(&json!([with(&log, "/topics/2", padded(4))])).is_err());
}
