//! Usage, settlements and audit events in D1: written by the objects that they are of, read for lists. They show; nothing is
//! decided from them.
//!
//! Each statement is a file beside this one, in which the parameters are numbered.

use api::binding::meter::object_name;
use api::limits;
use api::listing::metering::{
    Audit, AuditRow, BucketRecord, Buckets, By, Count, Export, Named, Projection, Settlements, Span,
    TallyRecord, Top, sum,
};
use api::listing::{Page, Place};
use primitives::{AgentName, MeterId, Millis, ServiceName, TenantId, UnixMillis};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use shell::{Failure, now, within};
use wasm_bindgen::JsValue;
use worker::{D1Database, D1PreparedStatement, Env};

/// How long a write may take.
const WRITE_WAIT_MS: u64 = 1_500;
/// How long a reader waits.
const READ_WAIT_MS: u64 = 5_000;
/// Rows that one statement writes: settlements, the largest, have some kilobytes each.
const WRITE_ROWS: usize = 64;

fn database(env: &Env) -> Result<D1Database, Failure> {
    Ok(env.d1("DB")?)
}

const fn late() -> Failure {
    Failure::Late("the tables of metering")
}

#[expect(clippy::cast_precision_loss, reason = "moments and versions stay below 2^53")]
fn number(value: u64) -> JsValue {
    JsValue::from_f64(value as f64)
}

fn text(value: Option<&str>) -> JsValue {
    value.map_or(JsValue::NULL, JsValue::from_str)
}

/// Whose rows are read: those of a tenant since it last began anew.
#[derive(Debug, Clone)]
pub struct Era {
    /// The tenant.
    pub tenant: TenantId,
    /// How often it has begun anew.
    pub era: u32,
}

/// Writes what has changed, all or nothing; what is newer in the tables stays. It may be repeated.
pub async fn write(env: &Env, projection: &Projection) -> Result<(), Failure> {
    let database = database(env)?;
    let Projection { meters, hours, settlements, audit } = projection;
    let mut statements = Vec::new();
    put(&database, include_str!("metering/put_meters.sql"), meters, &mut statements)?;
    put(&database, include_str!("metering/put_hours.sql"), hours, &mut statements)?;
    put(&database, include_str!("metering/put_settlements.sql"), settlements, &mut statements)?;
    put(&database, include_str!("metering/put_audit.sql"), audit, &mut statements)?;
    if statements.is_empty() {
        return Ok(());
    }
    within(WRITE_WAIT_MS, database.batch(statements)).await.ok_or_else(late)??;
    Ok(())
}

/// Writes lines of the audit log. It may be repeated.
pub async fn audit(env: &Env, rows: Vec<AuditRow>) -> Result<(), Failure> {
    write(env, &Projection { audit: rows, ..Projection::default() }).await
}

fn put(
    database: &D1Database,
    statement: &str,
    rows: &[impl Serialize],
    statements: &mut Vec<D1PreparedStatement>,
) -> Result<(), Failure> {
    for rows in rows.chunks(WRITE_ROWS) {
        statements.push(database.prepare(statement).bind(&[serde_json::to_string(rows)?.into()])?);
    }
    Ok(())
}

/// The version that the tables have of a shard; none while they do not know it.
pub async fn shown(env: &Env, meter: &MeterId, shard: u8) -> Result<Option<u64>, Failure> {
    #[derive(Deserialize)]
    struct Shown {
        version: u64,
    }
    let query = "SELECT version FROM meters WHERE meter = ? AND shard = ?";
    let rows: Vec<Shown> = rows(env, query, &[meter.as_str().into(), shard.into()]).await?;
    Ok(rows.first().map(|shown| shown.version))
}

/// Objects of meters whose deadline passed more than `grace` ago without the tables hearing of it.
pub async fn overdue(env: &Env, grace: Millis, limit: u32) -> Result<Vec<String>, Failure> {
    #[derive(Deserialize)]
    struct Shard {
        meter: String,
        shard: u8,
    }
    let query = "SELECT meter, shard FROM meters WHERE deadline < ? ORDER BY deadline LIMIT ?";
    let shards: Vec<Shard> = rows(env, query, &[number(now().minus(grace).0), limit.into()]).await?;
    let name = |Shard { meter, shard }| {
        let meter: MeterId = meter.parse().map_err(|_| Failure::Corrupt("a meter's row".to_owned()))?;
        Ok(object_name(&meter, shard))
    };
    shards.into_iter().map(name).collect()
}

async fn rows<T: DeserializeOwned>(env: &Env, query: &str, values: &[JsValue]) -> Result<Vec<T>, Failure> {
    let statement = database(env)?.prepare(query).bind(values)?;
    Ok(within(READ_WAIT_MS, statement.all()).await.ok_or_else(late)??.results()?)
}

