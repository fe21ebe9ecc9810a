//! Codes that are read, codes that are refused, and why.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]
#![allow(clippy::arithmetic_side_effects, reason = "small numbers of the test's own")]

mod peers;
mod properties;
mod published;
mod refusals;

use pix::crc16;

const KEY: &str = "123e4567-e12b-12d1-a456-426655440000";

/// One field, its length counted in characters.
fn field(tag: &str, value: &str) -> String {
    format!("{tag}{:02}{value}", value.chars().count())
}

/// A code from its text before the checksum.
fn seal(text: &str) -> String {
    let covered = format!("{text}6304");
    format!("{covered}{:04X}", crc16(covered.as_bytes()))
}

/// A good static code's fields, in their order.
fn fields() -> Vec<(&'static str, String)> {
    let account = field("00", "br.gov.bcb.pix") + &field("01", KEY);
    vec![
        ("00", "01".to_owned()),
        ("26", account),
        ("52", "0000".to_owned()),
        ("53", "986".to_owned()),
        ("54", "19.90".to_owned()),
        ("58", "BR".to_owned()),
        ("59", "Fulano de Tal".to_owned()),
        ("60", "BRASILIA".to_owned()),
        ("62", field("05", "RUN1")),
    ]
}

fn write(fields: &[(&str, String)]) -> String {
    fields.iter().map(|(tag, value)| field(tag, value)).collect()
}

/// The good code with another value in one of its fields.
fn with(tag: &str, value: &str) -> String {
    let replaced =
        fields().into_iter().map(|(own, old)| (own, if own == tag { value.to_owned() } else { old }));
    seal(&write(&replaced.collect::<Vec<_>>()))
}

/// Whether a text consists of fields when lengths count bytes.
fn is_split_by_bytes(text: &str) -> bool {
    let mut rest = text.as_bytes();
    while let Some(header) = rest.get(..4) {
        let is_header = header.iter().all(u8::is_ascii_digit);
        let count =
            if is_header { usize::from(header[2] - b'0') * 10 + usize::from(header[3] - b'0') } else { 0 };
        match rest.get(4 + count..) {
            Some(behind) if count > 0 => rest = behind,
            Some(_) | None => return false,
        }
    }
    rest.is_empty()
}
