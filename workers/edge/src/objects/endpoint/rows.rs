//! What an endpoint keeps of messages and attempts, and what it looks up for its core.

use api::binding::endpoint::AttemptRow;
use endpoint::{Arrival, Known, Message, News, Row, Status, limits};
use primitives::{TenantId, UnixMillis, WebhookId};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use shell::{Failure, Kept, number};
use worker::SqlStorageValue;

use super::Inner;

/// How a row is written that follows from the event `seq`.
pub(super) fn kept(row: &Row, seq: u64) -> Result<Kept, Failure> {
    Ok(match row {
        Row::Message { message, at, status } => Kept {
            statement: "INSERT INTO messages (id, seq, kind, body, at, status) VALUES (?, ?, ?, ?, ?, ?)",
            values: vec![
                message.id.as_str().into(),
                number(seq),
                message.kind.as_str().into(),
                message.body.as_str().into(),
                number(at.0),
                status.name().into(),
            ],
        },
        Row::Status { messages, status } => Kept {
            statement: "UPDATE messages SET status = ? WHERE id IN (SELECT value FROM json_each(?))",
            values: vec![status.name().into(), serde_json::to_string(messages)?.into()],
        },
        Row::Attempt(attempt) => Kept {
            statement: "INSERT INTO attempts (seq, message, attempt, at, taken, status, error, took, next_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            values: vec![
                number(seq),
                attempt.message.as_str().into(),
                number(u64::from(attempt.attempt)),
                number(attempt.at.0),
                number(u64::from(attempt.is_taken)),
                maybe(attempt.status.map(u64::from)),
                attempt.error.as_ref().map_or(SqlStorageValue::Null, |error| error.as_str().into()),
                number(attempt.took.0),
                maybe(attempt.next_at.map(|at| at.0)),
            ],
        },
        Row::ForgetMessages { before } => Kept {
            statement: "DELETE FROM messages WHERE status <> 'pending' AND at < ?",
            values: vec![number(before.0)],
        },
        Row::ForgetAttempts { before } => {
            Kept { statement: "DELETE FROM attempts WHERE at < ?", values: vec![number(before.0)] }
        }
        Row::ClearMessages => Kept { statement: "DELETE FROM messages", values: Vec::new() },
        Row::ClearAttempts => Kept { statement: "DELETE FROM attempts", values: Vec::new() },
    })
}

/// What the log was told.
pub(super) struct Told {
    pub(super) revision: u64,
    pub(super) tenant: TenantId,
    pub(super) at: UnixMillis,
    pub(super) news: News,
}

fn maybe(value: Option<u64>) -> SqlStorageValue {
    value.map_or(SqlStorageValue::Null, number)
}

#[derive(Deserialize)]
struct Id {
    id: WebhookId,
}

impl Inner {
    /// What comes, each with whether it is on file: one look-up for all.
    pub(super) fn arrivals(&self, messages: Vec<Message>) -> Result<Vec<Arrival>, Failure> {
        let ids: Vec<&WebhookId> = messages.iter().map(|message| &message.id).collect();
        let filed = self.filed(&ids)?;
        let arrival = |message: Message| {
            let known = if filed.contains(&message.id) { Known::Filed } else { Known::Fresh };
            Arrival { message, known }
        };
        Ok(messages.into_iter().map(arrival).collect())
    }

    /// Whether a message is on file.
    pub(super) fn known(&self, id: &WebhookId) -> Result<Known, Failure> {
        Ok(if self.filed(&[id])?.is_empty() { Known::Fresh } else { Known::Filed })
    }

    fn filed(&self, ids: &[&WebhookId]) -> Result<Vec<WebhookId>, Failure> {
        let rows: Vec<Id> = self.rows(
            "SELECT id FROM messages WHERE id IN (SELECT value FROM json_each(?))",
            vec![serde_json::to_string(ids)?.into()],
        )?;
        Ok(rows.into_iter().map(|row| row.id).collect())
    }

