//! What the off-ramp asks for, and what a simulated payment proves (Y1, Y3, Y4).
#![cfg(test)]
#![allow(clippy::arithmetic_side_effects, reason = "small numbers of the tests' own")]

use primitives::{BaseUnits, Digest, RunId, UnixMillis};
use proptest::prelude::*;
use run::{Authorization, Basis, Cents, Payment, Requirement, Trace, Verdict};
use synthetic::{ASSET, CENTS_PER_USDC, FEE_BPS, RECIPIENT, off_ramp, settle, sign, trace, wallet};

const NOW: UnixMillis = UnixMillis(1_800_000_000_000);
const DEVNET: &str = "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1/4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU";

fn id(key: &str) -> RunId {
    RunId::derive(&[key.as_bytes()])
}

fn asks(run: &RunId, amount: u64, asset: &str) -> Requirement {
    off_ramp(run, Cents(amount), asset, NOW).unwrap()
}

#[test]
fn the_rate_and_the_fee_are_rounded_up_once() {
    let gross = |cents| asks(&id("a"), cents, ASSET).gross.0;
    // R$ 5.40 is 1 USDC, and 1 % of that on top.
    assert_eq!(gross(540), 1_010_000);
    assert_eq!(gross(5_400), 10_100_000);
    // 0.01 / 5.40 × 1.01 = 0.001870370…
    assert_eq!(gross(1), 1_871);
    assert_eq!(gross(0), 0);
}

#[test]
fn every_run_has_an_address_of_its_own_in_the_form_of_its_network() {
    let pay_to = |run: &str, asset: &str| asks(&id(run), 540, asset).pay_to;
    for asset in [ASSET, DEVNET, "eip155:31337/0x5FbDB2315678afecb367f032d93F642f64180aa3"] {
        assert_eq!(pay_to("a", asset), pay_to("a", asset));
        assert_ne!(pay_to("a", asset), pay_to("b", asset));
        let asked = asks(&id("a"), 540, asset);
        assert_eq!((asked.asset.as_str(), asked.simulated, asked.reference), (asset, true, None));
    }
    assert!(pay_to("a", ASSET).starts_with("sim_deposit_"));
    assert_eq!(bs58::decode(pay_to("a", DEVNET)).into_vec().unwrap().len(), 32);
    let account = pay_to("a", "eip155:84532/0x036CbD53842c5426634e7929541eC2318f3dCF7e");
    assert_eq!(hex::decode(account.strip_prefix("0x").unwrap()).unwrap().len(), 20);
}

/// Y3: an off-ramp that pays nobody takes nothing from anybody.
#[test]
fn nothing_of_worth_is_taken() {
    for asset in [
        "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp/EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
        "eip155:1/0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
        "eip155:8453/0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
        "eip155:845320/0x036CbD53842c5426634e7929541eC2318f3dCF7e",
        "simulated/usdc2",
        "simulated",
        "eip155:84532",
        "",
    ] {
        let refused = off_ramp(&id("a"), Cents(540), asset, NOW).unwrap_err();
        assert_eq!(refused.asset, asset);
        assert!(refused.to_string().contains("simulated"));
    }
}

#[test]
fn the_recipient_is_the_one_that_mandates_name() {
    let digest = Digest::of(&[b"guildhall simulated off-ramp v1"]).to_string();
    assert_eq!(RECIPIENT, format!("0x{}", &digest[..40]));
    assert_eq!(asks(&id("a"), 1, ASSET).recipient, RECIPIENT);
}

/// What is authorized when everything is as the off-ramp asked.
fn authorized(requirement: &Requirement, wallet: &str) -> Authorization {
    Authorization {
        amount: Cents(540),
        gross: requirement.gross,
        wallet: wallet.to_owned(),
        basis: Basis::UserConfirmation { digest: Digest::ZERO },
        at: NOW,
        submit_by: NOW,
    }
}

/// Anybody can compute it: this one is `sha256sum`'s word on the documented bytes.
#[test]
fn a_simulated_payment_has_the_documented_name() {
    let run: RunId = "run_aaaaaaaaaaaaaaaaaaaaaaaaaa".parse().unwrap();
    let name = synthetic::signature(&run, BaseUnits(1_010_000), "someone", "somewhere");
    assert_eq!(name, "sim_6c81031effa08fb231f9c69bf7601b9fb1638776472df36ab54ccf3aad6f55da");
    assert!(name.len() <= run::limits::SIGNATURE_BYTES);
}

/// Y4
#[test]
fn only_the_payment_that_was_authorized_settles() {
    let (run, requirement) = (id("a"), asks(&id("a"), 540, ASSET));
    let authorization = authorized(&requirement, "sim_wallet_a");
    let payment = sign(&run, &authorization, &requirement);
    let verdict = settle(&run, &payment, &authorization, &requirement);
    assert!(matches!(verdict, Verdict::Verified { received, .. } if received == requirement.gross));

    let elsewhere = Requirement { pay_to: "sim_deposit_b".to_owned(), ..requirement.clone() };
    let more = Authorization { gross: BaseUnits(1_010_001), ..authorization.clone() };
    for other in [
        sign(&id("b"), &authorization, &requirement),
        sign(&run, &more, &requirement),
        sign(&run, &authorized(&requirement, "sim_wallet_b"), &requirement),
        sign(&run, &authorization, &elsewhere),
        Payment { signature: String::new(), last_valid_block_height: None },
        Payment { signature: payment.signature.to_uppercase(), last_valid_block_height: None },
    ] {
        let verdict = settle(&run, &other, &authorization, &requirement);
        assert!(matches!(&verdict, Verdict::Failed { code, .. } if code == "wrong_signature"), "{verdict:?}");
    }
    assert_eq!(trace(), Trace::Absent);
}

/// A wallet and an address cannot be told apart from others that are the same text when they are put side by side.
#[test]
fn the_parts_of_a_name_are_kept_apart() {
    let name = |gross, wallet, pay_to| synthetic::signature(&id("a"), BaseUnits(gross), wallet, pay_to);
    assert_ne!(name(1, "1a", "b"), name(11, "a", "b"));
    assert_ne!(name(1, "ab", "c"), name(1, "a", "bc"));
}

#[test]
fn the_simulated_wallet_is_the_runs_own_and_pays_whatever_is_asked() {
    let report = wallet(&id("a"), NOW);
    assert_eq!(report.checked_at, NOW);
    assert_ne!(report.address, wallet(&id("b"), NOW).address);
    assert!(report.address.clone().unwrap().starts_with("sim_wallet_"));
    let has = synthetic::balances(&report);
    assert!(has.shielded >= Some(asks(&id("a"), Cents::MAX.0, ASSET).gross));
    assert_eq!(has.public, Some(synthetic::PUBLIC_USDC));
}

proptest! {
    /// Y3, in the integers: `gross` is the least whole number that is enough.
    #[test]
    fn the_off_ramp_asks_for_what_is_enough_and_no_more(cents in 1..=Cents::MAX.0) {
        let gross = asks(&id("a"), cents, ASSET).gross.0;
        let asked = u128::from(cents) * u128::from(10_000 + FEE_BPS) * 1_000_000;
        let worth = |units: u128| units * u128::from(CENTS_PER_USDC) * 10_000;
        prop_assert!(worth(gross) >= asked && worth(gross - 1) < asked);
    }
}
