//! Mandates, requests and activity in D1: written for each mandate by its own object, read for lists. They show; nothing is
//! decided from them.
//!
//! Each statement is a file beside this one, in which the parameters are named. Owners and agents are addresses, whatever
//! their case.

use api::limits;
use api::listing::{
    Activity, Approvals, Csv, Extent, Mandates, Page, Payments, Place, Projection, Requests, party,
};
use api::wire::ActivityLine;
use primitives::{Millis, UnixMillis};
use serde::{Deserialize, Serialize};
use shell::{Failure, now, within};
use wasm_bindgen::JsValue;
use worker::{D1Database, D1PreparedStatement, Env};

/// How long a write may take.
const WRITE_WAIT_MS: u64 = 1_500;
/// How long a reader waits.
const READ_WAIT_MS: u64 = 5_000;
/// Rows that one statement writes: at most a megabyte, half of what it can be given.
const WRITE_ROWS: usize = 64;
/// Lines that one statement reads for a file: D1 puts them together to at most two megabytes, and the longest line has
/// four kilobytes.
const EXPORT_PAGE: u32 = 400;
/// Payments of one name that are told apart. Agents choose these names, so there may be any number.
const LOCATED_MAX: u32 = 20;

fn database(env: &Env) -> Result<D1Database, Failure> {
    Ok(env.d1("DB")?)
}

const fn late() -> Failure {
    Failure::Late("the ledger's tables")
}

#[expect(clippy::cast_precision_loss, reason = "moments stay below 2^53")]
fn moment(at: UnixMillis) -> JsValue {
    JsValue::from_f64(at.0 as f64)
}

fn text(value: Option<&str>) -> JsValue {
    value.map_or(JsValue::NULL, JsValue::from_str)
}

/// The word that a filter is on the wire; NULL for no filter.
fn word(value: &impl Serialize) -> Result<JsValue, Failure> {
    Ok(text(serde_json::to_value(value)?.as_str()))
}

/// Writes what has changed under one mandate, all or nothing; what is newer in the tables stays. It may be repeated.
pub async fn write(env: &Env, projection: &Projection) -> Result<(), Failure> {
    let database = database(env)?;
    let Projection { mandate, requests, activity, gone } = projection;
    let mut statements =
        vec![put(&database, include_str!("ledger/put_mandates.sql"), core::slice::from_ref(mandate))?];
    for rows in requests.chunks(WRITE_ROWS) {
        statements.push(put(&database, include_str!("ledger/put_requests.sql"), rows)?);
    }
    for rows in activity.chunks(WRITE_ROWS) {
        statements.push(put(&database, include_str!("ledger/put_activity.sql"), rows)?);
    }
    if !gone.is_empty() {
        statements.push(put(&database, include_str!("ledger/forget_requests.sql"), gone)?);
    }
    within(WRITE_WAIT_MS, database.batch(statements)).await.ok_or_else(late)??;
    Ok(())
}

/// Takes a mandate and all that is under it out of the tables: the block of its creation has left the chain. It may be
/// repeated.
pub async fn forget(env: &Env, mandate: &str) -> Result<(), Failure> {
    let database = database(env)?;
    let tables = ["mandates", "requests", "activity"];
    let statements = tables.map(|table| {
        database.prepare(format!("DELETE FROM {table} WHERE mandate_id = ?")).bind(&[mandate.into()])
    });
    let statements = statements.into_iter().collect::<Result<_, _>>()?;
    within(WRITE_WAIT_MS, database.batch(statements)).await.ok_or_else(late)??;
    Ok(())
}

fn put(
    database: &D1Database,
    statement: &str,
    rows: &[impl Serialize],
) -> Result<D1PreparedStatement, Failure> {
    Ok(database.prepare(statement).bind(&[serde_json::to_string(rows)?.into()])?)
}

/// One page of a list.
pub struct Listed {
    /// Its rows as JSON texts, newest first, with commas between.
    pub records: String,
    /// Where to go on; none at the end.
    pub next: Option<Place>,
}

impl Listed {
    /// The page as the answer's body, its rows under `name`.
    pub fn body(&self, name: &str) -> String {
        let cursor =
            self.next.as_ref().map_or_else(|| "null".to_owned(), |next| format!("\"{}\"", next.encode()));
        format!("{{\"{name}\":[{}],\"nextCursor\":{cursor}}}", self.records)
    }
}

