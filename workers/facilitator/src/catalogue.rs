//! The paid resources that payments were settled for: `GET /discovery/resources`.
//!
//! One object keeps them. A resource is listed by what the payer's client echoed of the server's `bazaar` extension; the
//! newest payment for it replaces the entry.

use core::cell::RefCell;
use std::collections::HashMap;

use primitives::{Digest, UnixMillis};
use serde::{Deserialize, Serialize};
use shell::{Failure, answer, now, only_messages, unknown_subject};
use wasm_bindgen::prelude::*;
use worker::{DurableObject, Env, Request, Response, SqlStorage, SqlStorageValue, State, durable_object};
use x402::{
    DiscoveryQuery, DiscoveryResource, DiscoveryResources, FacilitatorRequest, Pagination, ResourceKind,
    VERSION, bazaar,
};

use crate::{
    limits::{CATALOGUE_FRESH, CATALOGUE_MAX},
    problem::Problem,
    reply::{self, Reply},
};

const KIND: &str = "catalogue";
const BINDING: &str = "CATALOGUE";
const NAME: &str = "resources";
const PUBLISH: &str = "publish";
const LIST: &str = "list";

const SCHEMA: &str = "
CREATE TABLE IF NOT EXISTS resource (
    identity   TEXT PRIMARY KEY,
    kind       TEXT NOT NULL,
    pay_to     TEXT NOT NULL,
    scheme     TEXT NOT NULL,
    network    TEXT NOT NULL,
    entry      TEXT NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS newest ON resource (updated_at DESC, identity);";

/// The conditions of a query, for both the page and its count.
const ADMITTED: &str = "FROM resource WHERE (?1 = '' OR kind = ?1) AND (?2 = '' OR pay_to = ?2)
  AND (?3 = '' OR scheme = ?3) AND (?4 = '' OR network = ?4)
  AND (?5 = '' OR EXISTS (SELECT 1 FROM json_each(entry, '$.extensions') WHERE key = ?5))";

/// What a request says about the resource that it pays for, as JSON text; `None` if it says nothing that is listed.
///
/// # Errors
/// Never for a request that was parsed.
pub(crate) fn entry(request: &FacilitatorRequest) -> Result<Option<String>, Failure> {
    let listing = bazaar::listing(&request.payment_payload, &request.payment_requirements, now());
    match listing {
        Ok(Some(entry)) => Ok(Some(serde_json::to_string(&entry)?)),
        Ok(None) => Ok(None),
        Err(fault) => {
            // The payment is as good as any; only its resource is not listed.
            shell::log::failure(KIND, NAME, "not_listed", &Failure::Runtime(fault.to_string()));
            Ok(None)
        }
    }
}

/// Lists an entry that [`entry`] made, as of the moment when its payment was settled.
///
/// # Errors
/// When the object does not answer.
pub(crate) async fn publish(env: &Env, entry: &str, settled_at: UnixMillis) -> Result<(), Failure> {
    let mut entry: DiscoveryResource = serde_json::from_str(entry)?;
    entry.last_updated = settled_at.to_rfc3339();
    shell::send(env, BINDING, NAME, PUBLISH, &Listed { entry, settled_at }).await
}

/// `GET /discovery/resources` with this query.
///
/// # Errors
/// When the object does not answer; inside, when the query cannot be answered.
pub(crate) async fn list(env: &Env, query: &str) -> Result<Result<Reply, Problem>, Failure> {
    // The object reads it again: text travels where a type would have to.
    if let Err(fault) = DiscoveryQuery::parse(query) {
        return Ok(Err(Problem::Query(fault.to_string())));
    }
    let page: DiscoveryResources = shell::send(env, BINDING, NAME, LIST, &query).await?;
    Ok(Ok(reply::json(200, &page)?))
}

#[derive(Serialize, Deserialize)]
struct Listed {
    entry: DiscoveryResource,
    settled_at: UnixMillis,
}

/// The object.
#[durable_object(fetch)]
pub struct CatalogueObject {
    sql: SqlStorage,
    /// When each resource was last written, so that a busy one is not written for each payment.
    fresh: RefCell<HashMap<Digest, UnixMillis>>,
}

impl DurableObject for CatalogueObject {
    fn new(state: State, _: Env) -> Self {
        Self { sql: state.storage().sql(), fresh: RefCell::default() }
    }

    async fn fetch(&self, _: Request) -> worker::Result<Response> {
        only_messages()
    }
}

#[wasm_bindgen]
impl CatalogueObject {
    /// Takes one message.
    pub async fn receive(&self, subject: String, body: String) -> Result<String, JsValue> {
        match subject.as_str() {
            PUBLISH => answer(self.publish(&body), KIND, NAME),
            LIST => answer(self.list(&body), KIND, NAME),
            other => answer::<()>(Err(unknown_subject(other)), KIND, NAME),
        }
    }
}

#[derive(Deserialize)]
struct EntryRow {
    entry: String,
}

#[derive(Deserialize)]
struct CountRow {
    total: u64,
}

impl CatalogueObject {
    fn publish(&self, body: &str) -> Result<(), Failure> {
        let Listed { entry, settled_at } = serde_json::from_str(body)?;
        let identity = entry.identity()?;
        let mut fresh = self.fresh.borrow_mut();
        if fresh.get(&identity).is_some_and(|at| settled_at.since(*at) < CATALOGUE_FRESH) {
            return Ok(());
        }
        let Some(offer) = entry.accepts.first() else { return Ok(()) };
        self.sql.exec(SCHEMA, None)?;
        let text = |text: &str| SqlStorageValue::String(text.to_owned());
        self.sql.exec(
            "INSERT INTO resource (identity, kind, pay_to, scheme, network, entry, updated_at)
             VALUES (?, ?, ?, ?, ?, ?, ?)
             ON CONFLICT (identity) DO UPDATE SET kind = excluded.kind, scheme = excluded.scheme,
               network = excluded.network, entry = excluded.entry, updated_at = excluded.updated_at
             WHERE excluded.updated_at >= updated_at",
            vec![
                text(&identity.to_string()),
                text(word(entry.kind)),
                text(&offer.pay_to.to_ascii_lowercase()),
                text(&offer.scheme),
                text(&offer.network),
                text(&serde_json::to_string(&entry)?),
                number(settled_at.0)?,
            ],
        )?;
        self.sql.exec(
            "DELETE FROM resource WHERE identity IN
               (SELECT identity FROM resource ORDER BY updated_at DESC, identity LIMIT -1 OFFSET ?)",
            vec![number(CATALOGUE_MAX)?],
        )?;
        if u64::try_from(fresh.len()).is_ok_and(|count| count >= CATALOGUE_MAX) {
            fresh.clear();
        }
        fresh.insert(identity, settled_at);
        Ok(())
    }

    fn list(&self, body: &str) -> Result<DiscoveryResources, Failure> {
        let query: String = serde_json::from_str(body)?;
        let query = DiscoveryQuery::parse(&query).map_err(|fault| Failure::Runtime(fault.to_string()))?;
        self.sql.exec(SCHEMA, None)?;
        let or_any = |text: &Option<String>| SqlStorageValue::String(text.clone().unwrap_or_default());
        let pay_to = query.pay_to.as_ref().map(|address| address.to_ascii_lowercase());
        let conditions = vec![
            or_any(&query.kind.map(|kind| word(kind).to_owned())),
            or_any(&pay_to),
            or_any(&query.scheme),
            or_any(&query.network),
            or_any(&query.extension),
        ];
        let count = format!("SELECT COUNT(*) AS total {ADMITTED}");
        let total = self.sql.exec(&count, conditions.clone())?.to_array::<CountRow>()?;
        let page = format!("SELECT entry {ADMITTED} ORDER BY updated_at DESC, identity LIMIT ?6 OFFSET ?7");
        let values: Vec<_> =
            conditions.into_iter().chain([number(query.limit)?, number(query.offset)?]).collect();
        let rows = self.sql.exec(&page, values)?.to_array::<EntryRow>()?;
        let items = rows.iter().map(|row| serde_json::from_str(&row.entry)).collect::<Result<_, _>>()?;
        let total = total.first().map_or(0, |row| row.total);
        let pagination = Pagination { limit: query.limit, offset: query.offset, total };
        Ok(DiscoveryResources { x402_version: VERSION, items, pagination })
    }
}

fn word(kind: ResourceKind) -> &'static str {
    match kind {
        ResourceKind::Http => "http",
        ResourceKind::Mcp => "mcp",
    }
}

fn number(value: u64) -> Result<SqlStorageValue, Failure> {
    let value = i64::try_from(value).map_err(|_| Failure::Corrupt("a number of the catalogue".to_owned()))?;
    Ok(SqlStorageValue::from(value))
}
