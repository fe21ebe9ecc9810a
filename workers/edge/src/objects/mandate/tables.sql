-- What a mandate keeps beside its journal, written in the transaction of the event that it follows from.

-- Requests that are over, as JSON, under both of their names.
CREATE TABLE IF NOT EXISTS filed (
  payment TEXT PRIMARY KEY, request_id TEXT NOT NULL UNIQUE, body TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Reservations that are over, as JSON.
CREATE TABLE IF NOT EXISTS closed (reservation TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT, WITHOUT ROWID;

-- The log, a line as JSON, by the event and its place among that event's lines.
CREATE TABLE IF NOT EXISTS activity (
  seq INTEGER NOT NULL, ordinal INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (seq, ordinal)
) STRICT, WITHOUT ROWID;
