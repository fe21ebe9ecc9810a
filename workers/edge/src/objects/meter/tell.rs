//! What a meter tells of itself: to the lists in D1, and to endpoints that follow its tenant's events.
//!
//! Both are told in the background, one part at a time and with a pause between, of whatever has happened meanwhile. Lists
//! take rows by version and endpoints take messages by id, so that what is told twice was told once.

use core::cell::Cell;
use core::time::Duration;

use api::listing::metering::{AuditRow, HourRow, MeterRow, Projection, SettlementRow};
use api::outbound::metering::{Origin, Told, asset, meter_news};
use api::outbound::webhook::message;
use futures_util::future::join;
use meter::{News, Settlement, Subject};
use primitives::UnixMillis;
use serde::Deserialize;
use shell::{Failure, fresh_correlation_id, now, number};

use super::Inner;
use super::rows::quantity;
use crate::config::config;
use crate::ports::{endpoints, metering, tenants};

/// Lines of the log that one part takes along.
const LINES_MAX: u32 = 50;
/// How long it gathers between two parts.
const GATHERING: Duration = Duration::from_millis(250);

/// Whether something is being told, and how far endpoints have been told, once that was looked up.
#[derive(Default)]
pub(super) struct Telling {
    is_under_way: Cell<bool>,
    announced: Cell<Option<u64>>,
}

/// A line of the log.
struct Line {
    seq: u64,
    ordinal: u64,
    at: UnixMillis,
    told: Told,
}

/// A part of what has not been told.
struct Untold {
    subject: Subject,
    /// What was told before ends here.
    from: u64,
    /// This part ends here.
    until: u64,
    lines: Vec<Line>,
    is_last: bool,
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

#[derive(Deserialize)]
struct Hour {
    hour: u64,
    added_high: u64,
    added_low: u64,
    taken_high: u64,
    taken_low: u64,
    events: u64,
    seq: u64,
}

#[derive(Deserialize)]
struct Bill {
    body: String,
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
        outcome.and(self.note_announced())
    }

    async fn tell_all(&self) -> Result<(), Failure> {
        while let Some(untold) = self.untold()? {
            let (announced, shown) = join(self.announce(&untold), self.show(&untold)).await;
            let outcome = announced.and(shown);
            self.shell.projected(untold.until, &outcome)?;
            if outcome.is_err() {
                // The alarm tries again.
                return Ok(());
            }
            if untold.is_last {
                worker::Delay::from(GATHERING).await;
            }
        }
        Ok(())
    }

    /// Has the lists told everything anew if they have lost it. What is to be told is told after the answer.
    pub(super) async fn tell_again(&self) -> Result<(), Failure> {
        if !self.is_unused()? && !self.is_shown().await? {
            self.shell.unproject()?;
        }
        Ok(())
    }

    /// Whether the lists know the meter. They lose all of it or nothing.
    async fn is_shown(&self) -> Result<bool, Failure> {
        let shard = self.shell.read(|state| state.book().map_or(0, |book| book.subject.shard))?;
        Ok(metering::shown(&self.env, &self.meter()?, shard).await?.is_some())
    }

    /// Up to which event endpoints have been told.
    fn announced(&self) -> Result<u64, Failure> {
        if let Some(announced) = self.telling.announced.get() {
            return Ok(announced);
        }
        let noted = self.noted_announced()?;
        self.telling.announced.set(Some(noted));
        Ok(noted)
    }

    fn noted_announced(&self) -> Result<u64, Failure> {
        let noted: Vec<Announced> = self.rows("SELECT seq FROM announced", Vec::new())?;
        Ok(noted.first().map_or(0, |noted| noted.seq))
    }

    /// Puts on disk how far endpoints have been told: a message that one has forgotten must not come again. Written once
    /// nothing more is to be told: after a crash before that they are told again at once, and know those messages.
    fn note_announced(&self) -> Result<(), Failure> {
        if let Some(announced) = self.telling.announced.get()
            && announced > self.noted_announced()?
        {
            let _: Vec<Announced> = self.rows("UPDATE announced SET seq = ?", vec![number(announced)])?;
        }
        Ok(())
    }

