//! The one-time passes to an object's streams, in its own database.

use std::cell::RefCell;

use primitives::{Digest, UnixMillis};
use serde::Deserialize;
use session::ticket;
use shell::{Failure, now};
use worker::SqlStorage;

const TABLE: &str = "CREATE TABLE IF NOT EXISTS tickets (id INTEGER PRIMARY KEY CHECK (id = 1), snapshot TEXT NOT NULL) STRICT";

/// The tickets of one object.
pub struct Tickets {
    sql: SqlStorage,
    kept: RefCell<Option<ticket::Tickets>>,
}

#[derive(Deserialize)]
struct Row {
    snapshot: String,
}

impl Tickets {
    /// Those that are kept in this object's database.
    pub const fn new(sql: SqlStorage) -> Self {
        Self { sql, kept: RefCell::new(None) }
    }

    /// Keeps the digest of a fresh ticket, and says until when it opens.
    pub fn issue(&self, ticket: &Digest) -> Result<UnixMillis, Failure> {
        self.change(|tickets| tickets.issue(ticket, now()))
    }

    /// Spends a ticket; false when it opens nothing.
    pub fn spend(&self, ticket: &Digest) -> Result<bool, Failure> {
        self.change(|tickets| tickets.spend(ticket, now()))
    }

    fn change<T>(&self, change: impl FnOnce(&mut ticket::Tickets) -> T) -> Result<T, Failure> {
        let mut slot = self.kept.borrow_mut();
        let mut tickets = match slot.take() {
            Some(tickets) => tickets,
            None => self.load()?,
        };
        let before = tickets.clone();
        let came = change(&mut tickets);
        if tickets != before {
            let values = vec![serde_json::to_string(&tickets)?.into()];
            self.sql.exec("INSERT OR REPLACE INTO tickets (id, snapshot) VALUES (1, ?)", values)?;
        }
        *slot = Some(tickets);
        Ok(came)
    }

    fn load(&self) -> Result<ticket::Tickets, Failure> {
        self.sql.exec(TABLE, None)?;
        let rows: Vec<Row> = self.sql.exec("SELECT snapshot FROM tickets", None)?.to_array()?;
        match rows.into_iter().next() {
            Some(row) => Ok(serde_json::from_str(&row.snapshot)?),
            None => Ok(ticket::Tickets::default()),
        }
    }
}
