//! The board in D1: written for gigs by the directory, read by anyone. It shows; nothing is decided from it.

use api::inbound::{Cursor, Page};
use api::limits;
use gig::State;
use primitives::UnixMillis;
use serde::{Deserialize, Serialize};
use shell::{Failure, now, within};
use wasm_bindgen::JsValue;
use worker::{D1Database, Env};

/// How long a write to the board may take.
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

/// A gig as the board keeps it.
#[derive(Serialize, Deserialize)]
pub struct Row {
    /// Its id.
    pub gig_id: String,
    version: u64,
    status: String,
    task_type: String,
    bounty_sats: u32,
    created_at: u64,
    expires_at: u64,
    deadline: Option<u64>,
    title: String,
    description: String,
    record: String,
}

/// A gig's row; `None` while it is not to be seen.
pub fn row(state: &State, version: u64) -> Result<Option<Row>, Failure> {
    let Some(gig) = state.gig() else { return Ok(None) };
    let Some(record) = api::outbound::view(state).and_then(|view| view.record) else { return Ok(None) };
    let status = serde_json::to_value(record.status)?;
    Ok(Some(Row {
        version,
        status: status.as_str().unwrap_or_default().to_owned(),
        task_type: gig.terms.task_type.clone(),
        bounty_sats: record.bounty_sats,
        created_at: gig.posted_at.0,
        expires_at: gig.expires_at.0,
        deadline: gig::deadline(state).map(|at| at.0),
        record: serde_json::to_string(&record)?,
        gig_id: record.gig_id,
        title: record.title,
        description: record.description,
    }))
}

/// Writes rows with one statement, each unless a newer one of its gig is there.
pub async fn write(env: &Env, rows: &[Row]) -> Result<(), Failure> {
    let statement = database(env)?
        .prepare(
            "INSERT INTO gigs (gig_id, version, status, task_type, bounty_sats, created_at, expires_at, deadline,
               title, description, record)
             SELECT value ->> 'gig_id', value ->> 'version', value ->> 'status', value ->> 'task_type',
               value ->> 'bounty_sats', value ->> 'created_at', value ->> 'expires_at', value ->> 'deadline',
               value ->> 'title', value ->> 'description', value ->> 'record'
             FROM json_each(?) WHERE true
             ON CONFLICT (gig_id) DO UPDATE SET version = excluded.version, status = excluded.status,
               deadline = excluded.deadline, record = excluded.record
             WHERE excluded.version > gigs.version",
        )
        .bind(&[serde_json::to_string(rows)?.into()])?;
    within(WRITE_WAIT_MS, statement.run()).await.ok_or_else(late)??;
    Ok(())
}

const fn late() -> Failure {
    Failure::Late("the board")
}

/// One page of the board.
pub struct Listed {
    /// How many gigs it has.
    pub count: u32,
    /// Their records as JSON texts, newest first, with commas between.
    pub records: String,
    /// Where to go on.
    pub next: Option<Cursor>,
}

/// A page as the database puts it together: one row, because a hundred cost more to hand over than to read.
#[derive(Deserialize)]
struct Assembled {
    count: u32,
    records: Option<String>,
    last_at: Option<u64>,
    last_id: Option<String>,
}

/// Reads a page. A filter may match few gigs, so a filtered page looks at a bounded number of the newest ones, and its
/// cursor goes on after those.
pub async fn page(env: &Env, page: &Page) -> Result<Listed, Failure> {
    within(READ_WAIT_MS, read(env, page)).await.unwrap_or_else(|| Err(late()))
}

const PLAIN: &str = "SELECT gig_id, created_at, record FROM gigs
    WHERE status = 'ACTIVE' AND (created_at, gig_id) < (?1, ?2) AND expires_at > ?3
    ORDER BY created_at DESC, gig_id DESC LIMIT ?4 + 1";

