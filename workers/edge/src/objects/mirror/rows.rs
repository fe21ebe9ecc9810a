//! What a mirror keeps of what is over, and what it shows of itself in lists.

use api::listing::{ActivityRow, MandateRow, Moments, Projection, RequestRow};
use api::outbound::mandate::{Viewer, payment};
use api::outbound::mirror::{Mirrored, activity, mandate, standing};
use api::settings::Ledger;
use eip712::B256;
use mandate::life::Activity;
use mandate::mirror::{Filed, Mirror, Place, deadline};
use primitives::UnixMillis;
use serde::Deserialize;
use shell::{Failure, now, number};

use super::MirrorObject;
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
    undone: u8,
    line: String,
    place: String,
}

/// A part of what the lists have not been told.
pub(super) struct Untold {
    /// None when there is no mandate to tell of.
    pub(super) projection: Option<Projection>,
    /// The events up to here are told with it.
    pub(super) seq: u64,
    /// Whether they have not been told anything.
    pub(super) is_first: bool,
    /// Whether that is all.
    pub(super) is_last: bool,
}

impl MirrorObject {
    /// What is on file of the request of that payment, or else of that id.
    pub(super) fn filed(&self, reference: B256) -> Result<Option<Filed>, Failure> {
        // There are tables once there was a mandate.
        if self.shell.version()? == 0 {
            return Ok(None);
        }
        let query =
            "SELECT body FROM filed WHERE payment = ?1 OR request_id = ?1 ORDER BY payment = ?1 DESC LIMIT 1";
        let rows: Vec<Row> = self.shell.journal().rows(query, vec![reference.to_string().into()])?;
        rows.into_iter().next().map(|row| Ok(serde_json::from_str(&row.body)?)).transpose()
    }

    /// When the mandate was first adopted: the log's first line says so.
    pub(super) fn born(&self) -> Result<UnixMillis, Failure> {
        if self.shell.version()? == 0 {
            return Ok(now());
        }
        let query = "SELECT line AS body FROM activity ORDER BY seq, ordinal LIMIT 1";
        let rows: Vec<Row> = self.shell.journal().rows(query, Vec::new())?;
        let Some(first) = rows.into_iter().next() else { return Ok(now()) };
        let line: Activity = serde_json::from_str(&first.body)?;
        Ok(line.at)
    }

    /// The next part of what the lists have not been told.
    pub(super) fn untold(&self) -> Result<Option<Untold>, Failure> {
        let Some((told, seq)) = self.shell.behind()? else { return Ok(None) };
        let Some(contract) = config::config(&self.env)?.contract.clone() else { return Ok(None) };
        let Some(mirror) = self.shell.read(|state| state.mirror().cloned())? else {
            return Ok(Some(Untold { projection: None, seq, is_first: told == 0, is_last: true }));
        };
        let (until, is_last) = match self.page(told)? {
            Some(until) => (until, until == seq),
            None => (seq, true),
        };
        let lines: Vec<Line> = self.shell.journal().rows(
            "SELECT seq, ordinal, undone, line, place FROM activity WHERE moved > ? AND moved <= ?
             ORDER BY moved, seq, ordinal",
            vec![number(told), number(until)],
        )?;
        let projection = Some(self.projection(&mirror, &contract, (told, until), seq, &lines)?);
        Ok(Some(Untold { projection, seq: until, is_first: told == 0, is_last }))
    }

    /// Up to which event some lines go, whole events only: those of one can be as many as one observation tells. None when
    /// the rest is few.
    fn page(&self, told: u64) -> Result<Option<u64>, Failure> {
        #[derive(Deserialize)]
        struct Bounds {
            first: Option<u64>,
            beyond: Option<u64>,
        }
        let rows: Vec<Bounds> = self.shell.journal().rows(
            "SELECT (SELECT min(moved) FROM activity WHERE moved > ?1) AS first,
               (SELECT moved FROM activity WHERE moved > ?1 ORDER BY moved LIMIT 1 OFFSET ?2) AS beyond",
            vec![number(told), number(u64::from(LINES_MAX))],
        )?;
        let bounds = rows.into_iter().next().and_then(|Bounds { first, beyond }| first.zip(beyond));
        Ok(bounds.map(|(first, beyond)| first.max(beyond.saturating_sub(1))))
    }

    fn projection(
        &self,
        mirror: &Mirror,
        contract: &Ledger,
        (told, until): (u64, u64),
        version: u64,
        lines: &[Line],
    ) -> Result<Projection, Failure> {
        let now = now();
        let kept = Mirrored { mirror, born: self.born()? };
        let mirrored = &mirror.tip.mandate;
        let (owner, id) = (mirrored.owner.to_string(), mirrored.id);
        let moments = Moments {
            created_at: kept.born,
            expires_at: mirrored.policy.valid_before.into(),
            deadline: self.shell.read(deadline)?,
            as_of: now.max(mirror.tip.block.at.into()),
        };
        let (mut shown, mut subjects) = (Vec::with_capacity(lines.len()), self.moved(told, until)?);
        for Line { seq, ordinal, undone, line, place, .. } in lines {
            let line: Activity = serde_json::from_str(line)?;
            let place: Option<Place> = serde_json::from_str(place)?;
            subjects.extend(line.subject.filter(|subject| !subjects.contains(subject)));
            let (at, line) = (line.at, activity(&line, place.as_ref(), *undone == 0, id, *seq));
            shown.push(ActivityRow::new(line, *ordinal, at, &owner)?);
        }
        let (mut requests, mut gone) = (Vec::with_capacity(subjects.len()), Vec::new());
        for subject in subjects {
            let filed = self.filed(subject)?;
            match standing(mirror, subject, filed.as_ref()) {
                Some(standing) => {
                    let asked = standing.asked();
                    requests.push(RequestRow::new(payment(&kept, standing, Viewer::Owner), version, asked)?);
                }
                None => gone.push(subject.to_string()),
            }
        }
        let mandate = mandate(kept, version, Viewer::Owner, contract, now);
        Ok(Projection { mandate: MandateRow::new(mandate, moments)?, requests, activity: shown, gone })
    }

    /// The payments whose rows on file have changed by these events.
    fn moved(&self, told: u64, until: u64) -> Result<Vec<B256>, Failure> {
        let rows: Vec<Row> = self.shell.journal().rows(
            "SELECT payment AS body FROM filed WHERE moved > ? AND moved <= ?",
            vec![number(told), number(until)],
        )?;
        Ok(rows.iter().filter_map(|row| row.body.parse().ok()).collect())
    }
}
