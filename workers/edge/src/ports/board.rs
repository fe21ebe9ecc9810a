//! The board in D1: written by gigs, read by anyone. It shows; nothing is decided from it.

use api::inbound::{Cursor, Page};
use api::limits;
use gig::State;
use primitives::UnixMillis;
use serde::Deserialize;
use wasm_bindgen::JsValue;
use worker::{D1Database, Env};

use super::{now, within};
use crate::failure::Failure;

/// How long an answer waits for the board to be told.
const WRITE_WAIT_MS: u64 = 1_500;
/// How long a reader waits for the board.
const READ_WAIT_MS: u64 = 5_000;

fn database(env: &Env) -> Result<D1Database, Failure> {
    Ok(env.d1("DB")?)
}

#[expect(clippy::cast_precision_loss, reason = "moments and sequences stay below 2^53")]
fn number(value: u64) -> JsValue {
    JsValue::from_f64(value as f64)
}

/// Writes a gig's row, unless a newer one is there.
pub async fn write(env: &Env, state: &State, version: u64) -> Result<(), Failure> {
    let Some(gig) = state.gig() else { return Ok(()) };
    let Some(view) = api::outbound::view(state) else { return Ok(()) };
    let Some(record) = view.record else { return Ok(()) };
    let status = serde_json::to_value(record.status)?;
    let values = [
        record.gig_id.as_str().into(),
        number(version),
        status.as_str().unwrap_or_default().into(),
        gig.terms.task_type.as_str().into(),
        JsValue::from(record.bounty_sats),
        number(gig.posted_at.0),
        number(gig.expires_at.0),
        gig::deadline(state).map_or(JsValue::NULL, |at| number(at.0)),
        record.title.as_str().into(),
        record.description.as_str().into(),
        serde_json::to_string(&record)?.into(),
    ];
    let statement = database(env)?
        .prepare(
            "INSERT INTO gigs (gig_id, version, status, task_type, bounty_sats, created_at, expires_at, deadline,
               title, description, record) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
             ON CONFLICT (gig_id) DO UPDATE SET version = excluded.version, status = excluded.status,
               deadline = excluded.deadline, record = excluded.record
             WHERE excluded.version > gigs.version",
        )
        .bind(&values)?;
    match within(WRITE_WAIT_MS, statement.run()).await {
        Some(outcome) => {
            outcome?;
            Ok(())
        }
        None => Err(Failure::Runtime("the board did not answer in time".to_owned())),
    }
}

#[derive(Deserialize)]
struct Row {
    gig_id: String,
    created_at: u64,
    record: String,
}

/// One page: each gig's record as JSON text, newest first, and where to go on.
pub async fn page(env: &Env, page: &Page) -> Result<(Vec<String>, Option<Cursor>), Failure> {
    let read = async {
        if page.is_filtered() { filtered(env, page).await } else { plain(env, page).await }
    };
    within(READ_WAIT_MS, read).await.unwrap_or_else(|| Err(Failure::Runtime("the board did not answer in time".to_owned())))
}

/// Before every gig: what the first page starts after.
fn start(page: &Page) -> (JsValue, JsValue) {
    match &page.after {
        Some(cursor) => (number(cursor.created_at.0), cursor.gig_id.as_str().into()),
        None => (number(1 << 53), "".into()),
    }
}

fn cursor(row: &Row) -> Cursor {
    Cursor { created_at: UnixMillis(row.created_at), gig_id: row.gig_id.clone() }
}

async fn plain(env: &Env, page: &Page) -> Result<(Vec<String>, Option<Cursor>), Failure> {
    let (created_at, gig_id) = start(page);
    let statement = database(env)?
        .prepare(
            "SELECT gig_id, created_at, record FROM gigs
             WHERE status = 'ACTIVE' AND (created_at, gig_id) < (?, ?) AND expires_at > ?
             ORDER BY created_at DESC, gig_id DESC LIMIT ?",
        )
        .bind(&[created_at, gig_id, number(now().0), page.limit.saturating_add(1).into()])?;
    let rows: Vec<Row> = statement.all().await?.results()?;
    Ok(cut(rows, page.limit, None))
}

