//! Tag, length, value: the fields of a code, and of a field that holds fields.

use core::ops::RangeInclusive;
use std::collections::BTreeSet;

use crate::refusal::{Place, Refusal};

/// One field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Field<'a> {
    /// 0 to 99.
    pub(crate) tag: u8,
    /// 1 to 99 characters.
    pub(crate) value: &'a str,
}

/// Fields side by side, each tag once: those of the code itself, or those of one of its templates.
#[derive(Debug)]
pub(crate) struct Fields<'a> {
    template: Option<u8>,
    fields: Vec<Field<'a>>,
}

/// Takes so many units off the front.
type Take = fn(&str, usize) -> Option<(&str, &str)>;

impl<'a> Fields<'a> {
    /// The fields of a code.
    ///
    /// A length counts characters, as EMVCo QRCPS says and other implementations do. A code that also comes out even
    /// when bytes are counted says one thing to us and another to whoever counts those.
    pub(crate) fn of_code(text: &'a str) -> Result<Self, Refusal> {
        let fields = Self::read(text, None)?;
        if !text.is_ascii() && split(text, str::split_at_checked).is_some() {
            return Err(Refusal::Ambiguous);
        }
        Ok(fields)
    }

    fn read(text: &'a str, template: Option<u8>) -> Result<Self, Refusal> {
        let fields = split(text, take_characters).ok_or(Refusal::Malformed(template))?;
        let mut tags = BTreeSet::new();
        match fields.iter().find(|field| !tags.insert(field.tag)) {
            Some(Field { tag, .. }) => Err(Refusal::Repeated(Place { template, tag: *tag })),
            None => Ok(Self { template, fields }),
        }
    }

    pub(crate) fn first(&self) -> Option<Field<'a>> {
        self.fields.first().copied()
    }

    pub(crate) fn last(&self) -> Option<Field<'a>> {
        self.fields.last().copied()
    }

    pub(crate) fn place(&self, tag: u8) -> Place {
        Place { template: self.template, tag }
    }

    pub(crate) fn get(&self, tag: u8) -> Option<&'a str> {
        self.fields.iter().find(|field| field.tag == tag).map(|field| field.value)
    }

    /// What `read` makes of a field that must be there and as it is `wanted`.
    pub(crate) fn required<T>(
        &self,
        tag: u8,
        wanted: &'static str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, Refusal> {
        let place = self.place(tag);
        self.optional(tag, wanted, read)?.ok_or(Refusal::Missing(place))
    }

    /// The same of a field that may be absent.
    pub(crate) fn optional<T>(
        &self,
        tag: u8,
        wanted: &'static str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Option<T>, Refusal> {
        let place = self.place(tag);
        self.get(tag).map(|value| read(value).ok_or(Refusal::Invalid { place, wanted })).transpose()
    }

    /// The fields inside of the fields with these tags.
    pub(crate) fn templates(&self, tags: RangeInclusive<u8>) -> Result<Vec<Self>, Refusal> {
        let templates = self.fields.iter().filter(|field| tags.contains(&field.tag));
        templates.map(|field| Self::read(field.value, Some(field.tag))).collect()
    }
}

/// The fields that a text consists of, to its last character; nothing if it does not.
fn split(mut text: &str, take: Take) -> Option<Vec<Field<'_>>> {
    let mut fields = Vec::new();
    while !text.is_empty() {
        let (tag, rest) = number(text)?;
        let (length, rest) = number(rest)?;
        let (value, rest) = take(rest, length.into()).filter(|_| length > 0)?;
        fields.push(Field { tag, value });
        text = rest;
    }
    Some(fields)
}

/// Two decimal digits. The standard parser also takes a sign.
fn number(text: &str) -> Option<(u8, &str)> {
    let (digits, rest) = text.split_at_checked(2)?;
    let is_number = digits.bytes().all(|digit| digit.is_ascii_digit());
    Some((digits.parse().ok().filter(|_| is_number)?, rest))
}

fn take_characters(text: &str, count: usize) -> Option<(&str, &str)> {
    let mut ends = text.char_indices().map(|(at, _)| at).chain([text.len()]);
    text.split_at_checked(ends.nth(count)?)
}
