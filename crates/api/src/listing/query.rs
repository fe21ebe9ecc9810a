//! The pairs of a query string, taken one name after the other.

use core::str::FromStr;

use data_encoding::BASE64URL_NOPAD;
use primitives::{Malformed, UnixMillis};
use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::{Error, StrDeserializer};

use super::place::{Names, Page, Place, is_hash};
use crate::inbound::Faults;
use crate::limits;
use crate::problem::Problem;

const UNKNOWN_CURSOR: &str = "must be the nextCursor of an earlier page of this list, unchanged";

/// The pairs that nobody has asked for yet, and what was wrong so far.
pub(super) struct Query<'a> {
    pairs: Vec<(&'a str, String)>,
    known: Vec<&'static str>,
    pub(super) faults: Faults,
}

impl<'a> Query<'a> {
    pub(super) fn new(pairs: impl Iterator<Item = (&'a str, String)>) -> Self {
        Self { pairs: pairs.collect(), known: Vec::new(), faults: Faults::default() }
    }

    /// The value of a name, if it is there.
    pub(super) fn text(&mut self, name: &'static str) -> Option<String> {
        self.known.push(name);
        let mut values = self.pairs.extract_if(.., |(key, _)| *key == name).map(|(_, text)| text);
        let first = values.next();
        if values.count() > 0 {
            self.faults.add(name, "is given more than once; one value is taken");
        }
        first
    }

    /// One of the words of `T`.
    pub(super) fn word<T: for<'de> Deserialize<'de>>(&mut self, name: &'static str) -> Option<T> {
        let text = self.text(name)?;
        word(&text).map_err(|error| self.faults.add(name, error.to_string())).ok()
    }

    /// A moment, as RFC 3339.
    pub(super) fn moment(&mut self, name: &'static str) -> Option<UnixMillis> {
        let text = self.text(name)?;
        self.faults.take(name, text.parse::<signin::Timestamp>()).map(|moment| moment.at())
    }

    /// A value with a rule.
    pub(super) fn parsed<T: FromStr<Err = Malformed>>(&mut self, name: &'static str) -> Option<T> {
        let text = self.text(name)?;
        self.faults.take(name, text.parse::<T>())
    }

    /// Where to go on in a list whose order is that of names; `read` takes the text that the cursor stands for.
    pub(super) fn after<T>(&mut self, read: impl FnOnce(&str) -> Option<T>) -> Option<T> {
        let text = self.text("cursor")?;
        let decoded = BASE64URL_NOPAD.decode(text.as_bytes()).ok();
        let after = decoded.and_then(|bytes| String::from_utf8(bytes).ok()).and_then(|text| read(&text));
        if after.is_none() {
            self.faults.add("cursor", UNKNOWN_CURSOR);
        }
        after
    }

    /// A hash; in lower case, whatever its case was.
    pub(super) fn hash(&mut self, name: &'static str) -> Option<String> {
        let text = self.text(name)?.to_ascii_lowercase();
        if !is_hash(&text) {
            self.faults.add(name, "must be 0x and 64 hexadecimal digits");
        }
        Some(text)
    }

    /// How many rows.
    pub(super) fn limit(&mut self) -> u32 {
        let Some(text) = self.text("limit") else { return limits::PAGE_DEFAULT };
        number(&text).filter(|limit| (1..=limits::PAGE_MAX).contains(limit)).unwrap_or_else(|| {
            self.faults.add("limit", format!("must be a whole number from 1 to {}", limits::PAGE_MAX));
            limits::PAGE_DEFAULT
        })
    }

    /// From which row on, where rows are counted.
    pub(super) fn from(&mut self) -> u32 {
        let Some(text) = self.text("cursor") else { return 0 };
        number(&text).unwrap_or_else(|| {
            self.faults.add("cursor", UNKNOWN_CURSOR);
            0
        })
    }

    /// How many rows, after which.
    pub(super) fn page(&mut self, names: Names) -> Page {
        let limit = self.limit();
        let after = self.text("cursor").and_then(|text| {
            let place = Place::decode(&text, names);
            if place.is_none() {
                self.faults.add("cursor", UNKNOWN_CURSOR);
            }
            place
        });
        Page { limit, after }
    }

    /// What was read, if nothing was wrong and every name was asked for.
    pub(super) fn finish<T>(mut self, read: T) -> Result<T, Problem> {
        let known = match self.known.as_slice() {
            [] => "is not known here; nothing is".to_owned(),
            known => format!("is not known here; these are: {}", known.join(", ")),
        };
        for (name, _) in self.pairs {
            self.faults.add(name, known.as_str());
        }
        self.faults.finish_address(Some(read))
    }
}

/// A word of `T`; the error names all of them.
pub(super) fn word<T: for<'de> Deserialize<'de>>(text: &str) -> Result<T, Error> {
    let words: StrDeserializer<'_, Error> = text.into_deserializer();
    T::deserialize(words)
}

fn number(text: &str) -> Option<u32> {
    let is_digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_digits)
}
