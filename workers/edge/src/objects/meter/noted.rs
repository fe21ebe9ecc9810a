//! Identities of events that belong to this shard and are used at another one: of what takes back or pays an event that is
//! kept there. Each stands for one thing from then on, here as well.

use core::cell::Cell;

use meter::{EventKey, limits};
use primitives::Digest;
use serde::Deserialize;
use shell::{Failure, now, number};
use worker::SqlStorage;

/// The table.
pub(super) struct Noted {
    sql: SqlStorage,
    /// Whether anything was ever noted, once that was looked up.
    is_there: Cell<Option<bool>>,
}

#[derive(Deserialize)]
struct Row {
    fingerprint: String,
}

impl Noted {
    pub(super) const fn new(sql: SqlStorage) -> Self {
        Self { sql, is_there: Cell::new(None) }
    }

    /// Makes an identity stand for what has this fingerprint; whether it does, or stood for something else.
    pub(super) fn note(&self, key: &EventKey, fingerprint: &Digest) -> Result<bool, Failure> {
        self.sql.exec(
            "CREATE TABLE IF NOT EXISTS noted (
               id TEXT NOT NULL, source TEXT NOT NULL, fingerprint TEXT NOT NULL, at INTEGER NOT NULL,
               PRIMARY KEY (id, source)) STRICT, WITHOUT ROWID",
            None,
        )?;
        self.is_there.set(Some(true));
        // What nobody can send any more need not be remembered.
        let forgotten = now().minus(limits::KEPT);
        self.sql.exec("DELETE FROM noted WHERE at < ?", vec![number(forgotten.0)])?;
        let (id, source) = (key.id.as_str(), key.source.as_str());
        self.sql.exec(
            "INSERT OR IGNORE INTO noted (id, source, fingerprint, at) VALUES (?, ?, ?, ?)",
            vec![id.into(), source.into(), fingerprint.to_string().into(), number(now().0)],
        )?;
        Ok(self.fingerprint(key)?.is_none_or(|noted| noted == fingerprint.to_string()))
    }

    /// What was noted has not happened.
    pub(super) fn unnote(&self, key: &EventKey, fingerprint: &Digest) -> Result<(), Failure> {
        if self.is_there()? {
            self.sql.exec(
                "DELETE FROM noted WHERE id = ? AND source = ? AND fingerprint = ?",
                vec![key.id.as_str().into(), key.source.as_str().into(), fingerprint.to_string().into()],
            )?;
        }
        Ok(())
    }

    fn fingerprint(&self, key: &EventKey) -> Result<Option<String>, Failure> {
        let rows: Vec<Row> = self
            .sql
            .exec(
                "SELECT fingerprint FROM noted WHERE id = ? AND source = ?",
                vec![key.id.as_str().into(), key.source.as_str().into()],
            )?
            .to_array()?;
        Ok(rows.into_iter().next().map(|row| row.fingerprint))
    }

    /// Whether anything was ever noted.
    pub(super) fn is_there(&self) -> Result<bool, Failure> {
        #[derive(Deserialize)]
        struct Table {}
        if let Some(known) = self.is_there.get() {
            return Ok(known);
        }
        let tables: Vec<Table> = self
            .sql
            .exec("SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'noted'", None)?
            .to_array()?;
        self.is_there.set(Some(!tables.is_empty()));
        Ok(!tables.is_empty())
    }
}
