//! One shard of the directory: it knows which gigs, mandates and runs exist, and writes the gigs' rows to the board.
//!
//! Gigs come here to be shown rather than going to D1 themselves, for two reasons. A lost board is rebuilt from the
//! gigs that are known here. And D1 takes one statement at a time: rows that arrive together travel together.
//!
//! An index, not an authority: it decides nothing, and an older row never replaces a newer one.

use core::cell::{Cell, RefCell};
use core::time::Duration;

use futures_channel::oneshot;
use primitives::UnixMillis;
use serde::Deserialize;
use shell::{Failure, answer, now, only_messages, unknown_subject};
use wasm_bindgen::prelude::*;
use worker::{DurableObject, Env, Request, Response, SqlStorage, State, durable_object};

use crate::ports::board::{self, Row};

const KIND: &str = "directory";
/// Rows that one write takes along. D1 bounds what one call may hold; this stays far below it.
const BATCH_MAX: usize = 32;
/// Two writes that start closer together than this make the directory gather.
const BUSY_MS: u64 = 10;
/// How long it gathers before each write while it is busy: what one row waits, its neighbours need no write for.
const GATHERING: Duration = Duration::from_millis(3);

/// What a gig is told: that its row is on the board, or why not.
type Shown = Result<(), String>;

struct Waiting {
    row: Row,
    done: oneshot::Sender<Shown>,
}

#[derive(Default)]
struct Queue {
    waiting: Vec<Waiting>,
    /// Whether some request is writing; the others wait for it.
    is_writing: bool,
}

/// The object.
#[durable_object(fetch)]
pub struct DirectoryObject {
    state: State,
    env: Env,
    name: String,
    queue: RefCell<Queue>,
    is_prepared: Cell<bool>,
    last_write: Cell<UnixMillis>,
}

impl DurableObject for DirectoryObject {
    fn new(state: State, env: Env) -> Self {
        let name = state.id().name().unwrap_or_default();
        Self {
            state,
            env,
            name,
            queue: RefCell::default(),
            is_prepared: Cell::new(false),
            last_write: Cell::new(UnixMillis(0)),
        }
    }

    async fn fetch(&self, _request: Request) -> worker::Result<Response> {
        only_messages()
    }
}

#[wasm_bindgen]
impl DirectoryObject {
    /// Takes one message.
    pub async fn receive(&self, subject: String, body: String) -> Result<String, JsValue> {
        match subject.as_str() {
            "show" => answer(self.show(&body).await, KIND, &self.name),
            "know" => answer(self.know(&body), KIND, &self.name),
            "forget" => answer(self.forget(&body), KIND, &self.name),
            "sweep" => answer(self.sweep(&body), KIND, &self.name),
            other => answer::<()>(Err(unknown_subject(other)), KIND, &self.name),
        }
    }
}

#[derive(Deserialize)]
struct Known {
    gig_id: String,
}

impl DirectoryObject {
    fn prepare(&self) -> Result<SqlStorage, Failure> {
        let sql = self.state.storage().sql();
        if self.is_prepared.replace(true) {
            return Ok(sql);
        }
        sql.exec(
            "CREATE TABLE IF NOT EXISTS known (gig_id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
             CREATE TABLE IF NOT EXISTS swept (id INTEGER PRIMARY KEY CHECK (id = 1), last TEXT NOT NULL) STRICT;",
            None,
        )?;
        Ok(sql)
    }

    /// Lets go of what needs nobody to look after it any more and is shown nowhere.
    fn forget(&self, body: &str) -> Result<(), Failure> {
        let id: String = serde_json::from_str(body)?;
        self.prepare()?.exec("DELETE FROM known WHERE gig_id = ?", vec![id.into()])?;
        Ok(())
    }

    /// Keeps the id of a mandate or a run, which are shown by themselves or not at all.
    fn know(&self, body: &str) -> Result<(), Failure> {
        let id: String = serde_json::from_str(body)?;
        self.prepare()?.exec("INSERT OR IGNORE INTO known (gig_id) VALUES (?)", vec![id.into()])?;
        Ok(())
    }

    async fn show(&self, body: &str) -> Result<Shown, Failure> {
        let row: Row = serde_json::from_str(body)?;
        // Known before it is shown, so that no row on the board is without its gig here.
        self.prepare()?
            .exec("INSERT OR IGNORE INTO known (gig_id) VALUES (?)", vec![row.gig_id.as_str().into()])?;
        let (done, outcome) = oneshot::channel();
        let is_first = {
            let mut queue = self.queue.borrow_mut();
            queue.waiting.push(Waiting { row, done });
            !core::mem::replace(&mut queue.is_writing, true)
        };
        if is_first {
            self.write_all().await;
        }
        Ok(outcome.await.unwrap_or_else(|_| Err("the write was given up".to_owned())))
    }

    /// Writes what waits, batch by batch, until nothing does.
    async fn write_all(&self) {
        let mut is_busy = self.is_busy();
        loop {
            if is_busy {
                worker::Delay::from(GATHERING).await;
            }
            is_busy = true;
            let batch: Vec<Waiting> = {
                let mut queue = self.queue.borrow_mut();
                let count = queue.waiting.len().min(BATCH_MAX);
                if count == 0 {
                    queue.is_writing = false;
                    return;
                }
                queue.waiting.drain(..count).collect()
            };
            let (rows, waiters): (Vec<Row>, Vec<_>) =
                batch.into_iter().map(|one| (one.row, one.done)).unzip();
            let outcome = board::write(&self.env, &rows).await;
            let is_alone = rows.len() == 1;
            if let Err(failure @ Failure::Late(_)) = &outcome {
                // What came meanwhile would only wait as long for the same.
                let waiting: Vec<_> = {
                    let mut queue = self.queue.borrow_mut();
                    queue.waiting.drain(..).map(|one| one.done).collect()
                };
                for done in waiters.into_iter().chain(waiting) {
                    let _ = done.send(Err(failure.to_string()));
                }
                continue;
            }
            for (row, done) in rows.into_iter().zip(waiters) {
                let shown = match &outcome {
                    Ok(()) => Ok(()),
                    // One bad row must not take the others down with it.
                    Err(failure) if is_alone => Err(failure.to_string()),
                    Err(_) => board::write(&self.env, &[row]).await.map_err(|failure| failure.to_string()),
                };
                // A gig that has stopped waiting tries again by itself.
                let _ = done.send(shown);
            }
        }
    }

    /// Whether rows come so fast that more are on their way.
    fn is_busy(&self) -> bool {
        let now = now();
        let before = self.last_write.replace(now);
        now.since(before).0 < BUSY_MS
    }

    /// The next `limit` gigs after those of the last call, in a circle.
    fn sweep(&self, body: &str) -> Result<Vec<String>, Failure> {
        let limit: u32 = serde_json::from_str(body)?;
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
