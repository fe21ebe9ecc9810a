//! SPL Token transfers, by answers in the shape of `getTransaction` with `jsonParsed`.

use chain::rpc::Answer;
use chain::solana::{Address, Expected, Signature, Token, transaction, verify_transfer};
use chain::{Verdict, Window};
use primitives::{BaseUnits, UnixMillis};
use serde_json::{Value, json};

use crate::{fault, with, without, word};

pub(crate) const PAYER: Address = Address([1; 32]);
pub(crate) const RECEIVER: Address = Address([2; 32]);
pub(crate) const STRANGER: Address = Address([3; 32]);
const REFERENCE: Address = Address([4; 32]);
pub(crate) const OTHER_MINT: Address = Address([5; 32]);
pub(crate) const MINT: Address = Token::USDC.mint;
const SIGNATURE: Signature = Signature([9; 64]);
const SLOT: u64 = 430_000_000;
const SECONDS: u64 = 1_796_110_634;

/// What one token account of the transaction holds: its place, its owner and how much.
pub(crate) fn holding(account: usize, owner: Address, mint: Address, amount: u64) -> Value {
    json!({
        "accountIndex": account, "mint": mint.to_string(), "owner": owner.to_string(),
        "programId": Token::PROGRAM.to_string(),
        "uiTokenAmount": { "amount": amount.to_string(), "decimals": 6, "uiAmount": null, "uiAmountString": "" },
    })
}

/// A transaction in which the payer pays 7 dollars to the receiver, who has no account for dollars yet.
pub(crate) fn answer() -> Value {
    let key = |address: Address, signer: bool, source: &str| json!({ "pubkey": address.to_string(), "signer": signer, "source": source, "writable": signer });
    json!({
        "blockTime": SECONDS,
        "meta": {
            "computeUnitsConsumed": 30_000, "err": null, "fee": 5_000, "innerInstructions": [],
            "logMessages": ["Program TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA invoke [1]"],
            "postBalances": [1, 2_039_280, 2_039_280, 0], "preBalances": [2_044_281, 2_039_280, 0, 0],
            "preTokenBalances": [holding(1, PAYER, MINT, 10_000_000)],
            "postTokenBalances": [holding(1, PAYER, MINT, 3_000_000), holding(2, RECEIVER, MINT, 7_000_000)],
            "rewards": [], "status": { "Ok": null },
        },
        "slot": SLOT,
        "transaction": {
            "message": {
                "accountKeys": [
                    key(PAYER, true, "transaction"), key(Address([11; 32]), false, "transaction"),
                    key(Address([12; 32]), false, "transaction"), key(REFERENCE, false, "lookupTable"),
                ],
                "addressTableLookups": [], "instructions": [], "recentBlockhash": Address([13; 32]).to_string(),
            },
            "signatures": [SIGNATURE.to_string()],
        },
        "version": 0,
    })
}

pub(crate) fn expected() -> Expected {
    Expected {
        signature: SIGNATURE,
        token: Token::USDC,
        payer: PAYER,
        receiver: RECEIVER,
        amount: BaseUnits(7_000_000),
        reference: Some(REFERENCE),
        window: Window { not_before: UnixMillis(SECONDS * 1_000), deadline: UnixMillis(SECONDS * 1_000 + 1) },
    }
}

pub(crate) fn judge(answer: Value) -> Verdict {
    verify_transfer(&Ok(answer), &expected())
}

#[track_caller]
fn says(answer: Value, verdict: &str, why: &str) {
    assert_eq!(word(judge(answer)), verdict, "{why}");
}

#[test]
fn the_question_asks_for_what_is_final_in_any_version() {
    let question = transaction(&SIGNATURE).question;
    assert_eq!(question.method, "getTransaction");
    let options =
        json!({ "encoding": "jsonParsed", "commitment": "finalized", "maxSupportedTransactionVersion": 0 });
    assert_eq!(question.params, json!([SIGNATURE.to_string(), options]));
}

/// C6
#[test]
fn a_payment_is_verified_with_what_has_arrived() {
    let block_time = UnixMillis(SECONDS * 1_000);
    let received = BaseUnits(7_000_000);
    assert_eq!(judge(answer()), Verdict::Verified { slot: SLOT, block_time, received });
    let mut less = expected();
    less.amount = BaseUnits(1);
    assert_eq!(verify_transfer(&Ok(answer()), &less), Verdict::Verified { slot: SLOT, block_time, received });
}

