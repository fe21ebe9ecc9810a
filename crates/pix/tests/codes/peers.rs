//! The same reading as another implementation, and the same judgement where we are not stricter.

use std::fmt::Write as _;

use expect_test::expect;
use pix::{BrCode, Point, parse};
use serde_json::Value;

fn vectors() -> Value {
    serde_json::from_str(include_str!("../../../../tests/vectors/pix.json")).unwrap()
}

fn text<'a>(value: &'a Value, name: &str) -> Option<&'a str> {
    value[name].as_str()
}

/// What the other implementation reads must be what we read.
#[track_caller]
fn same(ours: &BrCode, theirs: &Value, context: &str) {
    assert_eq!(text(theirs, "merchantName"), Some(ours.name.as_str()), "{context}");
    assert_eq!(text(theirs, "merchantCity"), Some(ours.city.as_str()), "{context}");
    let is_dynamic = text(theirs, "pointOfInitiation") == Some("dynamic");
    let (key, url, amount, id) = match &ours.point {
        Point::Static { key, amount_cents, txid } => (Some(key), None, *amount_cents, txid.as_deref()),
        Point::Dynamic { url } => (None, Some(url), None, None),
    };
    assert_eq!(is_dynamic, url.is_some() || !ours.reusable, "{context}");
    assert_eq!(text(theirs, "key"), key.map(String::as_str), "{context}");
    assert_eq!(text(theirs, "url"), url.map(String::as_str), "{context}");
    assert_eq!(text(theirs, "txid"), id, "{context}");
    let amount = amount.map(|cents| format!("{}.{:02}", cents / 100, cents % 100));
    assert_eq!(text(theirs, "amount"), amount.as_deref(), "{context}");
}

/// X3
#[test]
fn codes_of_another_implementation_are_read_as_it_reads_them() {
    let vectors = vectors();
    let made = vectors["made"].as_array().unwrap();
    assert_eq!(made.len(), 9);
    for made in made {
        let code = text(made, "text").unwrap();
        same(&parse(code).unwrap(), &made["says"], code);
    }
}

/// X1, X2
#[test]
fn whatever_another_implementation_refuses_is_refused_and_nothing_is_read_otherwise() {
    let vectors = vectors();
    let mut stricter = String::new();
    for judged in vectors["judged"].as_array().unwrap() {
        let (name, says) = (text(judged, "name").unwrap(), &judged["says"]);
        match parse(text(judged, "text").unwrap()) {
            Ok(ours) => same(&ours, says, name),
            Err(refusal) if !says.is_null() => writeln!(stricter, "{}: {name}", refusal.code()).unwrap(),
            Err(_) => {}
        }
    }
    // Where the other implementation is lenient on purpose, or reads only a part.
    expect![[r#"
        pix_field_repeated: 00 twice
        pix_field_invalid: 00 last
        pix_field_repeated: 01 twice
        pix_field_repeated: 26 twice
        pix_field_repeated: 52 twice
        pix_field_invalid: 52 is "581"
        pix_field_invalid: 52 is "00000"
        pix_field_invalid: 52 is "abcd"
        pix_field_repeated: 53 twice
        pix_field_repeated: 54 twice
        pix_field_invalid: 54 is "19.9"
        pix_field_invalid: 54 is "19"
        pix_field_repeated: 58 twice
        pix_country_unsupported: 58 is "br"
        pix_field_repeated: 59 twice
        pix_field_invalid: 59 is "xxxxxxxxxxxxxxxxxxxxxxxxxx"
        pix_field_invalid: 59 is "a\nb"
        pix_field_repeated: 60 twice
        pix_field_invalid: 60 is "xxxxxxxxxxxxxxxx"
        pix_field_repeated: 61 twice
        pix_field_repeated: 62 twice
        pix_field_invalid: 62 is [["05","aaaaaaaaaaaaaaaaaaaaaaaaaa"]]
        pix_field_invalid: 62 is [["05","a-b"]]
        pix_field_invalid: 62 is [["05","**"]]
        pix_field_repeated: 62 is [["05","A"],["05","B"]]
        pix_field_invalid: dynamic, 54 is "19.9"
        pix_field_invalid: dynamic, 54 is "19"
        pix_field_invalid: dynamic, 62 is [["05","aaaaaaaaaaaaaaaaaaaaaaaaaa"]]
        pix_field_invalid: dynamic, 62 is [["05","a-b"]]
        pix_field_invalid: dynamic, 62 is [["05","**"]]
        pix_field_repeated: dynamic, 62 is [["05","A"],["05","B"]]
        pix_field_invalid: 26 is [["00","br.gov.bcb.pix"],["01","a b"]]
        pix_withdrawal_unsupported: 26 is [["00","br.gov.bcb.pix"],["01","123e4567-e12b-12d1-a456-426655440000"],["03","12345678"]]
        pix_field_invalid: 26 is [["00","br.gov.bcb.pix"],["25","pix.example.com"]]
        pix_field_invalid: 26 is [["00","br.gov.bcb.pix"],["25","pix.example.com/"]]
        pix_field_invalid: 26 is [["00","br.gov.bcb.pix"],["25","10.0.0.1/a"]]
        pix_account_repeated: and 27 [["00","br.gov.bcb.pix"],["01","a@example.com"]]
        pix_malformed: and 27 "abc"
        pix_tip_unsupported: and 55 "01"
        pix_tip_unsupported: and 56 "1.00"
        pix_tip_unsupported: and 57 "10"
        pix_malformed: an empty field
        pix_checksum_missing: a checksum in lower case
        pix_field_repeated: a checksum in the middle
        pix_checksum_missing: a line feed behind
    "#]].assert_eq(&stricter);
}
