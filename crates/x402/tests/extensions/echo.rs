//! What comes back of what we advertised. The other implementation is a second opinion.

use proptest::prelude::*;
use r402_protocol::{payment::Extensions, validate_extension_echoes};
use serde_json::{Map, Value, json};
use x402::{InvalidReason, check_echo};

fn extensions(value: &Value) -> &Map<String, Value> {
    value.as_object().unwrap()
}

fn mismatch(ours: &Value, theirs: &Value) -> Option<InvalidReason> {
    check_echo(Some(extensions(ours)), Some(extensions(theirs))).err()
}

#[test]
fn a_client_may_add_and_may_leave_out_the_whole() {
    let ours = json!({ "a": { "info": { "x": 1, "deep": { "y": [1, 2] } }, "schema": {} } });
    assert_eq!(check_echo(Some(extensions(&ours)), None), Ok(()));
    assert_eq!(check_echo(None, Some(extensions(&ours))), Ok(()));
    assert_eq!(mismatch(&ours, &json!({})), None);
    assert_eq!(mismatch(&ours, &ours), None);
    assert_eq!(mismatch(&ours, &json!({ "other": { "info": { "x": 2 } } })), None);
    let added = json!({ "a": { "info": { "x": 1, "new": 1, "deep": { "y": [1, 2], "new": 1 } } } });
    assert_eq!(mismatch(&ours, &added), None);
}

#[test]
fn a_client_may_not_drop_or_change() {
    let ours = json!({ "a": { "info": { "x": 1, "deep": { "y": [1, 2] } } } });
    for theirs in [
        json!({ "a": {} }),
        json!({ "a": null }),
        json!({ "a": { "info": {} } }),
        json!({ "a": { "info": [] } }),
        json!({ "a": { "info": { "x": 1 } } }),
        json!({ "a": { "info": { "x": "1", "deep": { "y": [1, 2] } } } }),
        json!({ "a": { "info": { "x": 1, "deep": { "y": [1, 2, 3] } } } }),
        json!({ "a": { "info": { "x": 1, "deep": {} } } }),
    ] {
        let expected = InvalidReason::ExtensionEcho { extension: "a".to_owned() };
        assert_eq!(mismatch(&ours, &theirs), Some(expected), "{theirs}");
    }
}

/// Small JSON of few words, so that two of them are often alike. Without `null`, which the other implementation takes
/// for an absent value.
fn small_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![(0..2_u8).prop_map(Value::from), any::<bool>().prop_map(Value::from)];
    leaf.prop_recursive(3, 8, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..2).prop_map(Value::from),
            prop::collection::btree_map("[xy]", inner, 0..3)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn another_implementation_is_of_the_same_opinion(
        ours in small_json(),
        theirs in small_json(),
        name in prop::sample::select(&["a", "b"][..]),
    ) {
        let ours = json!({ "a": { "info": ours } });
        let theirs = json!({ name: { "info": theirs } });
        let read = |value: &Value| serde_json::from_value::<Extensions>(value.clone()).unwrap();
        let other = validate_extension_echoes(Some(&read(&ours)), &read(&theirs), |_| &[]);
        prop_assert_eq!(mismatch(&ours, &theirs).is_none(), other.is_ok(), "{} {}", ours, theirs);
    }
}
