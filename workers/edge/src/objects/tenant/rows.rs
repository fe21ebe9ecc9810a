//! What a tenant keeps beside its journal, and what it looks up for its core.

use api::binding::tenant::KnownMeter;
use primitives::{AgentName, MeterId, ServiceName, UnixMillis};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use shell::{Failure, Kept, number};
use tenant::{Account, Known, News, Row};
use worker::SqlStorageValue;

use super::Inner;

/// How a row is written.
pub(super) fn kept(row: &Row, at: UnixMillis) -> Result<Kept, Failure> {
    Ok(match row {
        Row::Account { agent, account } => Kept {
            statement: "INSERT OR REPLACE INTO accounts (agent, body) VALUES (?, ?)",
            values: vec![agent.as_str().into(), serde_json::to_string(account)?.into()],
        },
        Row::Meter { meter, agent, service } => Kept {
            statement: "INSERT OR IGNORE INTO meters (meter, agent, service, since) VALUES (?, ?, ?, ?)",
            values: vec![meter.as_str().into(), agent.as_str().into(), service.as_str().into(), number(at.0)],
        },
        Row::Clear => Kept {
            statement: "DELETE FROM accounts; DELETE FROM meters; DELETE FROM uses;",
            values: Vec::new(),
        },
    })
}

/// How a line of the log is written.
pub(super) fn line(news: &News, seq: u64, ordinal: u64, at: UnixMillis) -> Result<Kept, Failure> {
    Ok(Kept {
        statement: "INSERT INTO audit (seq, ordinal, at, body) VALUES (?, ?, ?, ?)",
        values: vec![number(seq), number(ordinal), number(at.0), serde_json::to_string(news)?.into()],
    })
}

#[derive(Deserialize)]
struct Body {
    body: String,
}

#[derive(Deserialize)]
struct Meter {
    meter: MeterId,
    agent: AgentName,
    service: ServiceName,
    since: u64,
}

impl Inner {
    /// What a query finds. Only of a tenant that there is: before it, there are no tables.
    pub(super) fn rows<T: DeserializeOwned>(
        &self,
        query: &str,
        values: Vec<SqlStorageValue>,
    ) -> Result<Vec<T>, Failure> {
        self.shell.journal().rows(query, values)
    }

    /// Whether there is a tenant, and tables.
    pub(super) fn is_open(&self) -> Result<bool, Failure> {
        self.shell.read(|state| state.book().is_some())
    }

    /// What is agreed with an agent.
    pub(super) fn account(&self, agent: &AgentName) -> Result<Option<Account>, Failure> {
        if !self.is_open()? {
            return Ok(None);
        }
        let rows: Vec<Body> =
            self.rows("SELECT body FROM accounts WHERE agent = ?", vec![agent.as_str().into()])?;
        rows.first().map(|row| Ok(serde_json::from_str(&row.body)?)).transpose()
    }

    /// Whether a meter was used.
    pub(super) fn known(&self, meter: &MeterId) -> Result<Known, Failure> {
        if !self.is_open()? {
            return Ok(Known::Fresh);
        }
        let rows: Vec<Meter> = self.rows(
            "SELECT meter, agent, service, since FROM meters WHERE meter = ?",
            vec![meter.as_str().into()],
        )?;
        Ok(if rows.is_empty() { Known::Fresh } else { Known::Filed })
    }

    /// Meters that were used, in the order of their ids.
    pub(super) fn meters(
        &self,
        agent: Option<&AgentName>,
        after: Option<&MeterId>,
        limit: u32,
    ) -> Result<Vec<KnownMeter>, Failure> {
        if !self.is_open()? {
            return Ok(Vec::new());
        }
        let after = after.map_or("", MeterId::as_str);
        let limit = number(u64::from(limit));
        let rows: Vec<Meter> = match agent {
            None => self.rows(
                "SELECT meter, agent, service, since FROM meters WHERE meter > ? ORDER BY meter LIMIT ?",
                vec![after.into(), limit],
            )?,
            Some(agent) => self.rows(
                "SELECT meter, agent, service, since FROM meters WHERE agent = ? AND meter > ?
                 ORDER BY meter LIMIT ?",
                vec![agent.as_str().into(), after.into(), limit],
            )?,
        };
        let known = |Meter { meter, agent, service, since }| KnownMeter {
            meter,
            agent,
            service,
            since: UnixMillis(since),
        };
        Ok(rows.into_iter().map(known).collect())
    }
}
