//! What a tenant tells of itself: to the log in D1, and to endpoints that follow it.
//!
//! Both are told in the background, one part at a time, of whatever has happened meanwhile. The log takes lines by their
//! ids and endpoints take messages by theirs, so that what is told twice was told once.

use core::cell::Cell;

use api::listing::metering::AuditRow;
use api::outbound::metering::{Origin, Told, tenant_news};
use api::outbound::webhook::message;
use primitives::UnixMillis;
use serde::Deserialize;
use shell::{Failure, fresh_correlation_id, now, number};
use tenant::News;

use super::Inner;
use crate::ports::{endpoints, metering, objects};

/// Events whose lines one part takes along. No event has more than one line.
const LINES_MAX: u32 = 50;

/// Whether something is being told.
#[derive(Default)]
pub(super) struct Telling {
    is_under_way: Cell<bool>,
}

/// A line of the log.
struct Line {
    seq: u64,
    ordinal: u64,
    at: UnixMillis,
    told: Told,
}

#[derive(Deserialize)]
struct Row {
    seq: u64,
    ordinal: u64,
    at: u64,
    body: String,
}

#[derive(Deserialize)]
struct Announced {
    seq: u64,
}

impl Inner {
    /// Tells what has not been told, unless that is under way.
    pub(super) async fn tell(&self) -> Result<(), Failure> {
        if self.shell.behind()?.is_none() || self.telling.is_under_way.replace(true) {
            return Ok(());
        }
        let outcome = self.tell_all().await;
        self.telling.is_under_way.set(false);
        outcome
    }

    /// Tells the log everything anew.
    pub(super) async fn tell_again(&self) -> Result<(), Failure> {
        self.shell.unproject()?;
        self.tell().await
    }

    async fn tell_all(&self) -> Result<(), Failure> {
        while let Some((from, until)) = self.shell.behind()? {
            // Whoever has told the log something has to tell it again should that be lost.
            let known = if from == 0 { objects::know(&self.env, self.shell.name()).await } else { Ok(()) };
            let (lines, until) = self.lines(from, until)?;
            let (announced, logged) =
                futures_util::future::join(self.announce(&lines, until), self.log(&lines)).await;
            let outcome = known.and(announced).and(logged);
            self.shell.projected(until, &outcome)?;
            if outcome.is_err() {
                // The alarm tries again.
                return Ok(());
            }
        }
        Ok(())
    }

    /// The next lines after the event `from`, and up to which event they tell everything.
    fn lines(&self, from: u64, until: u64) -> Result<(Vec<Line>, u64), Failure> {
        let rows: Vec<Row> = self.rows(
            "SELECT seq, ordinal, at, body FROM audit WHERE seq > ? ORDER BY seq, ordinal LIMIT ?",
            vec![number(from), number(u64::from(LINES_MAX))],
        )?;
        let is_all = rows.len() < usize::try_from(LINES_MAX).unwrap_or(usize::MAX);
        let line = |Row { seq, ordinal, at, body }| {
            let news: News = serde_json::from_str(&body)?;
            Ok(Line { seq, ordinal, at: UnixMillis(at), told: tenant_news(&news) })
        };
        let lines = rows.into_iter().map(line).collect::<Result<Vec<Line>, Failure>>()?;
        let until = lines.last().map(|last| last.seq).filter(|_| !is_all).unwrap_or(until);
        Ok((lines, until))
    }

    async fn log(&self, lines: &[Line]) -> Result<(), Failure> {
        if lines.is_empty() {
            return Ok(());
        }
        let (tenant, object) = (self.id()?, self.shell.name());
        let row = |line: &Line| {
            let origin = Origin { object, seq: line.seq, ordinal: line.ordinal };
            Ok(AuditRow::new(line.told.clone().line(&tenant, &origin, line.at), line.at, now())?)
        };
        let rows = lines.iter().map(row).collect::<Result<Vec<_>, Failure>>()?;
        metering::audit(&self.env, rows).await
    }

    /// Tells endpoints. How far they have been told is on disk: a message that one has forgotten must not come again.
    async fn announce(&self, lines: &[Line], until: u64) -> Result<(), Failure> {
        let announced: Vec<Announced> = self.rows("SELECT seq FROM announced", Vec::new())?;
        let announced = announced.first().map_or(0, |announced| announced.seq);
        if until <= announced {
            return Ok(());
        }
        let (tenant, object) = (self.id()?, self.shell.name());
        for line in lines.iter().filter(|line| line.seq > announced) {
            let to = self.shell.read(|state| state.book().map(|book| book.followers(line.told.kind)))?;
            let Some(to) = to.filter(|to| !to.is_empty()) else { continue };
            let origin = Origin { object, seq: line.seq, ordinal: line.ordinal };
            let message = message(&line.told, &origin, line.at)?;
            endpoints::deliver(&self.env, &tenant, &to, &[message], &fresh_correlation_id()).await?;
        }
        let _: Vec<Announced> = self.rows("UPDATE announced SET seq = ?", vec![number(until)])?;
        Ok(())
    }
}
