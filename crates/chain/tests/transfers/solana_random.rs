//! SPL Token transfers, at random.

use chain::Verdict;
use chain::solana::{Address, verify_transfer};
use primitives::BaseUnits;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::ethereum_random::leaf;
use crate::solana::{MINT, OTHER_MINT, PAYER, RECEIVER, STRANGER, answer, expected, holding, judge};
use crate::{places, with, word};

/// Who owns it, in which token, how much; each account of the transaction once or not at all.
type Held = Option<(Address, Address, u64)>;

fn held() -> impl Strategy<Value = [Held; 4]> {
    let owner = prop::sample::select(vec![PAYER, RECEIVER, STRANGER]);
    let mint = prop::sample::select(vec![MINT, MINT, OTHER_MINT]);
    prop::array::uniform4(prop::option::of((owner, mint, 0..5_u64)))
}

fn balances(held: &[Held]) -> Value {
    let rows = held.iter().enumerate();
    rows.filter_map(|(at, held)| held.map(|(owner, mint, amount)| holding(at, owner, mint, amount))).collect()
}

/// What a wallet has of a token.
fn total(held: &[Held], owner: Address, mint: Address) -> i64 {
    let own = held.iter().flatten().filter(|held| (held.0, held.1) == (owner, mint));
    own.map(|held| i64::try_from(held.2).unwrap()).sum()
}

/// Answers that say nothing for good, and where.
fn unknown() -> Vec<(&'static str, Value)> {
    let cases = [
        ("/transaction/signatures/0", json!("1".repeat(64))),
        ("/meta/err", json!(false)),
        ("/meta", json!(null)),
        ("/meta/preTokenBalances", json!(null)),
        ("/meta/postTokenBalances", json!(null)),
        ("/meta/postTokenBalances/1/uiTokenAmount/decimals", json!(5)),
        ("/meta/preTokenBalances/0/programId", json!(STRANGER.to_string())),
        ("/meta/postTokenBalances/1/accountIndex", json!(9)),
        ("/meta/postTokenBalances/1/uiTokenAmount/amount", json!("7e6")),
        ("/blockTime", json!(null)),
        ("/slot", json!(null)),
    ];
    cases.map(|(place, value)| (place, with(&answer(), place, value))).into()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    /// C6
    #[test]
    fn the_verdict_is_that_of_the_balances(before in held(), after in held(), amount in 1..5_u64) {
        let story = with(&answer(), "/meta/preTokenBalances", balances(&before));
        let story = with(&story, "/meta/postTokenBalances", balances(&after));
        let mut expected = expected();
        expected.amount = BaseUnits(amount.into());
        let verdict = verify_transfer(&Ok(story), &expected);
        let gain = |owner, mint| total(&after, owner, mint) - total(&before, owner, mint);
        let (received, paid) = (gain(RECEIVER, MINT), -gain(PAYER, MINT));
        let amount = i64::try_from(amount).unwrap();
        let expected = if received >= amount && paid >= amount {
            "verified"
        } else if received >= amount {
            "wrong_payer"
        } else if received > 0 {
            "amount_too_small"
        } else if gain(RECEIVER, OTHER_MINT) > 0 {
            "wrong_mint"
        } else if paid > 0 {
            "wrong_receiver"
        } else {
            "not_transferred"
        };
        prop_assert_eq!(word(verdict), expected);
        if let Verdict::Verified { received: told, .. } = verdict {
            prop_assert_eq!(i128::try_from(told.0).unwrap(), i128::from(received));
        }
    }

    /// C7: whatever else a node says, what it leaves open stays open.
    #[test]
    fn no_other_value_makes_an_unknown_transfer_verified(
        (place, base) in prop::sample::select(unknown()), at in any::<prop::sample::Index>(), value in leaf(),
    ) {
        prop_assert!(matches!(judge(base.clone()), Verdict::Unknown(_)));
        let others: Vec<_> = places(&base).into_iter().filter(|other| other != place).collect();
        let verdict = judge(with(&base, &others[at.index(others.len())], value));
        prop_assert_ne!(word(verdict), "verified");
    }

    /// C1, C7
    #[test]
    fn no_value_alone_makes_a_transfer_fail_but_those_that_tell_of_it(
        at in any::<prop::sample::Index>(), value in leaf(),
    ) {
        let places = places(&answer());
        let place = &places[at.index(places.len())];
        if let Verdict::Failed(reason) = judge(with(&answer(), place, value.clone())) {
            let telling: &[&str] = match reason.code() {
                "reverted" => &["/meta/err"],
                "outside_window" => &["/blockTime"],
                "reference_missing" => &["/transaction/message/accountKeys"],
                _ => &["/meta/preTokenBalances", "/meta/postTokenBalances"],
            };
            prop_assert!(telling.iter().any(|part| place.starts_with(part)), "{} {} {}", reason.code(), place, value);
        }
    }

    /// C1
    #[test]
    fn no_answer_makes_a_verdict_panic_or_verifies(value in leaf()) {
        prop_assert!(matches!(judge(value), Verdict::Unknown(_)));
    }
}
