-- What a tenant keeps beside its journal, written in the transaction of the event that it follows from.

-- What is agreed with agents, as JSON.
CREATE TABLE IF NOT EXISTS accounts (agent TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT, WITHOUT ROWID;

-- Meters that were used, and since when.
CREATE TABLE IF NOT EXISTS meters (
  meter TEXT PRIMARY KEY, agent TEXT NOT NULL, service TEXT NOT NULL, since INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS meters_by_agent ON meters (agent, meter);

-- When keys were last used, to the minute. No event says so.
CREATE TABLE IF NOT EXISTS uses (key TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;

-- Lines of the audit log, by the event of the journal and their place among that event's lines.
CREATE TABLE IF NOT EXISTS audit (
  seq INTEGER NOT NULL, ordinal INTEGER NOT NULL, at INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (seq, ordinal)
) STRICT, WITHOUT ROWID;

-- Up to which event of the journal endpoints have been told.
CREATE TABLE IF NOT EXISTS announced (id INTEGER PRIMARY KEY CHECK (id = 1), seq INTEGER NOT NULL) STRICT;
INSERT OR IGNORE INTO announced (id, seq) VALUES (1, 0);
