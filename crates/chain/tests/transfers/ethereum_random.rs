//! ERC-20 transfers, at random.

use chain::Verdict;
use eip712::Address;
use primitives::BaseUnits;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::ethereum::{Seen, story};
use crate::{places, with, word};

/// Token, payer, receiver and value of a log; each party one of four.
type Row = (usize, usize, usize, u64);

fn rows() -> impl Strategy<Value = Vec<Row>> {
    prop::collection::vec((0..2_usize, 0..4_usize, 0..4_usize, 0..6_u64), 0..6)
}

/// Whom the numbers of a row stand for: the first is who is expected.
fn pick(expected: Address, number: usize) -> Address {
    if number == 0 { expected } else { Address::repeat_byte(u8::try_from(number).unwrap()) }
}

fn log(seen: &Seen, (token, from, to, value): Row) -> Value {
    let topic = |party: Address| json!(party.into_word().to_string());
    let mut log = seen.receipt.as_ref().unwrap()["logs"][0].clone();
    log["address"] = json!(pick(seen.expected.token, token).to_string());
    log["topics"][1] = topic(pick(seen.expected.payer, from));
    log["topics"][2] = topic(pick(seen.expected.receiver, to));
    log["data"] = json!(format!("0x{value:064x}"));
    log
}

/// Anything that stands alone in JSON.
pub(crate) fn leaf() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        Just(json!({})),
        Just(json!([])),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (0u64..3).prop_map(Value::from),
        "0x[0-9a-f]{0,66}".prop_map(Value::from),
        "0x[01]".prop_map(Value::from),
        "[0-9]{1,12}".prop_map(Value::from),
        "\\PC{0,8}".prop_map(Value::from),
    ]
}

/// Answers that say nothing for good: which of the three, and where it leaves open what happened.
fn unknown() -> Vec<(usize, &'static str, Seen)> {
    let good = story("paid");
    let other_hash = || json!(format!("0x{}", "11".repeat(32)));
    let change = |place, value| {
        let receipt = Ok(with(good.receipt.as_ref().unwrap(), place, value));
        (0, place, Seen { receipt, ..good.clone() })
    };
    vec![
        (1, "/number", story("paid just now")),
        (0, "", story("waiting")),
        (1, "", Seen { head: Ok(Value::Null), ..good.clone() }),
        (2, "", Seen { block: Ok(Value::Null), ..good.clone() }),
        change("/transactionHash", other_hash()),
        change("/blockHash", other_hash()),
        change("/status", Value::Null),
        change("/logs/0/data", json!("0x1")),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    /// C5, C6
    #[test]
    fn the_verdict_is_that_of_the_logs(rows in rows(), amount in 1..6_u64) {
        let mut seen = story("paid");
        seen.expected.amount = BaseUnits(amount.into());
        let logs: Vec<Value> = rows.iter().map(|row| log(&seen, *row)).collect();
        seen.receipt = Ok(with(seen.receipt.as_ref().unwrap(), "/logs", logs));
        let paid = rows.iter().filter(|row| (row.0, row.1, row.2) == (0, 0, 0)).map(|row| row.3).max();
        match (seen.verdict(), paid) {
            (Verdict::Verified { received, .. }, Some(paid)) => {
                prop_assert!(paid >= amount);
                prop_assert_eq!(received, BaseUnits(paid.into()));
            }
            (verdict, Some(paid)) => prop_assert_eq!((word(verdict), paid < amount), ("amount_too_small", true)),
            (verdict, None) => {
                let has = |test: fn(&Row) -> bool| rows.iter().any(test);
                let expected = if has(|row| (row.1, row.2) == (0, 0)) {
                    "wrong_mint"
                } else if has(|row| (row.0, row.1) == (0, 0)) {
                    "wrong_receiver"
                } else if has(|row| (row.0, row.2) == (0, 0)) {
                    "wrong_payer"
                } else {
                    "not_transferred"
                };
                prop_assert_eq!(word(verdict), expected);
            }
        }
    }

    /// C7: whatever else a node says, what it leaves open stays open.
    #[test]
    fn no_other_value_makes_an_unknown_transfer_verified(
        (open_part, open_place, base) in prop::sample::select(unknown()), part in 0..3_usize,
        at in any::<prop::sample::Index>(), value in leaf(),
    ) {
        prop_assert!(matches!(base.verdict(), Verdict::Unknown(_)));
        let mut seen = base.clone();
        let answer = [&mut seen.receipt, &mut seen.head, &mut seen.block].into_iter().nth(part).unwrap();
        let mut places = places(answer.as_ref().unwrap());
        places.retain(|place| (part, place.as_str()) != (open_part, open_place));
        if !places.is_empty() {
            *answer = Ok(with(answer.as_ref().unwrap(), &places[at.index(places.len())], value));
        }
        prop_assert_ne!(word(seen.verdict()), "verified");
    }

    /// C1, C7
    #[test]
    fn no_single_value_makes_a_verdict_panic(at in any::<prop::sample::Index>(), value in leaf()) {
        let mut seen = story("paid");
        let receipt = seen.receipt.clone().unwrap();
        let places = places(&receipt);
        let place = &places[at.index(places.len())];
        seen.receipt = Ok(with(&receipt, place, value.clone()));
        if let Verdict::Failed(reason) = seen.verdict() {
            // Only these say that it is another transaction than the one expected.
            let telling = ["/status", "/logs", "/logs/0", "/logs/0/address", "/logs/0/removed", "/logs/0/data"];
            let is_topic = place.starts_with("/logs/0/topics");
            prop_assert!(telling.contains(&place.as_str()) || is_topic, "{} {} {}", reason.code(), place, value);
        }
    }
}