    /// Tells endpoints.
    async fn announce(&self, untold: &Untold) -> Result<(), Failure> {
        let announced = self.announced()?;
        if untold.until <= announced {
            return Ok(());
        }
        let (tenant, id) = (&untold.subject.tenant, fresh_correlation_id());
        let fresh = || untold.lines.iter().filter(|line| line.seq > announced);
        let kinds: std::collections::BTreeSet<&str> = fresh().map(|line| line.told.kind).collect();
        for kind in kinds {
            let followers = tenants::followers(&self.env, tenant, kind, &id).await?;
            if followers.is_empty() {
                continue;
            }
            let of_kind: Vec<&Line> = fresh().filter(|line| line.told.kind == kind).collect();
            for lines in of_kind.chunks(endpoint::limits::BATCH) {
                let messages = lines.iter().map(|line| message(&line.told, &self.origin(line), line.at));
                let messages = messages.collect::<Result<Vec<_>, _>>()?;
                endpoints::deliver(&self.env, tenant, &followers, &messages, &id).await?;
            }
        }
        self.telling.announced.set(Some(untold.until));
        Ok(())
    }

    fn origin(&self, line: &Line) -> Origin<'_> {
        Origin { object: self.shell.name(), seq: line.seq, ordinal: line.ordinal }
    }

    /// Tells the lists: the meter as it is, and what of it has changed.
    async fn show(&self, untold: &Untold) -> Result<(), Failure> {
        metering::write(&self.env, &self.projection(untold)?).await
    }

    fn projection(&self, untold: &Untold) -> Result<Projection, Failure> {
        let Untold { subject, from, until, lines, .. } = untold;
        let (meter, version, as_of) = (self.meter()?, self.shell.version()?, now());
        let settings = config(&self.env)?;
        let asset = asset(&settings.posting.till.asset);
        let between = || vec![number(*from), number(*until)];
        let hours: Vec<Hour> = self.rows(
            "SELECT hour, added_high, added_low, taken_high, taken_low, events, seq FROM hours
             WHERE seq > ? AND seq <= ? ORDER BY seq",
            between(),
        )?;
        let hour = |hour: Hour| {
            let added = quantity(hour.added_high, hour.added_low)?;
            let taken = quantity(hour.taken_high, hour.taken_low)?;
            let at = UnixMillis(hour.hour);
            Ok(HourRow::new((&meter, subject), at, (added, taken), hour.events, hour.seq, as_of))
        };
        let bills: Vec<Bill> = self
            .rows("SELECT body, seq FROM settlements WHERE seq > ? AND seq <= ? ORDER BY seq", between())?;
        let bill = |bill: Bill| {
            let settlement: Settlement = serde_json::from_str(&bill.body)?;
            Ok(SettlementRow::new(subject, &settlement, bill.seq, &asset, as_of)?)
        };
        let audit = |line: &Line| {
            let told = line.told.clone().line(&subject.tenant, &self.origin(line), line.at);
            Ok(AuditRow::new(told, line.at, as_of)?)
        };
        let meters = self.shell.read(|state| {
            let row = |book| MeterRow::new(&meter, book, version, meter::deadline(state), as_of);
            state.book().map(row).into_iter().collect()
        })?;
        Ok(Projection {
            meters,
            hours: hours.into_iter().map(hour).collect::<Result<_, Failure>>()?,
            settlements: bills.into_iter().map(bill).collect::<Result<_, Failure>>()?,
            audit: lines.iter().map(audit).collect::<Result<_, Failure>>()?,
        })
    }

    fn untold(&self) -> Result<Option<Untold>, Failure> {
        let Some((from, until)) = self.shell.behind()? else { return Ok(None) };
        let subject = self.shell.read(|state| state.book().map(|book| book.subject.clone()))?;
        let Some(subject) = subject else { return Ok(None) };
        let rows: Vec<Row> = self.rows(
            "SELECT seq, ordinal, at, body FROM audit WHERE seq > ? ORDER BY seq, ordinal LIMIT ?",
            vec![number(from), number(u64::from(LINES_MAX))],
        )?;
        let is_all = rows.len() < usize::try_from(LINES_MAX).unwrap_or(usize::MAX);
        let settings = config(&self.env)?;
        let asset = asset(&settings.posting.till.asset);
        let line = |Row { seq, ordinal, at, body }| {
            let news: News = serde_json::from_str(&body)?;
            let told = meter_news(&subject, &news, seq, &asset)?;
            Ok(Line { seq, ordinal, at: UnixMillis(at), told })
        };
        let mut lines = rows.into_iter().map(line).collect::<Result<Vec<_>, Failure>>()?;
        let until = if is_all { until } else { whole_events(&mut lines).unwrap_or(until) };
        Ok(Some(Untold { subject, from, until, lines, is_last: is_all }))
    }
}

/// Leaves whole events only, and says up to which. No event has as many lines as a part.
fn whole_events(lines: &mut Vec<Line>) -> Option<u64> {
    let last = lines.last()?.seq;
    lines.retain(|line| line.seq < last);
    lines.last().map(|line| line.seq)
}
