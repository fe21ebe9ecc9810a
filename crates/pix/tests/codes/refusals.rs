//! Each refusal by its name, and what is told of it.

use pix::limits::CODE_BYTES;
use pix::{Refusal, parse};

use crate::{KEY, field, fields, is_split_by_bytes, seal, with, write};

#[track_caller]
fn refused(text: &str, code: &str) {
    assert_eq!(parse(text).map_err(|refusal| refusal.code()), Err(code), "{text}");
}

fn account(parts: &[(&str, &str)]) -> String {
    let parts: String = parts.iter().map(|(tag, value)| field(tag, value)).collect();
    field("00", "br.gov.bcb.pix") + &parts
}

/// The good code with one more field.
fn and(tag: &str, value: &str) -> String {
    seal(&(write(&fields()) + &field(tag, value)))
}

/// X2, X4
#[test]
fn each_fault_has_its_name() {
    let good = seal(&write(&fields()));
    assert!(parse(&good).is_ok());
    let pix = account(&[("01", KEY)]);
    for (code, text) in [
        ("pix_too_long", format!("{good}{}", " ".repeat(CODE_BYTES))),
        ("pix_checksum_missing", String::new()),
        ("pix_checksum_missing", good[..good.len() - 1].to_owned()),
        ("pix_checksum_missing", format!("{good}\n")),
        ("pix_checksum_missing", format!("{}é", &good[..good.len() - 1])),
        // The checksum is there as text, and is a part of the last field.
        ("pix_checksum_missing", seal("0002016408")),
        ("pix_checksum_missing", seal(&(write(&fields()) + "6310AB"))),
        ("pix_checksum_mismatch", good.replace("19.90", "19.91")),
        ("pix_malformed", seal(&write(&fields()).replace("5303986", "5309986"))),
        ("pix_malformed", with("26", "abc")),
        ("pix_malformed", and("27", "00")),
        ("pix_field_repeated", and("53", "986")),
        ("pix_field_repeated", with("62", &format!("{}{}", field("05", "A"), field("05", "A")))),
        ("pix_field_invalid", with("00", "02")),
        ("pix_field_invalid", seal(&write(&fields()[1..]))),
        ("pix_field_invalid", with("54", "19.9")),
        ("pix_field_invalid", with("54", "0.00")),
        ("pix_field_invalid", with("59", &"x".repeat(26))),
        ("pix_field_invalid", with("60", &"x".repeat(16))),
        ("pix_field_invalid", with("62", &field("05", &"x".repeat(26)))),
        ("pix_field_invalid", with("26", &account(&[("01", "a b")]))),
        ("pix_field_invalid", with("26", &account(&[("25", "https://pix.example.com/a")]))),
        ("pix_field_invalid", and("01", "13")),
        ("pix_field_missing", seal(&write(&fields()).replace(&field("59", "Fulano de Tal"), ""))),
        ("pix_currency_unsupported", with("53", "840")),
        ("pix_country_unsupported", with("58", "PT")),
        ("pix_tip_unsupported", and("55", "01")),
        ("pix_account_missing", with("26", &pix.replace("pix", "spi"))),
        ("pix_account_repeated", and("51", &pix)),
        ("pix_payee_missing", with("26", &account(&[("02", "Pedido 17")]))),
        ("pix_payee_ambiguous", with("26", &account(&[("01", "a"), ("25", "pix.example.com/a")]))),
        ("pix_withdrawal_unsupported", with("26", &account(&[("01", "a"), ("03", "12345678")]))),
    ] {
        refused(&text, code);
    }
}

/// X2
#[test]
fn a_code_that_says_another_amount_to_those_who_count_bytes_is_refused() {
    // 21 characters; the first 7 of them are 21 bytes, after which bytes go on with an amount of their own and a field
    // that hides ours.
    let name = format!("{}5406190.006408", "€".repeat(7));
    let mut fields = fields();
    fields.retain(|(tag, _)| !matches!(*tag, "54" | "59"));
    let before = write(&fields);
    let text = seal(&(before.clone() + &field("59", &name) + "54041.00"));
    assert!(is_split_by_bytes(&text));
    refused(&text, "pix_ambiguous");
    // Where bytes lead nowhere nobody is misled.
    let harmless = seal(&(before + &field("59", &"€".repeat(7)) + "54041.00"));
    assert!(!is_split_by_bytes(&harmless));
    assert!(parse(&harmless).is_ok());
}

/// X5
#[test]
fn a_refusal_names_the_field_and_not_its_value() {
    let secret = "fulano@example.com";
    for text in [
        with("26", &account(&[("01", secret), ("25", secret)])),
        with("26", &account(&[("01", &format!("{secret} "))])),
        with("26", &account(&[("25", secret)])),
        with("59", &format!("{secret}{secret}")),
        with("54", secret),
        with("53", secret),
        with("26", secret),
    ] {
        let refusal = parse(&text).unwrap_err();
        assert!(!refusal.to_string().contains("fulano"), "{refusal}");
        assert!(!format!("{refusal:?}").contains("fulano"), "{refusal:?}");
    }
    let inner = parse(&with("26", &account(&[("01", "a b")]))).unwrap_err();
    assert_eq!(
        inner.to_string(),
        "Field 26-01 of the Pix code must be printable ASCII characters without spaces; ask the payee for another one."
    );
    assert!(matches!(inner, Refusal::Invalid { place, .. } if place.template == Some(26) && place.tag == 1));
}

#[test]
fn a_recurring_payment_is_told_wherever_it_begins() {
    let recurs = |tag: &str, whose: &str| parse(&and(tag, &field("00", whose))).unwrap().recurs;
    assert!(recurs("80", "br.gov.bcb.pix") && recurs("99", "BR.GOV.BCB.PIX"));
    assert!(!recurs("80", "com.example"));
    assert!(!parse(&seal(&write(&fields()))).unwrap().recurs);
}

/// X4
#[test]
fn a_key_fills_its_template_and_no_more() {
    let key = "x".repeat(77);
    assert_eq!(account(&[("01", &key)]).len(), 99);
    assert!(parse(&with("26", &account(&[("01", &key)]))).is_ok());
    // The length has three digits then, of which the third is taken for a part of the value.
    refused(&with("26", &account(&[("01", &format!("{key}x"))])), "pix_malformed");
    let url = format!("pix.example.com/{}", "x".repeat(61));
    assert!(parse(&with("26", &account(&[("25", &url)]))).is_ok());
    refused(&with("26", &account(&[("25", &format!("{url}x"))])), "pix_malformed");
}

/// X4
#[test]
fn the_longest_code_is_read_and_no_longer_one() {
    let fill = |length: usize| {
        let mut text = write(&fields());
        // Unknown fields fill the code up, the last one exactly.
        for tag in ["64", "65", "66"] {
            text += &field(tag, &"x".repeat(90));
        }
        let room = length - text.len() - "6304CCCC".len() - 4;
        seal(&(text + &field("67", &"x".repeat(room))))
    };
    assert_eq!(fill(CODE_BYTES).len(), CODE_BYTES);
    assert!(parse(&fill(CODE_BYTES)).is_ok());
    refused(&fill(CODE_BYTES + 1), "pix_too_long");
}