/// An owner's mandates, as the owner sees them.
pub async fn mandates_of_owner(env: &Env, owner: &str, query: &Mandates) -> Result<Listed, Failure> {
    let list = List {
        rows: include_str!("ledger/mandates_of_owner.sql"),
        filter: if query.status.is_some() { Filter::Some } else { Filter::None },
        values: vec![party(owner).into(), word(&query.status)?, moment(now())],
    };
    list.page(env, &query.page).await
}

/// The mandates from which an agent may spend now, as anyone sees them.
pub async fn mandates_of_agent(env: &Env, agent: &str, page: &Page) -> Result<Listed, Failure> {
    let list = List {
        rows: include_str!("ledger/mandates_of_agent.sql"),
        filter: Filter::Some,
        values: vec![party(agent).into(), moment(now())],
    };
    list.page(env, page).await
}

/// A mandate's requests, as its owner and its agent see them; none for a reader who is neither.
pub async fn requests(env: &Env, mandate: &str, reader: &str, query: &Requests) -> Result<Listed, Failure> {
    let reader = party(reader);
    let list = List {
        rows: include_str!("ledger/requests_of_mandate.sql"),
        filter: if query.progress.is_some() { Filter::Some } else { Filter::None },
        values: vec![mandate.into(), word(&query.progress)?, reader.as_str().into(), reader.as_str().into()],
    };
    list.page(env, &query.page).await
}

/// An owner's payments, as the owner sees them.
pub async fn payments(env: &Env, owner: &str, query: &Payments) -> Result<Listed, Failure> {
    let owner = party(owner);
    let progress = word(&query.progress)?;
    let list = match &query.mandate {
        Some(mandate) => List {
            rows: include_str!("ledger/requests_of_mandate.sql"),
            filter: if query.progress.is_some() { Filter::Some } else { Filter::None },
            values: vec![mandate.as_str().into(), progress, owner.into(), JsValue::NULL],
        },
        None => of_owner(owner, progress),
    };
    list.page(env, &query.page).await
}

/// What needs or needed an owner's word, as the owner sees it.
pub async fn approvals(env: &Env, owner: &str, query: &Approvals) -> Result<Listed, Failure> {
    let owner = party(owner);
    let list = match query.standing.progress() {
        Some(progress) => of_owner(owner, word(&progress)?),
        None => List {
            rows: include_str!("ledger/approvals.sql"),
            filter: Filter::None,
            values: vec![owner.into()],
        },
    };
    list.page(env, &query.page).await
}

/// An owner's requests, all or, with a word, those that stand there.
fn of_owner(owner: String, progress: JsValue) -> List {
    if progress.is_null() {
        let rows = include_str!("ledger/requests_of_owner.sql");
        return List { rows, filter: Filter::None, values: vec![owner.into()] };
    }
    let rows = include_str!("ledger/requests_of_owner_at.sql");
    List { rows, filter: Filter::None, values: vec![owner.into(), progress] }
}

/// What happened under an owner's mandates.
pub async fn activity(env: &Env, owner: &str, query: &Activity) -> Result<Listed, Failure> {
    log(owner, query)?.page(env, &query.page).await
}

/// What happened under an owner's mandates, as a file: of the newest [`limits::EXPORT_MAX`] lines of the span those that
/// match.
pub async fn export(
    env: &Env,
    owner: &str,
    query: &Activity,
) -> Result<(Csv<ActivityLine>, Extent), Failure> {
    let list = log(owner, query)?;
    let mut csv = Csv::default();
    let mut page = Page { limit: EXPORT_PAGE, after: query.page.after.clone() };
    for _ in 0..limits::EXPORT_MAX / EXPORT_PAGE {
        let listed = list.read(env, &page, EXPORT_PAGE.saturating_add(1)).await?;
        let lines: Vec<ActivityLine> = serde_json::from_str(&format!("[{}]", listed.records))?;
        lines.iter().for_each(|line| csv.push(line));
        if listed.next.is_none() {
            return Ok((csv, Extent::Whole));
        }
        page.after = listed.next;
    }
    let extent = page.after.map_or(Extent::Whole, Extent::Cut);
    Ok((csv, extent))
}

