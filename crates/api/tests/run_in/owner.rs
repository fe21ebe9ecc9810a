//! What a run's owner says.

use alloy_primitives::Address;
use api::inbound::run::{confirmation, nothing, payment, rebind, wallet_state};
use primitives::{BaseUnits, Digest, UnixMillis};
use run::{Cents, Command, WalletReport};
use serde_json::{Value, json};

use crate::cast::*;

const ACCOUNT: &str = "0x036CbD53842c5426634e7929541eC2318f3dCF7e";
const SOLANA: &str = "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM";

fn wallet() -> Value {
    json!({ "connected": true, "address": SOLANA, "shieldedUsdc": "5000000", "checkedAt": "2027-01-01T00:00:01.5Z" })
}

#[test]
fn a_wallet_that_is_there_and_one_that_is_not() {
    let report = wallet_state(&wallet(), NOW).unwrap();
    let expected = WalletReport {
        address: Some(SOLANA.to_owned()),
        shielded: Some(BaseUnits(5_000_000)),
        checked_at: UnixMillis(NOW.0 + 1_500),
    };
    assert_eq!(report, expected);
    let as_integer = with(&wallet(), "/shieldedUsdc", json!(5_000_000));
    assert_eq!(wallet_state(&as_integer, NOW).unwrap(), expected);
    let nulls = json!({ "connected": true, "address": SOLANA, "shieldedUsdc": null, "checkedAt": null });
    for body in [json!({ "connected": true, "address": SOLANA }), nulls] {
        let report = wallet_state(&body, NOW).unwrap();
        assert_eq!((report.shielded, report.checked_at), (None, NOW));
    }
    let gone = wallet_state(&json!({ "connected": false }), NOW).unwrap();
    assert_eq!(gone, WalletReport { address: None, shielded: None, checked_at: NOW });
}

/// A wallet that is named in another case is not another wallet; one of Solana is.
#[test]
fn an_account_of_an_evm_chain_has_one_text() {
    let read = |address: &str| {
        let report = wallet_state(&json!({ "connected": true, "address": address }), NOW).unwrap();
        report.address.unwrap()
    };
    for text in [ACCOUNT, &ACCOUNT.to_ascii_lowercase(), &format!("0x{}", ACCOUNT[2..].to_ascii_uppercase())]
    {
        assert_eq!(read(text), ACCOUNT);
    }
    assert_ne!(read(SOLANA), read(&SOLANA.to_ascii_lowercase()));
}

#[test]
fn every_fault_of_a_wallet_has_its_place() {
    for (pointer, value, place) in [
        ("/connected", json!("yes"), "connected"),
        ("/connected", Value::Null, "connected"),
        ("/address", Value::Null, "address"),
        ("/address", json!(""), "address"),
        ("/address", json!("0x12"), "address"),
        ("/address", json!(format!("{ACCOUNT}0")), "address"),
        ("/address", json!("0x0x6CbD53842c5426634e7929541eC2318f3dCF7e"), "address"),
        ("/address", json!("a b"), "address"),
        ("/address", json!("a|b"), "address"),
        ("/address", json!("ä"), "address"),
        ("/address", json!("x".repeat(129)), "address"),
        ("/shieldedUsdc", json!("-1"), "shieldedUsdc"),
        ("/shieldedUsdc", json!(1.5), "shieldedUsdc"),
        ("/shieldedUsdc", json!("340282366920938463463374607431768211456"), "shieldedUsdc"),
        ("/checkedAt", json!("yesterday"), "checkedAt"),
        ("/checkedAt", json!(NOW.0), "checkedAt"),
        ("/seed", json!("abandon"), "seed"),
    ] {
        let read = wallet_state(&with(&wallet(), pointer, value.clone()), NOW);
        assert_eq!(places(read), [place], "{pointer} {value}");
    }
    let gone = with(&wallet(), "/connected", json!(false));
    assert_eq!(places(wallet_state(&gone, NOW)), ["address", "shieldedUsdc"]);
}