/// C6
#[test]
fn what_is_expected_otherwise_is_another_transfer() {
    let judge = |change: fn(&mut Expected)| {
        let mut expected = expected();
        change(&mut expected);
        word(verify_transfer(&Ok(answer()), &expected))
    };
    assert_eq!(judge(|expected| expected.payer = STRANGER), "wrong_payer");
    assert_eq!(judge(|expected| expected.receiver = STRANGER), "wrong_receiver");
    assert_eq!(judge(|expected| expected.token.mint = OTHER_MINT), "wrong_mint");
    assert_eq!(judge(|expected| expected.amount.0 += 1), "amount_too_small");
    assert_eq!(judge(|expected| expected.reference = Some(STRANGER)), "reference_missing");
    assert_eq!(judge(|expected| expected.reference = None), "verified");
    assert_eq!(judge(|expected| expected.signature.0[63] ^= 1), "unreadable");
    assert_eq!(judge(|expected| expected.token.decimals = 9), "wrong_decimals");
    assert_eq!(judge(|expected| expected.token.program = STRANGER), "wrong_program");
}

/// C6: nothing is paid by moving nothing, even if nothing was to be paid.
#[test]
fn a_transfer_of_nothing_pays_nothing() {
    let mut nothing = expected();
    nothing.amount = BaseUnits(0);
    let unmoved = with(&answer(), "/meta/postTokenBalances", json!([holding(1, PAYER, MINT, 10_000_000)]));
    assert_eq!(word(verify_transfer(&Ok(unmoved), &nothing)), "not_transferred");
    assert_eq!(word(verify_transfer(&Ok(answer()), &nothing)), "verified");
}

/// C6
#[test]
fn balances_count_over_all_accounts_of_a_wallet() {
    let story = |before: Value, after: Value| {
        let answer = with(&answer(), "/meta/preTokenBalances", before);
        with(&answer, "/meta/postTokenBalances", after)
    };
    let (payer, receiver) =
        (|at, amount| holding(at, PAYER, MINT, amount), |at, amount| holding(at, RECEIVER, MINT, amount));
    for (why, before, after, verdict) in [
        (
            "paid from two accounts into two",
            json!([payer(0, 4_000_000), payer(1, 3_000_000), receiver(2, 1)]),
            json!([receiver(2, 5_000_001), receiver(3, 2_000_000)]),
            "verified",
        ),
        (
            "the receiver only moves its own between its accounts",
            json!([payer(0, 9_000_000), receiver(1, 7_000_000)]),
            json!([payer(0, 2_000_000), receiver(2, 7_000_000), holding(3, STRANGER, MINT, 7_000_000)]),
            "wrong_receiver",
        ),
        (
            "the payer only moves its own between its accounts",
            json!([payer(0, 7_000_000), holding(1, STRANGER, MINT, 7_000_000)]),
            json!([payer(2, 7_000_000), receiver(3, 7_000_000)]),
            "wrong_payer",
        ),
        (
            "a stranger pays a part",
            json!([payer(0, 7_000_000), holding(1, STRANGER, MINT, 1)]),
            json!([payer(0, 1), receiver(2, 7_000_000)]),
            "wrong_payer",
        ),
        (
            "a fee on the way",
            json!([payer(0, 7_000_000)]),
            json!([receiver(1, 6_999_999), holding(2, STRANGER, MINT, 1)]),
            "amount_too_small",
        ),
        (
            "another token for the receiver",
            json!([holding(0, PAYER, OTHER_MINT, 7_000_000)]),
            json!([holding(1, RECEIVER, OTHER_MINT, 7_000_000)]),
            "wrong_mint",
        ),
        (
            "the receiver pays the payer",
            json!([payer(0, 0), receiver(1, 7_000_000)]),
            json!([payer(0, 7_000_000), receiver(1, 0)]),
            "not_transferred",
        ),
        ("no token at all", json!([]), json!([]), "not_transferred"),
    ] {
        says(story(before, after), verdict, why);
    }
}

/// C6
#[test]
fn a_window_begins_a_minute_early_and_ends_before_its_deadline() {
    for (seconds, verdict) in [
        (SECONDS, "verified"),
        (SECONDS - 60, "verified"),
        (SECONDS - 61, "outside_window"),
        (SECONDS + 1, "outside_window"),
        (0, "outside_window"),
        (u64::MAX, "outside_window"),
    ] {
        says(with(&answer(), "/blockTime", seconds), verdict, &seconds.to_string());
    }
}

