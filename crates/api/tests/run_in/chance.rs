//! Bodies by chance: reading never fails otherwise than by saying what is wrong.

use api::inbound;
use api::inbound::run::{browser_result, confirmation, created, payment, rebind, registration, wallet_state};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::cast::*;

fn values() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(|number| json!(number)),
        ".{0,40}".prop_map(Value::from),
        "[0-9]{0,45}".prop_map(Value::from),
        Just(json!([])),
        Just(json!({})),
    ]
}

/// Every place of a body.
fn pointers(body: &Value, at: &str, found: &mut Vec<String>) {
    let parts: Vec<(String, &Value)> = match body {
        Value::Object(fields) => fields.iter().map(|(name, value)| (name.clone(), value)).collect(),
        Value::Array(items) => items.iter().enumerate().map(|(at, value)| (at.to_string(), value)).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    };
    for (name, value) in parts {
        let pointer = format!("{at}/{name}");
        pointers(value, &pointer, found);
        found.push(pointer);
    }
}

/// One of the bodies with one place replaced.
fn spoiled() -> impl Strategy<Value = Value> {
    let bodies = vec![
        purchase(),
        quote(),
        pix(),
        json!({ "connected": true, "address": "abc", "shieldedUsdc": "1", "checkedAt": "2027-01-01T00:00:00Z" }),
        json!({ "digest": "00", "amountCents": "1", "reject": true }),
        json!({ "signature": "sim_", "lastValidBlockHeight": 1, "executorId": "exe_", "label": "x" }),
    ];
    (proptest::sample::select(bodies), any::<prop::sample::Index>(), values()).prop_map(
        |(body, at, value)| {
            let mut all = Vec::new();
            pointers(&body, "", &mut all);
            with(&body, &all[at.index(all.len())], value)
        },
    )
}

proptest! {
    #[test]
    fn whatever_comes_is_read_or_refused(body in spoiled()) {
        let setup = runs(&[]);
        let refusals = [
            created(&body, &setup, None).err(),
            browser_result(&body).err(),
            wallet_state(&body, NOW).err(),
            confirmation(&body, None).err(),
            payment(&body).err(),
            rebind(&body).err(),
            registration(&body).err(),
        ];
        for problem in refusals.into_iter().flatten() {
            prop_assert!(problem.status == 400 || problem.status == 422, "{:?}", problem);
            prop_assert!(problem.status == 422 || !problem.errors.is_empty(), "{:?}", problem);
            prop_assert!(problem.errors.iter().all(|fault| !fault.field.is_empty()), "{:?}", problem);
        }
    }

    /// A name that stands twice is refused before anything is read.
    #[test]
    fn a_body_says_each_thing_once(name in "[a-z]{1,8}") {
        let text = format!(r#"{{"{name}":1,"x":{{"{name}":2}},"{name}":3}}"#);
        prop_assert!(inbound::body(Some("application/json"), &text).is_err());
    }

    /// Amounts come as integers or as texts, and mean the same.
    #[test]
    fn an_amount_is_an_integer_or_its_text(cents in 1..=1_000_000_000_000_u64) {
        let read = |value: Value| {
            created(&with(&purchase(), "/request/maxBudgetCents", value), &runs(&[]), None).unwrap().intent
        };
        prop_assert_eq!(read(json!(cents)), read(json!(cents.to_string())));
        prop_assert_eq!(read(json!(cents)).max_total, run::Cents(cents));
    }
}

#[test]
fn a_result_of_no_known_type_names_none_of_its_values() {
    let body = Value::Object(Map::from_iter([
        ("type".to_owned(), json!("PAY")),
        ("payload".to_owned(), json!(CODE)),
    ]));
    let problem = browser_result(&body).unwrap_err();
    assert!(!serde_json::to_string(&problem).unwrap().contains("Fulano"));
}