#[test]
fn a_yes_repeats_what_was_shown_and_a_no_says_nothing_else() {
    let digest = Digest::of(&[b"all of it"]);
    let yes = json!({ "digest": digest, "amountCents": "2198" });
    let expected = |signer: Option<&str>| Command::Confirm {
        digest,
        amount: Cents(2_198),
        signer: signer.map(str::to_owned),
    };
    assert_eq!(confirmation(&yes, None).unwrap(), expected(None));
    let account: Address = ACCOUNT.parse().unwrap();
    assert_eq!(confirmation(&yes, Some(account)).unwrap(), expected(Some(ACCOUNT)));
    assert_eq!(confirmation(&with(&yes, "/amountCents", json!(2_198)), None).unwrap(), expected(None));
    assert_eq!(confirmation(&json!({ "reject": true }), None).unwrap(), Command::Reject);
    for (body, faults) in [
        (json!({}), &["digest", "amountCents"][..]),
        (json!({ "digest": digest }), &["amountCents"]),
        (json!({ "amountCents": "1" }), &["digest"]),
        (json!({ "reject": false }), &["reject"]),
        (json!({ "reject": "true" }), &["reject"]),
        (json!({ "reject": true, "digest": digest, "amountCents": "1" }), &["reject"]),
        (json!({ "reject": false, "digest": digest, "amountCents": "1" }), &["reject"]),
        (json!({ "digest": "00", "amountCents": "1" }), &["digest"]),
        (json!({ "digest": digest.to_string().to_ascii_uppercase(), "amountCents": "1" }), &["digest"]),
        (json!({ "digest": format!("0x{digest}"), "amountCents": "1" }), &["digest"]),
        (json!({ "digest": digest, "amountCents": "1.00" }), &["amountCents"]),
        (json!({ "digest": "x", "amountCents": "1000000000001" }), &["digest", "amountCents"]),
        (json!({ "digest": digest, "amountCents": "1", "amount": "2" }), &["amount"]),
        (json!([digest, "1"]), &["body"]),
    ] {
        assert_eq!(places(confirmation(&body, None)), faults, "{body}");
    }
}

/// Were there two texts of one transaction, it would pay for two runs.
#[test]
fn a_transaction_has_one_text() {
    let read = |signature: &str| payment(&json!({ "signature": signature }));
    let evm = format!("0x{}", "aB".repeat(32));
    assert_eq!(read(&evm).unwrap().signature, evm.to_ascii_lowercase());
    let simulated = format!("sim_{}", "ab".repeat(32));
    assert_eq!(read(&simulated).unwrap().signature, simulated);
    let solana = "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW";
    assert_eq!(read(solana).unwrap().signature, solana);
    for bad in [
        "",
        "0x",
        &evm[2..],
        &evm[..65],
        &format!("{evm}0"),
        &format!("0X{}", "ab".repeat(32)),
        &format!("sim_{}", "AB".repeat(32)),
        "sim_",
        &solana[..63],
        &format!("{solana}1"),
        &solana.replace('V', "0"),
        &solana.replace('V', "l"),
        &format!(" {solana}"),
    ] {
        assert_eq!(places(read(bad)), ["signature"], "{bad:?}");
    }
}

#[test]
fn a_payment_may_say_how_long_it_can_land() {
    let signature = format!("sim_{}", "00".repeat(32));
    let body = json!({ "signature": signature, "lastValidBlockHeight": 250_000_000 });
    assert_eq!(payment(&body).unwrap().last_valid_block_height, Some(250_000_000));
    for (value, place) in [
        (json!(-1), "lastValidBlockHeight"),
        (json!("1"), "lastValidBlockHeight"),
        (json!(1.5), "lastValidBlockHeight"),
    ] {
        assert_eq!(places(payment(&with(&body, "/lastValidBlockHeight", value))), [place]);
    }
    assert_eq!(places(payment(&json!({}))), ["signature"]);
    assert_eq!(places(payment(&with(&body, "/amountCents", json!("1")))), ["amountCents"]);
}

#[test]
fn an_executor_is_named_by_its_id() {
    assert_eq!(rebind(&json!({ "executorId": executor() })).unwrap(), executor());
    for body in [json!({}), json!({ "executorId": "me" }), json!({ "executorId": null })] {
        assert_eq!(places(rebind(&body)), ["executorId"], "{body}");
    }
}

#[test]
fn a_cancellation_says_nothing() {
    assert!(nothing(&Value::Null).is_ok() && nothing(&json!({})).is_ok());
    assert_eq!(places(nothing(&json!({ "reason": "x" }))), ["reason"]);
}