/// C6
#[test]
fn a_transaction_that_failed_on_the_chain_has_failed() {
    for fault in [json!({ "InstructionError": [2, { "Custom": 1 }] }), json!("AccountNotFound"), json!({})] {
        says(with(&answer(), "/meta/err", fault.clone()), "reverted", &fault.to_string());
    }
    // Its balances and its time do not matter then.
    let bare = with(&without(&answer(), "/blockTime"), "/meta/postTokenBalances", json!([]));
    says(with(&bare, "/meta/err", "AccountNotFound"), "reverted", "bare");
}

/// C7
#[test]
fn what_a_node_does_not_say_is_unknown() {
    says(Value::Null, "not_found", "null");
    let faulty: Answer = Err(fault());
    assert_eq!(word(verify_transfer(&faulty, &expected())), "node_fault");
    says(without(&answer(), "/blockTime"), "no_block_time", "no time");
    says(with(&answer(), "/blockTime", Value::Null), "no_block_time", "null time");
    for place in [
        "/meta",
        "/meta/err",
        "/meta/preTokenBalances",
        "/meta/postTokenBalances",
        "/slot",
        "/transaction",
        "/transaction/signatures",
        "/transaction/message",
        "/transaction/message/accountKeys",
        "/transaction/message/accountKeys/0/pubkey",
        "/meta/postTokenBalances/0/accountIndex",
        "/meta/postTokenBalances/0/mint",
        "/meta/postTokenBalances/0/owner",
        "/meta/postTokenBalances/0/programId",
        "/meta/postTokenBalances/0/uiTokenAmount",
        "/meta/postTokenBalances/0/uiTokenAmount/amount",
        "/meta/postTokenBalances/0/uiTokenAmount/decimals",
    ] {
        says(without(&answer(), place), "unreadable", place);
        // A transaction whose execution is unknown has no `meta.err` either, or `null` in place of a part.
        if place != "/meta/err" {
            says(with(&answer(), place, Value::Null), "unreadable", place);
        }
    }
}

/// C2, C7
#[test]
fn what_a_node_says_wrongly_is_unknown() {
    for (place, value, verdict) in [
        ("/meta/preTokenBalances/0/uiTokenAmount/decimals", json!(9), "wrong_decimals"),
        ("/meta/postTokenBalances/1/uiTokenAmount/decimals", json!(0), "wrong_decimals"),
        ("/meta/postTokenBalances/1/programId", json!(STRANGER.to_string()), "wrong_program"),
        ("/meta/preTokenBalances/0/programId", json!(STRANGER.to_string()), "wrong_program"),
        ("/transaction/signatures/0", json!(Signature([8; 64]).to_string()), "unreadable"),
        ("/transaction/signatures", json!([]), "unreadable"),
        (
            "/transaction/signatures",
            json!([Signature([8; 64]).to_string(), SIGNATURE.to_string()]),
            "unreadable",
        ),
        ("/meta/postTokenBalances/1/accountIndex", json!(1), "unreadable"),
        ("/meta/postTokenBalances/1/accountIndex", json!(4), "unreadable"),
        ("/meta/postTokenBalances/1/accountIndex", json!(256), "unreadable"),
        ("/meta/postTokenBalances/1/uiTokenAmount/amount", json!("7000000.0"), "unreadable"),
        ("/meta/postTokenBalances/1/uiTokenAmount/amount", json!(7_000_000), "unreadable"),
        ("/meta/postTokenBalances/1/uiTokenAmount/amount", json!("-7000000"), "unreadable"),
        ("/meta/postTokenBalances/1/uiTokenAmount/amount", json!("18446744073709551616"), "unreadable"),
        ("/meta/err", json!(false), "unreadable"),
        ("/meta/err", json!(0), "unreadable"),
        ("/blockTime", json!(-1), "unreadable"),
        ("/blockTime", json!("1796110634"), "unreadable"),
        ("/slot", json!("430000000"), "unreadable"),
        // Keys as the encoding `json` writes them: the node has not done what it was asked.
        ("/transaction/message/accountKeys/0", json!(PAYER.to_string()), "unreadable"),
    ] {
        says(with(&answer(), place, value.clone()), verdict, &format!("{place} {value}"));
    }
    for text in [json!("ok"), json!([]), json!({}), json!(7), json!(false)] {
        says(text.clone(), "unreadable", &text.to_string());
    }
}
