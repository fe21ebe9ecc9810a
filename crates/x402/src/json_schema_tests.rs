use super::*;
use serde_json::json;

fn accepts(schema: &Value, value: &Value) -> bool {
    Schema::parse(schema).unwrap().accepts(value)
}

#[test]
fn each_keyword_takes_what_it_describes_and_nothing_else() {
    let cases = [
        (json!(true), json!(1), None),
        (json!({}), json!(null), None),
        (json!({ "type": "string" }), json!("a"), Some(json!(1))),
        (json!({ "type": ["string", "null"] }), json!(null), Some(json!(1))),
        (json!({ "type": "integer" }), json!(1.0), Some(json!(1.5))),
        (json!({ "type": "number" }), json!(1.5), Some(json!("1.5"))),
        (json!({ "type": "boolean" }), json!(false), Some(json!(null))),
        (json!({ "type": "array" }), json!([]), Some(json!({}))),
        (json!({ "type": "object" }), json!({}), Some(json!([]))),
        (json!({ "const": { "a": 1 } }), json!({ "a": 1 }), Some(json!({ "a": 2 }))),
        (json!({ "enum": ["a", 1] }), json!(1), Some(json!("b"))),
        (json!({ "required": ["a"] }), json!({ "a": null }), Some(json!({ "b": 1 }))),
        (json!({ "properties": { "a": { "type": "null" } } }), json!({ "b": 1 }), Some(json!({ "a": 1 }))),
        (
            json!({ "properties": { "a": true }, "additionalProperties": false }),
            json!({ "a": 1 }),
            Some(json!({ "a": 1, "b": 1 })),
        ),
        (
            json!({ "additionalProperties": { "type": "string" } }),
            json!({ "b": "c" }),
            Some(json!({ "b": 1 })),
        ),
        (json!({ "minProperties": 1 }), json!({ "a": 1 }), Some(json!({}))),
        (json!({ "maxProperties": 1 }), json!({ "a": 1 }), Some(json!({ "a": 1, "b": 1 }))),
        (json!({ "items": { "type": "string" } }), json!(["a"]), Some(json!(["a", 1]))),
        (json!({ "minItems": 1 }), json!([1]), Some(json!([]))),
        (json!({ "maxItems": 1 }), json!([1]), Some(json!([1, 2]))),
        (json!({ "minLength": 2 }), json!("éé"), Some(json!("é"))),
        (json!({ "maxLength": 2 }), json!("éé"), Some(json!("ééé"))),
        (json!({ "minimum": 1 }), json!(1), Some(json!(0.5))),
        (json!({ "maximum": 1 }), json!(1), Some(json!(2))),
        (json!({ "exclusiveMinimum": 1 }), json!(2), Some(json!(1))),
        (json!({ "exclusiveMaximum": 1 }), json!(0), Some(json!(1))),
        (json!({ "allOf": [{ "minimum": 1 }, { "maximum": 2 }] }), json!(2), Some(json!(3))),
        (json!({ "anyOf": [{ "const": 1 }, { "const": 2 }] }), json!(2), Some(json!(3))),
        (json!({ "oneOf": [{ "minimum": 1 }, { "minimum": 2 }] }), json!(1), Some(json!(2))),
    ];
    for (schema, good, bad) in cases {
        assert!(accepts(&schema, &good), "{schema} takes {good}");
        assert!(bad.as_ref().is_none_or(|bad| !accepts(&schema, bad)), "{schema} does not take {bad:?}");
    }
    assert!(!accepts(&json!(false), &json!(null)));
}

#[test]
fn a_keyword_says_nothing_about_values_of_another_type() {
    let schema = json!({
        "required": ["a"], "properties": { "a": false }, "additionalProperties": false, "minProperties": 1,
        "items": false, "minItems": 1, "minLength": 1, "minimum": 1,
    });
    assert!(accepts(&schema, &json!(true)));
}

#[test]
fn annotations_assert_nothing() {
    let schema = json!({ "$schema": DIALECT, "title": "A", "format": "uuid", "default": 1, "examples": [1] });
    assert!(accepts(&schema, &json!("not a uuid")));
}

#[test]
fn what_is_not_understood_is_refused_wherever_it_stands() {
    let fault = |schema: Value| Schema::parse(&schema).unwrap_err();
    let keyword = |word: &str| SchemaFault::Keyword(word.to_owned());
    assert_eq!(fault(json!({ "pattern": "^a$" })), keyword("pattern"));
    assert_eq!(fault(json!({ "properties": { "a": { "$ref": "#/a" } } })), keyword("$ref"));
    assert_eq!(fault(json!({ "items": { "not": {} } })), keyword("not"));
    assert_eq!(fault(json!({ "anyOf": [{ "multipleOf": 2 }] })), keyword("multipleOf"));
    assert_eq!(fault(json!({ "additionalProperties": { "if": true } })), keyword("if"));
    assert_eq!(fault(json!({ "$schema": "http://json-schema.org/draft-07/schema#" })), keyword("$schema"));
    for (word, value) in [
        ("type", json!("text")),
        ("type", json!(1)),
        ("enum", json!(1)),
        ("required", json!(["a", 1])),
        ("properties", json!([])),
        ("minItems", json!(-1)),
        ("maxLength", json!("1")),
        ("minimum", json!("1")),
        ("allOf", json!([])),
    ] {
        assert_eq!(fault(json!({ word: value })), SchemaFault::Malformed(word.to_owned()), "{value}");
    }
    assert_eq!(fault(json!({ "items": [true] })), SchemaFault::Malformed("schema".to_owned()));
}
