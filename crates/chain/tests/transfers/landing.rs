//! Whether a transaction can still land.

use chain::rpc::Answer;
use chain::solana::{Epoch, Signature, Status, epoch, never_landed, status};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::ethereum_random::leaf;
use crate::{fault, places, with, without};

const SLOT: u64 = 430_000_000;
const HEIGHT: u64 = 408_000_000;

fn epoch_answer() -> Value {
    json!({
        "absoluteSlot": SLOT, "blockHeight": HEIGHT, "epoch": 995, "slotIndex": 160_000, "slotsInEpoch": 432_000,
        "transactionCount": 480_000_000_000_u64,
    })
}

fn status_answer(status: Value) -> Value {
    json!({ "context": { "apiVersion": "3.0.6", "slot": SLOT }, "value": [status] })
}

fn known(confirmation: &str, fault: Value) -> Value {
    json!({ "slot": SLOT - 5, "confirmations": 5, "err": fault, "status": { "Ok": null }, "confirmationStatus": confirmation })
}

fn absent(last_valid: u64, epoch: Value, status: Value) -> bool {
    never_landed(&Ok(epoch), &Ok(status), last_valid)
}

#[test]
fn the_questions_search_the_history_and_ask_for_what_is_final() {
    let signature = Signature([7; 64]);
    let question = status(&signature).question;
    assert_eq!(question.method, "getSignatureStatuses");
    assert_eq!(question.params, json!([[signature.to_string()], { "searchTransactionHistory": true }]));
    let question = epoch().question;
    assert_eq!((question.method, question.params), ("getEpochInfo", json!([{ "commitment": "finalized" }])));
    assert_eq!(epoch().read(&epoch_answer()), Ok(Epoch { slot: SLOT, block_height: HEIGHT }));
    let read = |value: Value| status(&signature).read(&status_answer(value));
    assert_eq!(read(Value::Null), Ok(Status { slot: SLOT, is_known: false }));
    assert_eq!(read(known("processed", Value::Null)), Ok(Status { slot: SLOT, is_known: true }));
}

/// C8
#[test]
fn a_transaction_has_never_landed_once_its_last_block_is_final_and_it_is_unknown() {
    let nothing = status_answer(Value::Null);
    assert!(absent(HEIGHT - 1, epoch_answer(), nothing.clone()));
    assert!(!absent(HEIGHT, epoch_answer(), nothing.clone()), "that very block still takes it");
    assert!(!absent(u64::MAX, epoch_answer(), nothing.clone()));
    for confirmation in ["processed", "confirmed", "finalized"] {
        for fault in [Value::Null, json!({ "InstructionError": [0, { "Custom": 1 }] })] {
            let known = status_answer(known(confirmation, fault));
            assert!(!absent(HEIGHT - 1, epoch_answer(), known), "{confirmation}");
        }
    }
    let behind = with(&nothing, "/context/slot", SLOT - 1);
    assert!(!absent(HEIGHT - 1, epoch_answer(), behind), "a node that has not seen it all");
    let ahead = with(&nothing, "/context/slot", SLOT + 40);
    assert!(absent(HEIGHT - 1, epoch_answer(), ahead));
}

/// C8
#[test]
fn nothing_is_absent_by_an_answer_that_says_nothing() {
    let nothing = status_answer(Value::Null);
    let judge = |epoch: Answer, status: Answer| never_landed(&epoch, &status, 0);
    assert!(judge(Ok(epoch_answer()), Ok(nothing.clone())));
    assert!(!judge(Err(fault()), Ok(nothing.clone())));
    assert!(!judge(Ok(epoch_answer()), Err(fault())));
    for place in ["/absoluteSlot", "/blockHeight"] {
        assert!(!judge(Ok(without(&epoch_answer(), place)), Ok(nothing.clone())), "{place}");
        assert!(!judge(Ok(with(&epoch_answer(), place, "1")), Ok(nothing.clone())), "{place}");
    }
    for place in ["/context", "/context/slot", "/value"] {
        assert!(!judge(Ok(epoch_answer()), Ok(without(&nothing, place))), "{place}");
    }
    for value in
        [json!([]), json!([null, null]), json!(null), json!([false]), json!(["finalized"]), json!([[]])]
    {
        assert!(!judge(Ok(epoch_answer()), Ok(with(&nothing, "/value", value.clone()))), "{value}");
    }
    for text in [json!(null), json!("ok"), json!(0), json!([])] {
        assert!(!judge(Ok(text.clone()), Ok(nothing.clone())), "{text}");
        assert!(!judge(Ok(epoch_answer()), Ok(text.clone())), "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    /// C1, C8: a known transaction stays known, whatever else a node says.
    #[test]
    fn no_other_value_makes_a_known_transaction_absent(at in any::<prop::sample::Index>(), value in leaf()) {
        let known = status_answer(known("confirmed", Value::Null));
        let places: Vec<_> = places(&known).into_iter().filter(|place| place != "/value/0").collect();
        let answer = with(&known, &places[at.index(places.len())], value.clone());
        prop_assert!(!never_landed(&Ok(epoch_answer()), &Ok(answer), 0));
        let nothing = status_answer(Value::Null);
        prop_assert!(!never_landed(&Ok(value.clone()), &Ok(nothing), 0));
        prop_assert!(!never_landed(&Ok(epoch_answer()), &Ok(value), 0));
    }
}