fn log(owner: &str, query: &Activity) -> Result<List, Failure> {
    let mut values: Vec<JsValue> =
        vec![party(owner).into(), moment(query.from), word(&query.kind)?, text(query.result.as_deref())];
    let rows = match &query.mandate {
        None => include_str!("ledger/activity_of_owner.sql"),
        Some(mandate) => {
            values.push(mandate.as_str().into());
            include_str!("ledger/activity_of_mandate.sql")
        }
    };
    let filter = if query.is_filtered() { Filter::Some } else { Filter::None };
    Ok(List { rows, filter, values })
}

/// Whether a list leaves out rows that its index holds.
enum Filter {
    None,
    Some,
}

/// A list: the statement of its rows, and what it asks for beyond place and length.
struct List {
    rows: &'static str,
    filter: Filter,
    values: Vec<JsValue>,
}

/// A page as the database puts it together: one row, because a hundred cost more to hand over than to read.
#[derive(Deserialize)]
struct Assembled {
    fitting: u32,
    records: Option<String>,
    full_at: Option<u64>,
    full_id: Option<String>,
    last_at: Option<u64>,
    last_id: Option<String>,
}

impl List {
    /// One page. A filter may leave few rows, so a filtered page looks at a bounded number of them, and goes on after
    /// those.
    async fn page(&self, env: &Env, page: &Page) -> Result<Listed, Failure> {
        let looked = match self.filter {
            // One more than are shown: whether there is another page.
            Filter::None => page.limit.saturating_add(1),
            Filter::Some => limits::SCAN_MAX,
        };
        self.read(env, page, looked).await
    }

    async fn read(&self, env: &Env, page: &Page, looked: u32) -> Result<Listed, Failure> {
        let after = page.after.clone().unwrap_or_else(Place::newest);
        let mut values = vec![moment(after.at), after.id.into(), page.limit.into(), looked.into()];
        values.extend_from_slice(&self.values);
        let statement = include_str!("ledger/page.sql").replace("{rows}", self.rows);
        let statement = database(env)?.prepare(statement).bind(&values)?;
        let read = within(READ_WAIT_MS, statement.first::<Assembled>(None)).await.ok_or_else(late)??;
        let Some(read) = read else { return Ok(Listed { records: String::new(), next: None }) };
        let (at, id) = if read.fitting > page.limit {
            (read.full_at, read.full_id)
        } else {
            (read.last_at, read.last_id)
        };
        let next = at.zip(id).map(|(at, id)| Place { at: UnixMillis(at), id });
        Ok(Listed { records: read.records.unwrap_or_default(), next })
    }
}

/// A payment and the mandate that has it.
#[derive(Debug, Clone, Deserialize)]
pub struct Located {
    /// The mandate's id.
    pub mandate_id: String,
    /// The payment's name.
    pub payment: String,
}

/// Which mandates know a payment by this name, or by this name of an agent's; with a party, only mandates of that owner or
/// agent. A payment's own name goes before what agents call theirs, and is found once. An agent's name may be found more
/// often, a bounded number of times.
pub async fn locate(env: &Env, name: &str, of: Option<&str>) -> Result<Vec<Located>, Failure> {
    let values = [name.into(), text(of.map(party).as_deref()), LOCATED_MAX.into()];
    let statement = database(env)?.prepare(include_str!("ledger/locate.sql")).bind(&values)?;
    Ok(within(READ_WAIT_MS, statement.all()).await.ok_or_else(late)??.results()?)
}

/// Mandates whose deadline passed more than `grace` ago without the tables hearing of it.
pub async fn overdue(env: &Env, grace: Millis, limit: u32) -> Result<Vec<String>, Failure> {
    #[derive(Deserialize)]
    struct Id {
        mandate_id: String,
    }
    let values = [moment(now().minus(grace)), limit.into()];
    let statement = database(env)?.prepare(include_str!("ledger/overdue.sql")).bind(&values)?;
    let rows: Vec<Id> = within(READ_WAIT_MS, statement.all()).await.ok_or_else(late)??.results()?;
    Ok(rows.into_iter().map(|row| row.mandate_id).collect())
}