const FILTERED: &str = "SELECT gig_id, created_at, record FROM (
      SELECT gig_id, created_at, record, expires_at, task_type, bounty_sats, title, description FROM gigs
      WHERE status = 'ACTIVE' AND (created_at, gig_id) < (?1, ?2)
      ORDER BY created_at DESC, gig_id DESC LIMIT ?5)
    WHERE expires_at > ?3 AND (?6 IS NULL OR task_type = ?6) AND bounty_sats BETWEEN ?7 AND ?8
      AND (?9 IS NULL OR instr(lower(title || char(10) || description), ?9) > 0)
    ORDER BY created_at DESC, gig_id DESC LIMIT ?4 + 1";

/// The last gig that a filtered page has looked at, if there are older ones.
const LOOKED_AT: &str = "SELECT gig_id, created_at FROM gigs
    WHERE status = 'ACTIVE' AND (created_at, gig_id) < (?, ?)
    ORDER BY created_at DESC, gig_id DESC LIMIT 1 OFFSET ?";

fn together(rows: &str) -> String {
    format!(
        "SELECT count(*) AS count, group_concat(record, ',' ORDER BY n) FILTER (WHERE n <= ?4) AS records,
           max(created_at) FILTER (WHERE n = ?4) AS last_at, max(gig_id) FILTER (WHERE n = ?4) AS last_id
         FROM (SELECT *, row_number() OVER (ORDER BY created_at DESC, gig_id DESC) AS n FROM ({rows}))"
    )
}

async fn read(env: &Env, page: &Page) -> Result<Listed, Failure> {
    let (created_at, gig_id): (JsValue, JsValue) = match &page.after {
        Some(cursor) => (number(cursor.created_at.0), cursor.gig_id.as_str().into()),
        // Before every gig.
        None => (number(1 << 53), "".into()),
    };
    let database = database(env)?;
    let mut values = vec![created_at.clone(), gig_id.clone(), number(now().0), page.limit.into()];
    if !page.is_filtered() {
        let rows: Vec<Assembled> = database.prepare(together(PLAIN)).bind(&values)?.all().await?.results()?;
        return Ok(listed(rows, page.limit, None));
    }
    let search = page.search.as_ref().map(|text| text.to_ascii_lowercase());
    let text = |text: Option<&str>| text.map_or(JsValue::NULL, JsValue::from_str);
    values.extend([
        limits::SCAN_MAX.into(),
        text(page.task_type.as_deref()),
        page.min_bounty.into(),
        page.max_bounty.into(),
        text(search.as_deref()),
    ]);
    let matching = database.prepare(together(FILTERED)).bind(&values)?;
    let looked_at =
        database.prepare(LOOKED_AT).bind(&[created_at, gig_id, limits::SCAN_MAX.saturating_sub(1).into()])?;
    let mut results = database.batch(vec![matching, looked_at]).await?.into_iter();
    let rows: Vec<Assembled> = results.next().map_or_else(|| Ok(Vec::new()), |result| result.results())?;
    let last: Vec<Place> = results.next().map_or_else(|| Ok(Vec::new()), |result| result.results())?;
    Ok(listed(rows, page.limit, last.into_iter().next().map(Place::cursor)))
}

#[derive(Deserialize)]
struct Place {
    gig_id: String,
    created_at: u64,
}

impl Place {
    fn cursor(self) -> Cursor {
        Cursor { created_at: UnixMillis(self.created_at), gig_id: self.gig_id }
    }
}

/// `otherwise` is where to go on when the page is not full.
fn listed(rows: Vec<Assembled>, limit: u32, otherwise: Option<Cursor>) -> Listed {
    let Some(page) = rows.into_iter().next() else {
        return Listed { count: 0, records: String::new(), next: otherwise };
    };
    let full = page.last_at.zip(page.last_id).filter(|_| page.count > limit);
    let next = full.map(|(created_at, gig_id)| Place { gig_id, created_at }.cursor()).or(otherwise);
    Listed { count: page.count.min(limit), records: page.records.unwrap_or_default(), next }
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
        None => Err(late()),
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
