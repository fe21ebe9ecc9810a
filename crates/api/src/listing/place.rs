//! Where a page of a list begins.

use data_encoding::BASE64URL_NOPAD;
use primitives::{AuditId, SettlementId, UnixMillis};

/// One page of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// At most this many rows.
    pub limit: u32,
    /// Where to go on; none for the newest.
    pub after: Option<Place>,
}

/// A place in a list: all that is older follows. Opaque on the wire.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The moment by which the list is sorted.
    pub at: UnixMillis,
    /// The name that orders rows of one moment.
    pub id: String,
}

/// What names the rows of a list.
#[derive(Debug, Clone, Copy)]
pub(super) enum Names {
    /// A mandate's id or a payment's name: `0x` and 64 hexadecimal digits in lower case.
    Hash,
    /// A line of a mandate's log, as [`line()`] writes it.
    Line,
    /// A settlement's id.
    Settlement,
    /// The id of a line of a tenant's audit log.
    Audit,
}

impl Place {
    /// Before every row.
    pub const fn newest() -> Self {
        Self { at: UnixMillis(1 << 53), id: String::new() }
    }

    /// The opaque text.
    pub fn encode(&self) -> String {
        BASE64URL_NOPAD.encode(format!("{}.{}", self.at.0, self.id).as_bytes())
    }

    pub(super) fn decode(text: &str, names: Names) -> Option<Self> {
        let text = String::from_utf8(BASE64URL_NOPAD.decode(text.as_bytes()).ok()?).ok()?;
        let (millis, id) = text.split_once('.')?;
        let at = millis.parse().ok().filter(|millis| *millis < Self::newest().at.0).map(UnixMillis)?;
        let is_name = match names {
            Names::Hash => is_hash(id),
            Names::Line => is_line(id),
            Names::Settlement => id.parse::<SettlementId>().is_ok(),
            Names::Audit => id.parse::<AuditId>().is_ok(),
        };
        is_name.then(|| Self { at, id: id.to_owned() })
    }
}

/// `0x` and 64 hexadecimal digits in lower case.
pub(super) fn is_hash(text: &str) -> bool {
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    text.strip_prefix("0x").is_some_and(|digits| digits.len() == 64 && digits.bytes().all(is_digit))
}

const SEQ_DIGITS: usize = 12;
const ORDINAL_DIGITS: usize = 4;

/// The name of a line of a mandate's log: sorted by it, the lines of one moment are in the order of the mandates' ids, and
/// those of one mandate in the order of their recording.
pub(super) fn line(mandate: &str, seq: u64, ordinal: u32) -> String {
    format!("{mandate}.{seq:0SEQ_DIGITS$}.{ordinal:0ORDINAL_DIGITS$}")
}

fn is_line(text: &str) -> bool {
    let is_number =
        |text: &str, digits| text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
    let mut parts = text.split('.');
    parts.next().is_some_and(is_hash)
        && parts.next().is_some_and(|seq| is_number(seq, SEQ_DIGITS))
        && parts.next().is_some_and(|ordinal| is_number(ordinal, ORDINAL_DIGITS))
        && parts.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HASH: &str = "0x00000000000000000000000000000000000000000000000000000000000000aa";

    #[test]
    fn a_place_comes_back_as_it_went_out_and_nothing_else_is_taken() {
        let hash = Place { at: UnixMillis(7), id: HASH.to_owned() };
        let logged = Place { at: UnixMillis(7), id: line(HASH, 12, 3) };
        assert_eq!(Place::decode(&hash.encode(), Names::Hash), Some(hash.clone()));
        assert_eq!(Place::decode(&logged.encode(), Names::Line), Some(logged.clone()));
        assert_eq!(Place::decode(&hash.encode(), Names::Line), None);
        assert_eq!(Place::decode(&logged.encode(), Names::Hash), None);

        let upper = HASH.to_uppercase().replace("0X", "0x");
        for text in [
            "".to_owned(),
            "7".to_owned(),
            "7.".to_owned(),
            format!("-7.{HASH}"),
            format!("{}.{HASH}", 1_u64 << 53),
            format!("7.{upper}"),
            format!("7.{HASH}0"),
            "7.x' OR 1".to_owned(),
        ] {
            assert_eq!(Place::decode(&BASE64URL_NOPAD.encode(text.as_bytes()), Names::Hash), None, "{text}");
        }
        for text in [
            format!("7.{HASH}.1.1"),
            format!("7.{}.0", line(HASH, 1, 1)),
            format!("7.{HASH}.000000000001.000x"),
        ] {
            assert_eq!(Place::decode(&BASE64URL_NOPAD.encode(text.as_bytes()), Names::Line), None, "{text}");
        }
        assert_eq!(Place::decode("!", Names::Hash), None);
    }

    #[test]
    fn lines_sort_as_they_were_recorded() {
        let lines = [
            line(HASH, 9, 9999),
            line(HASH, 10, 0),
            line(HASH, 10, 2),
            line(HASH, 10, 10),
            line(HASH, 100, 0),
        ];
        assert!(lines.is_sorted());
    }
}
