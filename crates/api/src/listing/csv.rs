//! Activity as a file for a spreadsheet (RFC 4180): a header, then a line for each, lines ending with CR LF.
//!
//! Spreadsheets run what looks like a formula, and a note or a name may come from anyone. Such a cell gets an apostrophe in
//! front, which makes it text.

use super::Place;
use crate::wire::ActivityLine;

/// A file in the making.
#[derive(Debug, Clone)]
pub struct Csv {
    text: String,
}

/// Whether a file has all that was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Extent {
    /// It has.
    Whole,
    /// There is more than one file takes; it goes on after this place.
    Cut(Place),
}

const HEADER: [&str; 16] = [
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

impl Default for Csv {
    fn default() -> Self {
        let mut csv = Self { text: String::new() };
        csv.row(&HEADER);
        csv
    }
}

impl Csv {
    /// Adds a line.
    pub fn push(&mut self, line: &ActivityLine) {
        fn text(value: &Option<String>) -> &str {
            value.as_deref().unwrap_or_default()
        }
        let seq = line.seq.to_string();
        self.row(&[
            &line.at,
            &line.mandate,
            &seq,
            &line.kind,
            &line.role,
            text(&line.actor),
            text(&line.payment),
            text(&line.amount),
            &line.paid,
            &line.returned,
            text(&line.token),
            text(&line.provider),
            &line.result,
            text(&line.reason),
            text(&line.transaction),
            &line.source,
        ]);
    }

    /// The file.
    pub fn into_text(self) -> String {
        self.text
    }

    fn row(&mut self, cells: &[&str; HEADER.len()]) {
        for (column, cell) in cells.iter().enumerate() {
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
