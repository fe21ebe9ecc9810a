//! What the simulator remembers, in the object's own SQLite.

use core::str::FromStr as _;

use primitives::{Digest, PaymentId, UnixMillis};
use serde::Deserialize;
use settlement::Asker;
use worker::{Error, Result, SqlStorage, SqlStorageValue};

use super::{
    judge::{Collected, Record, Status},
    mode::Mode,
};

const SCHEMA: &str = "
CREATE TABLE IF NOT EXISTS authorization (
    payment     TEXT PRIMARY KEY,
    fingerprint TEXT NOT NULL,
    status      TEXT NOT NULL CHECK (status IN ('pending', 'settled', 'failed')),
    asker       TEXT,
    collected   INTEGER NOT NULL,
    at          INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS setting (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;";

/// The two tables. Every method is synchronous: between two of them nothing else happens in the object.
pub(crate) struct Memory(SqlStorage);

#[derive(Deserialize)]
struct SettlementRow {
    fingerprint: Digest,
    status: String,
    asker: Option<String>,
    collected: u8,
}

#[derive(Deserialize)]
struct SettingRow {
    value: String,
}

#[derive(Deserialize)]
struct CountRow {
    settlements: u64,
}

impl Memory {
    /// # Errors
    /// When the tables cannot be made.
    pub(crate) fn open(sql: SqlStorage) -> Result<Self> {
        sql.exec(SCHEMA, None)?;
        Ok(Self(sql))
    }

    /// What is remembered of an authorization.
    pub(crate) fn record(&self, payment: &PaymentId) -> Result<Option<Record>> {
        let cursor = self.0.exec(
            "SELECT fingerprint, status, asker, collected FROM authorization WHERE payment = ?",
            vec![SqlStorageValue::from(payment.as_str())],
        )?;
        let Some(row) = cursor.to_array::<SettlementRow>()?.into_iter().next() else { return Ok(None) };
        let status = match row.status.as_str() {
            "pending" => Status::Pending,
            "settled" => Status::Settled,
            "failed" => Status::Failed,
            other => return Err(Error::RustError(format!("settlement {payment} has the status {other}"))),
        };
        let asker = row.asker.map_or(Asker::Anonymous, Asker::Key);
        let collected = if row.collected == 0 { Collected::Not } else { Collected::Once };
        Ok(Some(Record { fingerprint: row.fingerprint, status, asker, collected }))
    }

    /// Remembers how far an authorization has come.
    pub(crate) fn keep(&self, payment: &PaymentId, record: &Record, now: UnixMillis) -> Result<()> {
        let status = match record.status {
            Status::Pending => "pending",
            Status::Settled => "settled",
            Status::Failed => "failed",
        };
        let asker = match &record.asker {
            Asker::Anonymous => SqlStorageValue::Null,
            Asker::Key(key) => SqlStorageValue::from(key.as_str()),
        };
        let collected: i64 = match record.collected {
            Collected::Not => 0,
            Collected::Once => 1,
        };
        let at = i64::try_from(now.0).map_err(|_| Error::RustError("the clock is broken".to_owned()))?;
        self.0.exec(
            "INSERT INTO authorization (payment, fingerprint, status, asker, collected, at) VALUES (?, ?, ?, ?, ?, ?)
             ON CONFLICT (payment) DO UPDATE
               SET status = excluded.status, collected = excluded.collected, at = excluded.at",
            vec![
                SqlStorageValue::from(payment.as_str()),
                SqlStorageValue::from(record.fingerprint.to_string()),
                SqlStorageValue::from(status),
                asker,
                SqlStorageValue::from(collected),
                SqlStorageValue::from(at),
            ],
        )?;
        Ok(())
    }

    /// How many authorizations were settled.
    pub(crate) fn settlements(&self) -> Result<u64> {
        let cursor = self
            .0
            .exec("SELECT COUNT(*) AS settlements FROM authorization WHERE status = 'settled'", None)?;
        Ok(cursor.to_array::<CountRow>()?.into_iter().next().map_or(0, |row| row.settlements))
    }

    /// The mode that was set at run time, if one was.
    pub(crate) fn mode(&self) -> Result<Option<Mode>> {
        let cursor = self.0.exec("SELECT value FROM setting WHERE name = 'mode'", None)?;
        let row = cursor.to_array::<SettingRow>()?.into_iter().next();
        // A mode that an older version knew is as good as none.
        Ok(row.and_then(|row| Mode::from_str(&row.value).ok()))
    }

    /// Sets the mode from now on, also across restarts.
    pub(crate) fn set_mode(&self, mode: Mode) -> Result<()> {
        self.0.exec(
            "INSERT INTO setting (name, value) VALUES ('mode', ?)
             ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            vec![SqlStorageValue::from(mode.to_string())],
        )?;
        Ok(())
    }
}
