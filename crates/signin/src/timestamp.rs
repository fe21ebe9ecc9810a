//! A moment of a message, with the text that was signed.

use core::str::FromStr;

use primitives::{Malformed, UnixMillis};
use time::{OffsetDateTime, format_description::well_known::Rfc3339};

/// A moment as RFC 3339 writes it, from 1970 on. The text is kept, for the same moment has many.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Timestamp {
    text: String,
    at: UnixMillis,
}

impl Timestamp {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The moment, rounded down to a millisecond.
    pub fn at(&self) -> UnixMillis {
        self.at
    }
}

impl From<UnixMillis> for Timestamp {
    /// In UTC with milliseconds. What lies after the year 9999 becomes its last moment.
    fn from(at: UnixMillis) -> Self {
        const LAST: UnixMillis = UnixMillis(253_402_300_799_999);
        Self { text: at.to_rfc3339(), at: at.min(LAST) }
    }
}

impl FromStr for Timestamp {
    type Err = Malformed;

    fn from_str(text: &str) -> Result<Self, Malformed> {
        // The parser takes any letter between date and time; RFC 3339's grammar takes these.
        let is_separated = text.get(10..11).is_some_and(|separator| "Tt".contains(separator));
        let moment = OffsetDateTime::parse(text, &Rfc3339).ok().filter(|_| is_separated);
        moment
            .and_then(|moment| u64::try_from(moment.unix_timestamp_nanos().div_euclid(1_000_000)).ok())
            .map(|millis| Self { text: text.to_owned(), at: UnixMillis(millis) })
            .ok_or(Malformed { what: "moment", allowed: "a date and time of RFC 3339, from 1970 on" })
    }
}

impl core::fmt::Display for Timestamp {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_keeps_its_text_and_is_rounded_down() {
        let moments = [
            ("1970-01-01T00:00:00Z", 0),
            ("2024-02-29T12:34:56.007Z", 1_709_210_096_007),
            ("2024-02-29t12:34:56.007z", 1_709_210_096_007),
            ("2024-02-29T14:04:56.0079999+01:30", 1_709_210_096_007),
            ("2024-02-29T12:34:56.007-00:00", 1_709_210_096_007),
            ("1969-12-31T23:00:00-01:00", 0),
        ];
        for (text, at) in moments {
            let moment: Timestamp = text.parse().unwrap();
            assert_eq!((moment.at(), moment.as_str()), (UnixMillis(at), text));
        }
    }

    #[test]
    fn what_rfc_3339_does_not_write_is_no_moment() {
        let bad = [
            "",
            "2024-02-29",
            "2023-02-29T00:00:00Z",
            "2024-13-01T00:00:00Z",
            "2024-02-29 12:34:56Z",
            "2024-02-29_12:34:56Z",
            "2024-02-29T24:00:00Z",
            "2024-02-29T12:60:00Z",
            "2024-02-29T12:34:61Z",
            "2024-02-29T12:34:56",
            "2024-02-29T12:34:56.Z",
            "2024-02-29T12:34:56,5Z",
            "2024-02-29T12:34:56+1",
            "2024-02-29T12:34:56+0100",
            "2024-02-29T12:34:56+24:00",
            "2024-02-29T12:34:56Z ",
            "+2024-02-29T12:34:56Z",
            "24-02-29T12:34:56Z",
            "1969-12-31T23:59:59.999Z",
            "1709210096",
        ];
        for text in bad {
            assert!(text.parse::<Timestamp>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn a_moment_that_we_write_reads_back() {
        for at in [0, 1, 1_709_210_096_007, 253_402_300_799_999, u64::MAX] {
            let written = Timestamp::from(UnixMillis(at));
            assert_eq!(written.as_str().parse(), Ok(written));
        }
    }
}
