//! Signatures that were used, in the store of the object that a signed request is for: one signature leads to one object
//! only, since it covers the path and the body.

use core::cell::RefCell;

use api::binding::Once;
use primitives::UnixMillis;
use serde::Deserialize;
use session::once::{Command, Refusal, State, apply, deadline, decide};
use shell::{Failure, now};
use worker::SqlStorage;

const TABLE: &str = "CREATE TABLE IF NOT EXISTS used (id INTEGER PRIMARY KEY, snapshot TEXT NOT NULL) STRICT";

/// The used signatures of one account.
pub struct Used {
    sql: SqlStorage,
    id: u8,
    state: RefCell<Option<State>>,
}

#[derive(Deserialize)]
struct Row {
    snapshot: String,
}

impl Used {
    /// Those that are kept in this object's database under a number, one for each account that may fill its own only.
    pub fn new(sql: SqlStorage, id: u8) -> Self {
        Self { sql, id, state: RefCell::new(None) }
    }

    /// Uses a signature. It is used from then on, whatever becomes of the request: there is no `await` between this and
    /// what the caller does next.
    pub fn once(&self, once: &Once) -> Result<Result<(), Refusal>, Failure> {
        let mut slot = self.state.borrow_mut();
        let state = match slot.take() {
            Some(state) => state,
            None => self.load()?,
        };
        let command = Command::Use { key: once.key, until: once.until };
        let events = match decide(&state, command, now()) {
            Ok(events) => events,
            Err(refusal) => {
                *slot = Some(state);
                return Ok(Err(refusal));
            }
        };
        let state =
            events.iter().try_fold(state, apply).map_err(|corrupt| Failure::Corrupt(corrupt.to_string()))?;
        let snapshot = serde_json::to_string(&state)?;
        let values = vec![i64::from(self.id).into(), snapshot.into()];
        self.sql.exec("INSERT OR REPLACE INTO used (id, snapshot) VALUES (?, ?)", values)?;
        *slot = Some(state);
        Ok(Ok(()))
    }

    /// When nothing that is kept can be used again; none when nothing is kept.
    pub fn over(&self) -> Result<Option<UnixMillis>, Failure> {
        let mut slot = self.state.borrow_mut();
        let state = match slot.take() {
            Some(state) => state,
            None => self.load()?,
        };
        let over = deadline(&state);
        *slot = Some(state);
        Ok(over)
    }

    /// The store was emptied.
    pub fn forget(&self) {
        self.state.take();
    }

    fn load(&self) -> Result<State, Failure> {
        self.sql.exec(TABLE, None)?;
        let values = vec![i64::from(self.id).into()];
        let rows: Vec<Row> = self.sql.exec("SELECT snapshot FROM used WHERE id = ?", values)?.to_array()?;
        match rows.into_iter().next() {
            Some(row) => Ok(serde_json::from_str(&row.snapshot)?),
            None => Ok(State::default()),
        }
    }
}
