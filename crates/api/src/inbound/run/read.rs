//! What readers of runs ask for, in a query's pairs.

use std::collections::BTreeMap;

use primitives::{Digest, ExecutorId};

use super::token::ticket;
use crate::inbound::Faults;
use crate::limits::PAGE_MAX;
use crate::problem::Problem;

/// Which events are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    /// Those after this one; 0 is before the first.
    pub after: Option<u64>,
    /// At most this many.
    pub limit: u32,
}

/// Reads which events are wanted.
///
/// # Errors
/// 400 with every fault.
pub fn reading<'a>(pairs: impl Iterator<Item = (&'a str, String)>) -> Result<Reading, Problem> {
    let mut faults = Faults::default();
    let mut reading = Reading { after: None, limit: PAGE_MAX };
    for (name, text) in once(&mut faults, pairs) {
        match name {
            "after" => {
                reading.after = place(&text);
                if reading.after.is_none() {
                    faults.add(name, "must be the number of an event, or 0 for the beginning");
                }
            }
            "limit" => reading.limit = faults.number(name, &text, 1, PAGE_MAX).unwrap_or(PAGE_MAX),
            _ => faults.add(name, "is not known here; after and limit are"),
        }
    }
    faults.finish_address(Some(reading))
}

/// What a watcher of a stream asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Watching {
    /// The digest of its ticket, if it brings one.
    pub ticket: Option<Digest>,
    /// Where it goes on.
    pub from: From,
}

/// Where a watcher goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum From {
    /// After this event; 0 is before the first.
    After(u64),
    /// At a place that is none: it is told where the run stands instead.
    Nowhere,
}

/// Reads what a watcher wants. `Last-Event-ID` is what a browser sends when it connects again, and counts for more than the
/// address, which has not changed since.
///
/// # Errors
/// 401 for a ticket that is none; else 400 with every fault.
pub fn watching<'a>(
    pairs: impl Iterator<Item = (&'a str, String)>,
    last_event_id: Option<&str>,
) -> Result<Watching, Problem> {
    let mut faults = Faults::default();
    let (mut opens, mut after) = (None, None);
    for (name, text) in once(&mut faults, pairs) {
        match name {
            "ticket" => opens = Some(ticket(&text)?),
            "after" => after = Some(text),
            _ => faults.add(name, "is not known here; ticket and after are"),
        }
    }
    // An empty id is that of a reader that has none yet (HTML, section 9.2.3).
    let named = last_event_id.filter(|id| !id.is_empty()).or(after.as_deref());
    let from = named.map_or(From::After(0), |text| place(text).map_or(From::Nowhere, From::After));
    faults.finish_address(Some(Watching { ticket: opens, from }))
}

/// Reads whose socket is wanted with which ticket, if one is brought along: `executor` and `ticket`.
///
/// # Errors
/// 401 for a ticket that is none; else 400 with every fault.
pub fn socket<'a>(
    pairs: impl Iterator<Item = (&'a str, String)>,
) -> Result<Option<(ExecutorId, Digest)>, Problem> {
    let mut faults = Faults::default();
    let (mut executor, mut opens) = (None, None);
    for (name, text) in once(&mut faults, pairs) {
        match name {
            "executor" => executor = faults.take(name, text.parse()),
            "ticket" => opens = Some(ticket(&text)?),
            _ => faults.add(name, "is not known here; executor and ticket are"),
        }
    }
    if faults.0.is_empty() && executor.is_some() != opens.is_some() {
        faults.add("ticket", "comes with executor, the id of the executor that it was issued to");
    }
    faults.finish_address(Some(executor.zip(opens)))
}

/// Reads whose balances are wanted.
///
/// # Errors
/// 400 with every fault.
pub fn balances<'a>(pairs: impl Iterator<Item = (&'a str, String)>) -> Result<String, Problem> {
    let mut faults = Faults::default();
    let mut address = None;
    for (name, text) in once(&mut faults, pairs) {
        match name {
            "address" => address = Some(faults.wallet(name, &text)),
            _ => faults.add(name, "is not known here; address is"),
        }
    }
    if address.is_none() {
        faults.add("address", "is needed");
    }
    faults.finish_address(address)
}

/// The pairs of a query in which each name stands once.
pub(in crate::inbound) fn once<'a>(
    faults: &mut Faults,
    pairs: impl Iterator<Item = (&'a str, String)>,
) -> BTreeMap<&'a str, String> {
    let mut all = BTreeMap::new();
    for (name, text) in pairs {
        if all.insert(name, text).is_some() {
            faults.add(name, "stands more than once");
        }
    }
    all
}

/// The number of an event, in its one text.
fn place(text: &str) -> Option<u64> {
    text.parse().ok().filter(|number: &u64| number.to_string() == text)
}

/// The subprotocol of a WebSocket, if it is among those that the client offers (RFC 6455, section 1.9).
pub fn offers(header: Option<&str>, protocol: &'static str) -> Option<&'static str> {
    let offered = header.unwrap_or_default().split(',');
    offered.map(str::trim).any(|offered| offered == protocol).then_some(protocol)
}