/// A filter may match few: one page looks at a bounded number of the newest gigs, and its cursor goes on after them.
async fn filtered(env: &Env, page: &Page) -> Result<(Vec<String>, Option<Cursor>), Failure> {
    let (created_at, gig_id) = start(page);
    let database = database(env)?;
    let search = page.search.as_ref().map(|text| text.to_ascii_lowercase());
    let matching = database
        .prepare(
            "SELECT gig_id, created_at, record FROM (
               SELECT gig_id, created_at, record, expires_at, task_type, bounty_sats, title, description FROM gigs
               WHERE status = 'ACTIVE' AND (created_at, gig_id) < (?1, ?2)
               ORDER BY created_at DESC, gig_id DESC LIMIT ?3)
             WHERE expires_at > ?4 AND (?5 IS NULL OR task_type = ?5) AND bounty_sats BETWEEN ?6 AND ?7
               AND (?8 IS NULL OR instr(lower(title || char(10) || description), ?8) > 0)
             ORDER BY created_at DESC, gig_id DESC LIMIT ?9",
        )
        .bind(&[
            created_at.clone(),
            gig_id.clone(),
            limits::SCAN_MAX.into(),
            number(now().0),
            page.task_type.as_deref().map_or(JsValue::NULL, JsValue::from_str),
            page.min_bounty.into(),
            page.max_bounty.into(),
            search.as_deref().map_or(JsValue::NULL, JsValue::from_str),
            page.limit.saturating_add(1).into(),
        ])?;
    let last_seen = database
        .prepare(
            "SELECT gig_id, created_at, '' AS record FROM gigs
             WHERE status = 'ACTIVE' AND (created_at, gig_id) < (?, ?)
             ORDER BY created_at DESC, gig_id DESC LIMIT 1 OFFSET ?",
        )
        .bind(&[created_at, gig_id, limits::SCAN_MAX.saturating_sub(1).into()])?;
    let results = database.batch(vec![matching, last_seen]).await?;
    let mut results = results.into_iter();
    let rows: Vec<Row> = results.next().map_or_else(|| Ok(Vec::new()), |result| result.results())?;
    let last: Vec<Row> = results.next().map_or_else(|| Ok(Vec::new()), |result| result.results())?;
    Ok(cut(rows, page.limit, last.first().map(cursor)))
}

/// Cuts the one row too many, which tells that there is more.
fn cut(mut rows: Vec<Row>, limit: u32, otherwise: Option<Cursor>) -> (Vec<String>, Option<Cursor>) {
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let next = if rows.len() > limit {
        rows.truncate(limit);
        rows.last().map(cursor)
    } else {
        otherwise
    };
    (rows.into_iter().map(|row| row.record).collect(), next)
}

/// How many gigs are on the board.
pub async fn count(env: &Env) -> Result<u64, Failure> {
    #[derive(Deserialize)]
    struct Count {
        count: u64,
    }
    let statement = database(env)?
        .prepare("SELECT COUNT(*) AS count FROM gigs WHERE status = 'ACTIVE' AND expires_at > ?")
        .bind(&[number(now().0)])?;
    let read = statement.first::<Count>(None);
    match within(READ_WAIT_MS, read).await {
        Some(row) => Ok(row?.map_or(0, |row| row.count)),
        None => Err(Failure::Runtime("the board did not answer in time".to_owned())),
    }
}

/// Gigs whose deadline passed more than `grace` ago without the board hearing of it.
pub async fn overdue(env: &Env, grace: primitives::Millis, limit: u32) -> Result<Vec<String>, Failure> {
    #[derive(Deserialize)]
    struct Id {
        gig_id: String,
    }
    let statement = database(env)?
        .prepare("SELECT gig_id FROM gigs WHERE deadline < ? ORDER BY deadline LIMIT ?")
        .bind(&[number(now().minus(grace).0), limit.into()])?;
    let rows: Vec<Id> = statement.all().await?.results()?;
    Ok(rows.into_iter().map(|row| row.gig_id).collect())
}
