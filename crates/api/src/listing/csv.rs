//! Lists as files for a spreadsheet (RFC 4180): a header, then a line for each, lines ending with CR LF.
//!
//! Spreadsheets run what looks like a formula, and a note or a name may come from anyone. Such a cell gets an apostrophe in
//! front, which makes it text.

use std::borrow::Cow;
use std::marker::PhantomData;

use super::Place;
use crate::wire::ActivityLine;
use crate::wire::metering::TallyRow;

/// What a file has a line for.
pub trait Record {
    /// The names of its columns.
    const HEADER: &'static [&'static str];

    /// Its cells, one of each column.
    fn cells(&self) -> Vec<Cow<'_, str>>;
}

/// A file in the making, with a line for each `R`.
#[derive(Debug, Clone)]
pub struct Csv<R> {
    text: String,
    records: PhantomData<fn(&R)>,
}

/// Whether a file has all that was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Extent<P = Place> {
    /// It has.
    Whole,
    /// There is more than one file takes; it goes on after this place.
    Cut(P),
}

impl<R: Record> Default for Csv<R> {
    fn default() -> Self {
        let mut csv = Self { text: String::new(), records: PhantomData };
        csv.line(R::HEADER.iter().copied());
        csv
    }
}

impl<R: Record> Csv<R> {
    /// Adds a line.
    pub fn push(&mut self, record: &R) {
        let cells = record.cells();
        self.line(cells.iter().map(Cow::as_ref));
    }

    /// The file.
    pub fn into_text(self) -> String {
        self.text
    }

    fn line<'a>(&mut self, cells: impl Iterator<Item = &'a str>) {
        for (column, cell) in cells.enumerate() {
            if column > 0 {
                self.text.push(',');
            }
            self.cell(cell);
        }
        self.text.push_str("\r\n");
    }

    fn cell(&mut self, cell: &str) {
        let apostrophe = if is_formula(cell) { "'" } else { "" };
        if cell.contains(['"', ',', '\r', '\n']) {
            let quoted = cell.replace('"', "\"\"");
            self.text.extend(["\"", apostrophe, &quoted, "\""]);
        } else {
            self.text.extend([apostrophe, cell]);
        }
    }
}

/// Whether some spreadsheet may run a cell: it begins with a sign of a formula, in ASCII or full width, maybe behind what
/// is not seen, or with a character at which some programs begin a cell of their own.
fn is_formula(cell: &str) -> bool {
    let seen =
        cell.trim_start_matches(|sign: char| sign.is_whitespace() || sign.is_control() || sign == '\u{feff}');
    cell.starts_with(['\t', '\r', '\n'])
        || seen.starts_with(['=', '+', '-', '@', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}'])
}

/// What is not there is an empty cell.
fn maybe(value: &Option<String>) -> Cow<'_, str> {
    Cow::Borrowed(value.as_deref().unwrap_or_default())
}

impl Record for ActivityLine {
    const HEADER: &'static [&'static str] = &[
        "at",
        "mandate",
        "seq",
        "kind",
        "role",
        "actor",
        "payment",
        "amount",
        "paid",
        "returned",
        "token",
        "provider",
        "result",
        "reason",
        "transaction",
        "source",
    ];

    fn cells(&self) -> Vec<Cow<'_, str>> {
        vec![
            self.at.as_str().into(),
            self.mandate.as_str().into(),
            self.seq.to_string().into(),
            self.kind.as_str().into(),
            self.role.as_str().into(),
            maybe(&self.actor),
            maybe(&self.payment),
            maybe(&self.amount),
            self.paid.as_str().into(),
            self.returned.as_str().into(),
            maybe(&self.token),
            maybe(&self.provider),
            self.result.as_str().into(),
            maybe(&self.reason),
            maybe(&self.transaction),
            self.source.as_str().into(),
        ]
    }
}

impl Record for TallyRow {
    const HEADER: &'static [&'static str] = &[
        "agent",
        "serviceId",
        "events",
        "quantity",
        "total",
        "pending",
        "settled",
        "paid",
        "writtenOff",
        "lastAt",
        "version",
    ];

    fn cells(&self) -> Vec<Cow<'_, str>> {
        vec![
            maybe(&self.agent),
            maybe(&self.service_id),
            self.tally.events.to_string().into(),
            self.tally.quantity.as_str().into(),
            self.tally.total.as_str().into(),
            self.tally.pending.as_str().into(),
            self.tally.settled.as_str().into(),
            self.tally.paid.as_str().into(),
            self.tally.written_off.as_str().into(),
            maybe(&self.tally.last_at),
            self.tally.version.to_string().into(),
        ]
    }
}
