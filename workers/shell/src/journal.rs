//! An object's own store: journal, state, operations and outbox, in its SQLite database.
//!
//! Each table exists from the first row on: asking about something that is not there leaves nothing behind, and an
//! object that owes nothing does not pay for an outbox.

use core::cell::Cell;

use primitives::{Digest, JournalRow, UnixMillis};
use serde::Deserialize;
use wasm_bindgen::prelude::*;
use worker::{SqlStorage, SqlStorageValue, State};

use crate::failure::Failure;

const JOURNAL_AND_STATE: &str = "
CREATE TABLE IF NOT EXISTS journal (seq INTEGER PRIMARY KEY, body TEXT NOT NULL, hash TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS state (
  id INTEGER PRIMARY KEY CHECK (id = 1), seq INTEGER NOT NULL, head TEXT NOT NULL, snapshot TEXT NOT NULL,
  alarm_at INTEGER, projected_seq INTEGER NOT NULL
) STRICT;
";
const OPERATIONS: &str = "
CREATE TABLE IF NOT EXISTS operations (
  key TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, answer TEXT NOT NULL
) STRICT, WITHOUT ROWID;
";
const OUTBOX: &str = "
CREATE TABLE IF NOT EXISTS outbox (
  seq INTEGER NOT NULL, ordinal INTEGER NOT NULL, effect TEXT NOT NULL, correlation_id TEXT NOT NULL,
  attempts INTEGER NOT NULL, next_at INTEGER NOT NULL, PRIMARY KEY (seq, ordinal)
) STRICT, WITHOUT ROWID;
";

#[wasm_bindgen]
extern "C" {
    /// The parts of the runtime's storage that the `worker` crate does not bind.
    type RawStorage;

    /// Runs `work` in one transaction: all of its writes happen, or none.
    #[wasm_bindgen(method, catch, js_name = transactionSync)]
    fn transaction_sync(
        this: &RawStorage,
        work: &mut dyn FnMut() -> Result<JsValue, JsValue>,
    ) -> Result<JsValue, JsValue>;

    /// Sets the object's one alarm, in Unix milliseconds. The promise need not be awaited: the runtime holds every
    /// answer back until the write is durable.
    #[wasm_bindgen(method, catch, js_name = setAlarm)]
    fn set_alarm(this: &RawStorage, at: f64) -> Result<js_sys::Promise, JsValue>;

    #[wasm_bindgen(method, catch, js_name = deleteAlarm)]
    fn delete_alarm(this: &RawStorage) -> Result<js_sys::Promise, JsValue>;
}

/// One journal row to be written.
pub struct Entry {
    /// Counts from 1.
    pub seq: u64,
    /// Canonical JSON of `{at, correlation_id, event, seq}`.
    pub body: String,
    /// The chain up to here.
    pub hash: Digest,
}

/// One owed effect.
pub struct Owed {
    /// The event's place in the journal.
    pub seq: u64,
    /// The effect's place among that event's.
    pub ordinal: u64,
    /// The effect as JSON.
    pub effect: String,
    /// What caused it.
    pub correlation_id: String,
    /// How often it was tried.
    pub attempts: u64,
}

/// A row that a core keeps for itself, beside the journal.
pub struct Kept {
    /// The statement that writes it.
    pub statement: &'static str,
    /// Its values.
    pub values: Vec<SqlStorageValue>,
}

/// The state row.
pub struct Stored {
    /// The journal's length.
    pub seq: u64,
    /// The chain's head.
    pub head: Digest,
    /// The state as JSON.
    pub snapshot: String,
    /// The alarm that was last set.
    pub alarm_at: Option<UnixMillis>,
    /// Up to where the board has been told.
    pub projected_seq: u64,
}

/// What one command writes, all of it or nothing.
pub struct Record<'a> {
    /// New events, oldest first.
    pub entries: Vec<Entry>,
    /// The state after them.
    pub stored: &'a Stored,
    /// The operation's key, fingerprint and answer.
    pub operation: Option<(&'a str, String, String)>,
    /// The tables of the core's own rows; made with the first event.
    pub tables: &'static str,
    /// The core's own rows.
    pub kept: Vec<Kept>,
    /// What is owed now.
    pub owed: Vec<Owed>,
    /// When the owed is tried again if this process does not get to it.
    pub owed_next_at: UnixMillis,
}

/// The store.
pub struct Journal {
    sql: SqlStorage,
    raw: RawStorage,
    has_operations: Cell<bool>,
    has_outbox: Cell<bool>,
}

impl Journal {
    /// The store of an object.
    pub fn new(state: &State) -> Self {
        let storage = state.storage();
        let raw: &JsValue = storage.as_raw().as_ref();
        Self {
            sql: storage.sql(),
            raw: raw.clone().unchecked_into(),
            has_operations: Cell::new(false),
            has_outbox: Cell::new(false),
        }
    }

    /// What a query finds.
    pub fn rows<T: for<'de> Deserialize<'de>>(
        &self,
        query: &str,
        values: Vec<SqlStorageValue>,
    ) -> Result<Vec<T>, Failure> {
        Ok(self.sql.exec(query, values)?.to_array()?)
    }

    fn write(&self, query: &str, values: Vec<SqlStorageValue>) -> Result<(), JsValue> {
        self.sql.exec(query, values).map(|_| ()).map_err(|error| JsValue::from_str(&error.to_string()))
    }

    /// The state row, if anything was ever recorded.
    pub fn load(&self) -> Result<Option<Stored>, Failure> {
        #[derive(Deserialize)]
        struct Table {
            name: String,
        }
        #[derive(Deserialize)]
        struct Row {
            seq: u64,
            head: Digest,
            snapshot: String,
            alarm_at: Option<u64>,
            projected_seq: u64,
        }
        let tables: Vec<Table> =
            self.rows("SELECT name FROM sqlite_master WHERE type = 'table'", Vec::new())?;
        let has = |name: &str| tables.iter().any(|table| table.name == name);
        self.has_operations.set(has("operations"));
        self.has_outbox.set(has("outbox"));
        if !has("state") {
            return Ok(None);
        }
        let rows: Vec<Row> =
            self.rows("SELECT seq, head, snapshot, alarm_at, projected_seq FROM state", Vec::new())?;
        Ok(rows.into_iter().next().map(|row| Stored {
            seq: row.seq,
            head: row.head,
            snapshot: row.snapshot,
            alarm_at: row.alarm_at.map(UnixMillis),
            projected_seq: row.projected_seq,
        }))
    }

    /// Writes what one command changed.
    pub fn record(&self, record: &Record<'_>) -> Result<(), Failure> {
        let mut work = || -> Result<JsValue, JsValue> {
            if record.entries.first().is_some_and(|entry| entry.seq == 1) {
                self.write(JOURNAL_AND_STATE, Vec::new())?;
                if !record.tables.is_empty() {
                    self.write(record.tables, Vec::new())?;
                }
            }
            for kept in &record.kept {
                self.write(kept.statement, kept.values.clone())?;
            }
            for entry in &record.entries {
                let values =
                    vec![number(entry.seq), entry.body.as_str().into(), entry.hash.to_string().into()];
                self.write("INSERT INTO journal (seq, body, hash) VALUES (?, ?, ?)", values)?;
            }
            self.write_state(record.stored)?;
            if record.operation.is_some() && !self.has_operations.get() {
                self.write(OPERATIONS, Vec::new())?;
            }
            if let Some((key, fingerprint, answer)) = &record.operation {
                let values = vec![(*key).into(), fingerprint.as_str().into(), answer.as_str().into()];
                self.write("INSERT INTO operations (key, fingerprint, answer) VALUES (?, ?, ?)", values)?;
            }
            if !record.owed.is_empty() && !self.has_outbox.get() {
                self.write(OUTBOX, Vec::new())?;
            }
            for owed in &record.owed {
                let values = vec![
                    number(owed.seq),
                    number(owed.ordinal),
                    owed.effect.as_str().into(),
                    owed.correlation_id.as_str().into(),
                    number(record.owed_next_at.0),
                ];
                self.write(
                    "INSERT INTO outbox (seq, ordinal, effect, correlation_id, attempts, next_at)
                     VALUES (?, ?, ?, ?, 0, ?)",
                    values,
                )?;
            }
            Ok(JsValue::UNDEFINED)
        };
        self.raw.transaction_sync(&mut work)?;
        self.has_operations.set(self.has_operations.get() || record.operation.is_some());
        self.has_outbox.set(self.has_outbox.get() || !record.owed.is_empty());
        Ok(())
    }

    fn write_state(&self, stored: &Stored) -> Result<(), JsValue> {
        let alarm_at = stored.alarm_at.map_or(SqlStorageValue::Null, |at| number(at.0));
        let values = vec![
            number(stored.seq),
            stored.head.to_string().into(),
            stored.snapshot.as_str().into(),
            alarm_at,
            number(stored.projected_seq),
        ];
        self.write(
            "INSERT INTO state (id, seq, head, snapshot, alarm_at, projected_seq) VALUES (1, ?, ?, ?, ?, ?)
             ON CONFLICT (id) DO UPDATE SET seq = excluded.seq, head = excluded.head, snapshot = excluded.snapshot,
               alarm_at = excluded.alarm_at, projected_seq = excluded.projected_seq",
            values,
        )
    }

    /// Sets or removes the one alarm and notes it. The caller keeps it from lying at or before now.
    pub fn set_alarm(&self, at: Option<UnixMillis>) -> Result<(), Failure> {
        // The runtime holds every answer back until this is durable; a failure breaks the object, not just this call.
        let _set = match at {
            #[expect(clippy::cast_precision_loss, reason = "moments stay far below 2^53 milliseconds")]
            Some(at) => self.raw.set_alarm(at.0 as f64)?,
            None => self.raw.delete_alarm()?,
        };
        Ok(())
    }

    /// Notes up to where the board has been told, and the alarm.
    pub fn note(&self, projected_seq: u64, alarm_at: Option<UnixMillis>) -> Result<(), Failure> {
        let alarm_at = alarm_at.map_or(SqlStorageValue::Null, |at| number(at.0));
        self.write(
            "UPDATE state SET projected_seq = ?, alarm_at = ?",
            vec![number(projected_seq), alarm_at],
        )?;
        Ok(())
    }

    /// The fingerprint and answer recorded under an operation's key.
    pub fn operation(&self, key: &str) -> Result<Option<(String, String)>, Failure> {
        #[derive(Deserialize)]
        struct Row {
            fingerprint: String,
            answer: String,
        }
        if !self.has_operations.get() {
            return Ok(None);
        }
        let rows: Vec<Row> =
            self.rows("SELECT fingerprint, answer FROM operations WHERE key = ?", vec![key.into()])?;
        Ok(rows.into_iter().next().map(|row| (row.fingerprint, row.answer)))
    }

    /// Effects that are still owed, oldest first.
    pub fn owed(&self, limit: u32) -> Result<Vec<(Owed, UnixMillis)>, Failure> {
        #[derive(Deserialize)]
        struct Row {
            seq: u64,
            ordinal: u64,
            effect: String,
            correlation_id: String,
            attempts: u64,
            next_at: u64,
        }
        if !self.has_outbox.get() {
            return Ok(Vec::new());
        }
        let rows: Vec<Row> = self.rows(
            "SELECT seq, ordinal, effect, correlation_id, attempts, next_at FROM outbox ORDER BY next_at LIMIT ?",
            vec![number(u64::from(limit))],
        )?;
        let owed = |row: Row| {
            let Row { seq, ordinal, effect, correlation_id, attempts, next_at } = row;
            (Owed { seq, ordinal, effect, correlation_id, attempts }, UnixMillis(next_at))
        };
        Ok(rows.into_iter().map(owed).collect())
    }

    /// An effect has happened.
    pub fn paid(&self, owed: &Owed) -> Result<(), Failure> {
        let values = vec![number(owed.seq), number(owed.ordinal)];
        self.write("DELETE FROM outbox WHERE seq = ? AND ordinal = ?", values)?;
        Ok(())
    }

    /// An effect has not happened; it is tried again at `next_at`.
    pub fn postpone(&self, owed: &Owed, next_at: UnixMillis) -> Result<(), Failure> {
        let values = vec![number(next_at.0), number(owed.seq), number(owed.ordinal)];
        self.write(
            "UPDATE outbox SET attempts = attempts + 1, next_at = ? WHERE seq = ? AND ordinal = ?",
            values,
        )?;
        Ok(())
    }

    /// At most `limit` rows of the journal after `seq`, oldest first.
    pub fn entries_after(&self, seq: u64, limit: u64) -> Result<Vec<JournalRow>, Failure> {
        let values = vec![number(seq), number(limit)];
        self.rows("SELECT seq, body, hash FROM journal WHERE seq > ? ORDER BY seq LIMIT ?", values)
    }

    /// The whole journal, oldest first.
    pub fn entries(&self) -> Result<Vec<JournalRow>, Failure> {
        self.rows("SELECT seq, body, hash FROM journal ORDER BY seq", Vec::new())
    }
}

/// A number for SQL. Sequences and moments stay below 2^53.
pub fn number(value: u64) -> SqlStorageValue {
    SqlStorageValue::Integer(i64::try_from(value).unwrap_or(i64::MAX))
}