    /// What a message says, while it is on file.
    pub(super) fn body(&self, id: &WebhookId) -> Result<Option<String>, Failure> {
        #[derive(Deserialize)]
        struct Body {
            body: String,
        }
        let rows: Vec<Body> =
            self.rows("SELECT body FROM messages WHERE id = ?", vec![id.as_str().into()])?;
        Ok(rows.into_iter().next().map(|row| row.body))
    }

    /// What was missed or has failed since a moment, oldest first, one more than is recovered at once.
    pub(super) fn lost(&self, since: UnixMillis) -> Result<Vec<WebhookId>, Failure> {
        let most = u64::try_from(limits::BATCH).unwrap_or(u64::MAX).saturating_add(1);
        let rows: Vec<Id> = self.rows(
            "SELECT id FROM messages WHERE status IN (?, ?) AND at >= ? ORDER BY at, seq LIMIT ?",
            vec![Status::Failed.name().into(), Status::Missed.name().into(), number(since.0), number(most)],
        )?;
        Ok(rows.into_iter().map(|row| row.id).collect())
    }

    /// Attempts, newest first, with where their messages stand, and before which to go on.
    pub(super) fn attempts(
        &self,
        before: Option<u64>,
        limit: u32,
    ) -> Result<(Vec<AttemptRow>, Option<u64>), Failure> {
        #[derive(Deserialize)]
        struct Numbered {
            seq: u64,
            #[serde(flatten)]
            row: AttemptRow,
        }
        let most = usize::try_from(limit).unwrap_or(usize::MAX);
        let mut rows: Vec<Numbered> = self.rows(
            "SELECT attempts.seq, message, kind, attempt, attempts.at, taken, attempts.status, error, took, next_at,
               messages.status AS message_status
             FROM attempts LEFT JOIN messages ON messages.id = attempts.message
             WHERE attempts.seq < ? ORDER BY attempts.seq DESC LIMIT ?",
            vec![number(before.unwrap_or(1 << 53)), number(u64::from(limit).saturating_add(1))],
        )?;
        let has_more = rows.len() > most;
        rows.truncate(most);
        let next = rows.last().map(|last| last.seq).filter(|_| has_more);
        Ok((rows.into_iter().map(|numbered| numbered.row).collect(), next))
    }

    /// Rows of the object's own tables; none before there is anything.
    /// Keeps what the log is told.
    pub(super) fn note_told(&self, told: &Told) -> Result<(), Failure> {
        let values = vec![
            number(told.revision),
            told.tenant.as_str().into(),
            number(told.at.0),
            serde_json::to_string(&told.news)?.into(),
        ];
        let statement = "INSERT OR REPLACE INTO told (revision, tenant, at, news) VALUES (?, ?, ?, ?)";
        let _: Vec<()> = self.rows(statement, values)?;
        Ok(())
    }

    /// All that the log was told. There are tables once there is an endpoint.
    pub(super) fn told_before(&self) -> Result<Vec<Told>, Failure> {
        #[derive(Deserialize)]
        struct ToldRow {
            revision: u64,
            tenant: TenantId,
            at: u64,
            news: String,
        }
        let query = "SELECT revision, tenant, at, news FROM told ORDER BY revision";
        let rows: Vec<ToldRow> =
            if self.shell.version()? == 0 { Vec::new() } else { self.rows(query, Vec::new())? };
        let told = |ToldRow { revision, tenant, at, news }| {
            Ok(Told { revision, tenant, at: UnixMillis(at), news: serde_json::from_str(&news)? })
        };
        rows.into_iter().map(told).collect()
    }

    fn rows<T: DeserializeOwned>(
        &self,
        query: &str,
        values: Vec<SqlStorageValue>,
    ) -> Result<Vec<T>, Failure> {
        if self.shell.version()? == 0 {
            return Ok(Vec::new());
        }
        self.shell.journal().rows(query, values)
    }
}
