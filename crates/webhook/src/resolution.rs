//! What a name stands for, by DNS over HTTPS in its JSON form (`application/dns-json`), as public resolvers answer it.

use core::net::IpAddr;

use serde::Deserialize;

use crate::is_public;

/// The kinds of records that are asked for.
pub const KINDS: [Kind; 2] = [Kind::A, Kind::Aaaa];

/// A kind of record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Addresses of IPv4.
    A,
    /// Addresses of IPv6.
    Aaaa,
}

impl Kind {
    const fn name(self) -> &'static str {
        match self {
            Self::A => "A",
            Self::Aaaa => "AAAA",
        }
    }

    const fn number(self) -> u16 {
        match self {
            Self::A => 1,
            Self::Aaaa => 28,
        }
    }
}

/// Why a name is not called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unsafe {
    /// It stands for nothing.
    Nothing,
    /// It stands for an address that is not public.
    Private,
    /// The resolver's answer cannot be read, or says that it failed.
    Unreadable,
}

impl Unsafe {
    /// In a word.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Nothing => "name_not_found",
            Self::Private => "address_not_public",
            Self::Unreadable => "name_not_resolved",
        }
    }
}

/// The address at which a resolver is asked. `name` was checked as a target's.
pub fn question(resolver: &str, name: &str, kind: Kind) -> String {
    let join = if resolver.contains('?') { '&' } else { '?' };
    format!("{resolver}{join}name={name}&type={}", kind.name())
}

#[derive(Deserialize)]
struct Answer {
    #[serde(rename = "Status")]
    status: u32,
    #[serde(rename = "Answer", default)]
    records: Vec<Record>,
}

#[derive(Deserialize)]
struct Record {
    #[serde(rename = "type")]
    kind: u16,
    data: String,
}

/// The addresses in a resolver's answer. A name that is not there (status 3) has none.
///
/// # Errors
/// [`Unsafe::Unreadable`].
pub fn addresses(kind: Kind, text: &str) -> Result<Vec<IpAddr>, Unsafe> {
    let answer: Answer = serde_json::from_str(text).map_err(|_| Unsafe::Unreadable)?;
    if !matches!(answer.status, 0 | 3) {
        return Err(Unsafe::Unreadable);
    }
    let records = answer.records.iter().filter(|record| record.kind == kind.number());
    records.map(|record| record.data.parse().map_err(|_| Unsafe::Unreadable)).collect()
}

/// Whether a name with these addresses may be called: with any, and only with public ones.
///
/// # Errors
/// [`Unsafe`].
pub fn judge(addresses: &[IpAddr]) -> Result<(), Unsafe> {
    if addresses.is_empty() {
        return Err(Unsafe::Nothing);
    }
    if addresses.iter().all(|address| is_public(*address)) { Ok(()) } else { Err(Unsafe::Private) }
}
