//! One shard of the directory of gigs: which gigs exist, so that a lost board can be rebuilt from them. An index, not
//! an authority: it is written once per gig and decides nothing.

use serde::Deserialize;
use worker::{DurableObject, Env, Request, Response, State, durable_object};

use super::{answer, message};
use crate::failure::Failure;

const KIND: &str = "directory";

/// The object.
#[durable_object(fetch)]
pub struct DirectoryObject {
    state: State,
    name: String,
}

impl DurableObject for DirectoryObject {
    fn new(state: State, _env: Env) -> Self {
        let name = state.id().name().unwrap_or_default();
        Self { state, name }
    }

    async fn fetch(&self, request: Request) -> worker::Result<Response> {
        match request.path().as_str() {
            "/register" => answer(self.register(request).await, KIND, &self.name),
            "/sweep" => answer(self.sweep(request).await, KIND, &self.name),
            _ => Response::error("no such message", 404),
        }
    }
}

#[derive(Deserialize)]
struct Known {
    gig_id: String,
}

impl DirectoryObject {
    fn prepare(&self) -> Result<worker::SqlStorage, Failure> {
        let sql = self.state.storage().sql();
        sql.exec(
            "CREATE TABLE IF NOT EXISTS known (gig_id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
             CREATE TABLE IF NOT EXISTS swept (id INTEGER PRIMARY KEY CHECK (id = 1), last TEXT NOT NULL) STRICT;",
            None,
        )?;
        Ok(sql)
    }

    async fn register(&self, request: Request) -> Result<(), Failure> {
        let gig_id: String = message(request).await?;
        self.prepare()?.exec("INSERT OR IGNORE INTO known (gig_id) VALUES (?)", vec![gig_id.into()])?;
        Ok(())
    }

    /// The next `limit` gigs after those of the last call, in a circle.
    async fn sweep(&self, request: Request) -> Result<Vec<String>, Failure> {
        let limit: u32 = message(request).await?;
        let sql = self.prepare()?;
        let rows: Vec<Known> = sql
            .exec(
                "SELECT gig_id FROM known WHERE gig_id > COALESCE((SELECT last FROM swept), '')
                 ORDER BY gig_id LIMIT ?",
                vec![i64::from(limit).into()],
            )?
            .to_array()?;
        // At the end of the circle the next call starts anew.
        let last = rows.last().map_or_else(String::new, |row| row.gig_id.clone());
        sql.exec(
            "INSERT INTO swept (id, last) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET last = excluded.last",
            vec![last.into()],
        )?;
        Ok(rows.into_iter().map(|row| row.gig_id).collect())
    }
}