/// A statement over the meters of one tenant.
struct Query {
    text: String,
    values: Vec<JsValue>,
}

impl Query {
    /// What they have counted, by these columns; each of them is followed by a comma.
    fn tally(of: &Era, names: &str) -> Self {
        let mut text = include_str!("metering/tally.sql").replace("{names}", names);
        for column in ["used", "open", "pending", "settled", "paid", "written_off"] {
            text = text.replace(&format!("{{{column}}}"), &sum(column));
        }
        Self { text, values: vec![of.tenant.as_str().into(), of.era.into()] }
    }

    /// Adds a condition on one more value, which it names `{}`.
    fn and(mut self, condition: &str, value: impl Into<JsValue>) -> Self {
        self.values.push(value.into());
        let place = format!("?{}", self.values.len());
        self.text.push_str(" AND ");
        self.text.push_str(&condition.replace("{}", &place));
        self
    }

    fn of(self, agent: Option<&AgentName>, service: Option<&ServiceName>) -> Self {
        let query = match agent {
            Some(agent) => self.and("agent = {}", agent.as_str()),
            None => self,
        };
        match service {
            Some(service) => query.and("service = {}", service.as_str()),
            None => query,
        }
    }

    fn end(mut self, text: &str) -> Self {
        self.text.push_str(text);
        self
    }

    async fn read<T: DeserializeOwned>(self, env: &Env) -> Result<Vec<T>, Failure> {
        rows(env, &self.text, &self.values).await
    }
}

/// What all meters of an agent, a service, or both have counted together.
pub async fn tally(
    env: &Env,
    of: &Era,
    agent: Option<&AgentName>,
    service: Option<&ServiceName>,
) -> Result<TallyRecord, Failure> {
    let records: Vec<TallyRecord> = Query::tally(of, "").of(agent, service).read(env).await?;
    records.into_iter().next().ok_or_else(|| Failure::Runtime("a sum has no row".to_owned()))
}

/// Agents, in the order of their names, and one more than the page has; of one service or of all.
pub async fn agents(
    env: &Env,
    of: &Era,
    service: Option<&ServiceName>,
    page: &Named<AgentName>,
) -> Result<Vec<TallyRecord>, Failure> {
    let query = Query::tally(of, "agent,").of(None, service);
    let query = match &page.after {
        Some(after) => query.and("agent > {}", after.as_str()),
        None => query,
    };
    let limit = page.limit.saturating_add(1);
    query.end(&format!(" GROUP BY agent ORDER BY agent LIMIT {limit}")).read(env).await
}

/// Services that an agent has used, in the order of their names, and one more than the page has.
pub async fn services(
    env: &Env,
    of: &Era,
    agent: &AgentName,
    page: &Named<ServiceName>,
) -> Result<Vec<TallyRecord>, Failure> {
    let query = Query::tally(of, "service,").of(Some(agent), None);
    let query = match &page.after {
        Some(after) => query.and("service > {}", after.as_str()),
        None => query,
    };
    let limit = page.limit.saturating_add(1);
    query.end(&format!(" GROUP BY service ORDER BY service LIMIT {limit}")).read(env).await
}

/// Who has used most, or what was used most; those that are equal in the order of their names.
pub async fn top(
    env: &Env,
    of: &Era,
    service: Option<&ServiceName>,
    top: &Top,
) -> Result<Vec<TallyRecord>, Failure> {
    let (column, names) = match top.by {
        By::Agent => ("agent", "agent,"),
        By::Service => ("service", "service,"),
    };
    let end = format!(" GROUP BY {column} ORDER BY used DESC, {column} LIMIT {}", top.limit);
    Query::tally(of, names).of(None, service).end(&end).read(env).await
}

/// Pairs of agents and services in their order, at most `limit` of them.
pub async fn pairs(env: &Env, of: &Era, export: &Export, limit: u32) -> Result<Vec<TallyRecord>, Failure> {
    let query = Query::tally(of, "agent, service,").of(export.agent.as_ref(), export.service.as_ref());
    let query = match &export.after {
        Some((agent, service)) => query
            .and("agent >= {}", agent.as_str())
            .and("(agent, service) > ({}, ", agent.as_str())
            .end_with_value(service.as_str()),
        None => query,
    };
    let end = format!(" GROUP BY agent, service ORDER BY agent, service LIMIT {limit}");
    query.end(&end).read(env).await
}

impl Query {
    /// Closes a pair of values that a condition has begun.
    fn end_with_value(mut self, value: &str) -> Self {
        self.values.push(value.into());
        let place = format!("?{})", self.values.len());
        self.end(&place)
    }
}

