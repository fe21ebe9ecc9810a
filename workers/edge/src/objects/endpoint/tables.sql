CREATE TABLE IF NOT EXISTS messages (
  id TEXT PRIMARY KEY, seq INTEGER NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL, at INTEGER NOT NULL,
  status TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS messages_by_at ON messages (at);
CREATE INDEX IF NOT EXISTS messages_by_status ON messages (status, at, seq);
CREATE TABLE IF NOT EXISTS attempts (
  seq INTEGER PRIMARY KEY, message TEXT NOT NULL, attempt INTEGER NOT NULL, at INTEGER NOT NULL, taken INTEGER NOT NULL,
  status INTEGER, error TEXT, took INTEGER NOT NULL, next_at INTEGER
) STRICT;
CREATE INDEX IF NOT EXISTS attempts_by_at ON attempts (at);
-- What the tenant's log was told, by the revision that it is of: a log that was lost is told it again.
CREATE TABLE IF NOT EXISTS told (
  revision INTEGER PRIMARY KEY, tenant TEXT NOT NULL, at INTEGER NOT NULL, news TEXT NOT NULL
) STRICT;
