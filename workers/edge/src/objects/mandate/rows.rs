//! What a mandate's object keeps of what is over, and what it shows of itself in lists.

use api::listing::{ActivityRow, MandateRow, Moments, Projection, RequestRow};
use api::outbound::mandate::{Standing, Viewer, activity, mandate, payment};
use api::settings::Ledger;
use eip712::B256;
use mandate::life::{Activity, Book, Closed, Filed, deadline};
use primitives::UnixMillis;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use shell::{Failure, now, number};

use super::MandateObject;
use crate::config;

/// Lines of the log that one projection takes along.
const LINES_MAX: u32 = 100;

#[derive(Deserialize)]
struct Row {
    body: String,
}

#[derive(Deserialize)]
struct Line {
    seq: u64,
    ordinal: u32,
    body: String,
}

/// A part of what the lists have not been told.
pub(super) struct Untold {
    pub(super) projection: Projection,
    /// The events up to here are told with it.
    pub(super) seq: u64,
    /// Whether they have not been told anything.
    pub(super) is_first: bool,
    /// Whether that is all.
    pub(super) is_last: bool,
}

impl MandateObject {
    /// What is on file of the request of that payment or id.
    pub(super) fn filed(&self, reference: B256) -> Result<Option<Filed>, Failure> {
        let name = reference.to_string();
        self.row("SELECT body FROM filed WHERE payment = ?1 OR request_id = ?1", &name)
    }

    /// What is on file of a reservation.
    pub(super) fn closed(&self, reservation: B256) -> Result<Option<Closed>, Failure> {
        self.row("SELECT body FROM closed WHERE reservation = ?1", &reservation.to_string())
    }

    fn row<T: DeserializeOwned>(&self, query: &str, name: &str) -> Result<Option<T>, Failure> {
        // There are tables once there is a mandate.
        if self.shell.read(|state| state.book().is_none())? {
            return Ok(None);
        }
        let rows: Vec<Row> = self.shell.journal().rows(query, vec![name.into()])?;
        rows.into_iter().next().map(|row| Ok(serde_json::from_str(&row.body)?)).transpose()
    }

    /// The next part of what the lists have not been told.
    pub(super) fn untold(&self) -> Result<Option<Untold>, Failure> {
        let Some((told, seq)) = self.shell.behind()? else { return Ok(None) };
        let Some(ledger) = config::config(&self.env)?.ledger.clone() else { return Ok(None) };
        let mut lines: Vec<Line> = self.shell.journal().rows(
            "SELECT seq, ordinal, body FROM activity WHERE seq > ? ORDER BY seq, ordinal LIMIT ?",
            vec![number(told), number(u64::from(LINES_MAX))],
        )?;
        let is_last = lines.len() < usize::try_from(LINES_MAX).unwrap_or(usize::MAX);
        let until = if is_last { seq } else { whole_events(&mut lines).unwrap_or(seq) };
        let told_of = self.told_of(lines)?;
        let projection = self.shell.read(|state| {
            let Some(book) = state.book() else { return Ok(None) };
            projection(book, deadline(state), &ledger, seq, told_of).map(Some)
        })??;
        let Some(projection) = projection else { return Ok(None) };
        Ok(Some(Untold { projection, seq: until, is_first: told == 0, is_last: is_last || until == seq }))
    }

    /// The lines, and what is on file of what they are about.
    fn told_of(&self, lines: Vec<Line>) -> Result<ToldOf, Failure> {
        let mut told = ToldOf { lines: Vec::with_capacity(lines.len()), subjects: Vec::new() };
        for Line { seq, ordinal, body } in lines {
            let line: Activity = serde_json::from_str(&body)?;
            if let Some(subject) = line.subject
                && !told.subjects.iter().any(|(known, _)| *known == subject)
            {
                told.subjects.push((subject, self.filed(subject)?));
            }
            told.lines.push((seq, ordinal, line));
        }
        Ok(told)
    }
}

/// Some lines of the log, each with its event and its place there, and what they are about, with what is on file of it.
struct ToldOf {
    lines: Vec<(u64, u32, Activity)>,
    subjects: Vec<(B256, Option<Filed>)>,
}

fn projection(
    book: &Book,
    deadline: Option<UnixMillis>,
    ledger: &Ledger,
    version: u64,
    told: ToldOf,
) -> Result<Projection, Failure> {
    let (owner, now) = (book.mandate.owner.to_string(), now());
    let moments = Moments {
        created_at: book.born,
        expires_at: book.mandate.policy.valid_before.into(),
        deadline,
        as_of: now,
    };
    let mut shown = Vec::with_capacity(told.lines.len());
    for (seq, ordinal, line) in &told.lines {
        let shows = activity(line, book.mandate.id, *seq);
        shown.push(ActivityRow::new(shows, *ordinal, line.at, &owner)?);
    }
    let mut requests = Vec::with_capacity(told.subjects.len());
    for (subject, filed) in &told.subjects {
        // A reservation has no row.
        if let Some(standing) = Standing::find(book, *subject, filed.as_ref()) {
            let asked = standing.asked();
            requests.push(RequestRow::new(payment(book, standing, Viewer::Owner), version, asked)?);
        }
    }
    let mandate = mandate(book, version, Viewer::Owner, ledger, now);
    let mandate = MandateRow::new(mandate, moments)?;
    Ok(Projection { mandate, requests, activity: shown, gone: Vec::new() })
}

/// Leaves whole events only, and says up to which.
fn whole_events(lines: &mut Vec<Line>) -> Option<u64> {
    let last = lines.last()?.seq;
    if lines.first()?.seq == last {
        return Some(last);
    }
    lines.retain(|line| line.seq < last);
    lines.last().map(|line| line.seq)
}