/// Usage over time, oldest first.
pub async fn buckets(env: &Env, of: &Era, wanted: &Buckets) -> Result<Vec<BucketRecord>, Failure> {
    let text = include_str!("metering/buckets.sql")
        .replace("{quantity}", &sum("quantity"))
        .replace("{taken}", &sum("taken"));
    let values = vec![
        of.tenant.as_str().into(),
        of.era.into(),
        number(wanted.from.0),
        number(end(wanted).0),
        number(wanted.size.span().0),
    ];
    let query = Query { text, values }.of(wanted.agent.as_ref(), wanted.service.as_ref());
    query.end(" GROUP BY start ORDER BY start").read(env).await
}

/// The end of the last bucket that begins before `to`.
fn end(wanted: &Buckets) -> UnixMillis {
    wanted.size.floor(wanted.to.minus(Millis(1))).plus(wanted.size.span())
}

/// One page of a list.
pub struct Listed {
    /// Its rows as JSON texts, newest first, with commas between.
    pub records: String,
    /// Where to go on; none at the end.
    pub next: Option<Place>,
    /// When the newest of its rows was written.
    pub as_of: Option<UnixMillis>,
}

/// A tenant's settlements, newest first.
pub async fn settlements(env: &Env, of: &Era, wanted: &Settlements) -> Result<Listed, Failure> {
    let status = serde_json::to_value(wanted.status)?;
    let mut values = vec![
        of.tenant.as_str().into(),
        of.era.into(),
        text(wanted.service.as_ref().map(ServiceName::as_str)),
        text(status.as_str()),
    ];
    let agent = match &wanted.agent {
        Some(agent) => {
            values.push(agent.as_str().into());
            "AND agent = ?9"
        }
        None => "",
    };
    let is_filtered = wanted.service.is_some() || wanted.status.is_some();
    let list = include_str!("metering/settlements.sql").replace("{agent}", agent);
    page(env, &list, values, &wanted.page, is_filtered).await
}

/// Lines of a tenant's audit log, newest first.
pub async fn events(env: &Env, tenant: &TenantId, wanted: &Audit) -> Result<Listed, Failure> {
    let kind = wanted.kind.as_ref().map(|kind| kind.as_str());
    let family = kind.and_then(|kind| kind.strip_suffix('*'));
    let values = vec![
        tenant.as_str().into(),
        number(wanted.since.0),
        text(kind.filter(|_| family.is_none())),
        text(family),
        text(wanted.agent.as_ref().map(AgentName::as_str)),
        text(wanted.service.as_ref().map(ServiceName::as_str)),
    ];
    let is_filtered = kind.is_some() || wanted.agent.is_some() || wanted.service.is_some();
    page(env, include_str!("metering/audit.sql"), values, &wanted.page, is_filtered).await
}

/// How often what has happened to a tenant.
pub async fn summary(env: &Env, tenant: &TenantId, span: &Span) -> Result<Vec<Count>, Failure> {
    const QUERY: &str =
        "SELECT kind, count(*) AS count, min(at) AS first_at, max(at) AS last_at, max(as_of) AS as_of
        FROM audit_events WHERE tenant = ? AND at >= ? AND at < ? GROUP BY kind ORDER BY kind";
    let until = span.until.unwrap_or(Place::newest().at);
    rows(env, QUERY, &[tenant.as_str().into(), number(span.since.0), number(until.0)]).await
}

/// A page as the database puts it together: one row, because a hundred cost more to hand over than to read.
#[derive(Deserialize)]
struct Assembled {
    fitting: u32,
    records: Option<String>,
    as_of: Option<UnixMillis>,
    full_at: Option<u64>,
    full_id: Option<String>,
    last_at: Option<u64>,
    last_id: Option<String>,
}

/// One page. A filter may leave few rows, so a filtered page looks at a bounded number of them, and goes on after those.
async fn page(
    env: &Env,
    list: &str,
    wanted: Vec<JsValue>,
    page: &Page,
    is_filtered: bool,
) -> Result<Listed, Failure> {
    // One more than are shown: whether there is another page.
    let looked = if is_filtered { limits::SCAN_MAX } else { page.limit.saturating_add(1) };
    let after = page.after.clone().unwrap_or_else(Place::newest);
    let mut values = vec![number(after.at.0), after.id.into(), page.limit.into(), looked.into()];
    values.extend(wanted);
    let query = include_str!("metering/page.sql").replace("{rows}", list);
    let read: Vec<Assembled> = rows(env, &query, &values).await?;
    let Some(read) = read.into_iter().next() else {
        return Ok(Listed { records: String::new(), next: None, as_of: None });
    };
    let (at, id) =
        if read.fitting > page.limit { (read.full_at, read.full_id) } else { (read.last_at, read.last_id) };
    let next = at.zip(id).map(|(at, id)| Place { at: UnixMillis(at), id });
    Ok(Listed { records: read.records.unwrap_or_default(), next, as_of: read.as_of })
}
