-- What a meter keeps beside its journal, written in the transaction of the event that it follows from.

-- Recorded events in the order of their receipt. `price` is the number of the price version; `reserved` is the settlement
-- that has paid it from a reservation. An event that takes back another one names it.
CREATE TABLE IF NOT EXISTS events (
  number INTEGER PRIMARY KEY, source TEXT NOT NULL, id TEXT NOT NULL, fingerprint TEXT NOT NULL,
  at INTEGER NOT NULL, received_at INTEGER NOT NULL, quantity TEXT NOT NULL, price INTEGER NOT NULL,
  reserved INTEGER, of_source TEXT, of_id TEXT
) STRICT;
-- Ids tell events apart sooner than sources do.
CREATE UNIQUE INDEX IF NOT EXISTS events_by_key ON events (id, source);
CREATE UNIQUE INDEX IF NOT EXISTS events_by_reversed ON events (of_id, of_source) WHERE of_id IS NOT NULL;

-- Each round with the last event that is in it.
CREATE TABLE IF NOT EXISTS rounds (round INTEGER PRIMARY KEY, last INTEGER NOT NULL) STRICT;

-- What shards have taken back of what they had handed over: told twice, it counts once.
CREATE TABLE IF NOT EXISTS credits (
  id TEXT NOT NULL, source TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (id, source)
) STRICT, WITHOUT ROWID;

-- Settlements and reservations as JSON, each with the last event of the journal that has changed it.
CREATE TABLE IF NOT EXISTS settlements (
  number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, round INTEGER, failed INTEGER NOT NULL, body TEXT NOT NULL,
  seq INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS settlements_failed ON settlements (round) WHERE failed;
CREATE INDEX IF NOT EXISTS settlements_by_seq ON settlements (seq);
CREATE TABLE IF NOT EXISTS reservations (id TEXT PRIMARY KEY, body TEXT NOT NULL, seq INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS reservations_by_seq ON reservations (seq);

-- Usage by the hour in which it happened. Quantities are in two limbs of base 10^15, each exact as a number of JavaScript.
CREATE TABLE IF NOT EXISTS hours (
  hour INTEGER PRIMARY KEY, added_high INTEGER NOT NULL, added_low INTEGER NOT NULL,
  taken_high INTEGER NOT NULL, taken_low INTEGER NOT NULL, events INTEGER NOT NULL, seq INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS hours_by_seq ON hours (seq);

-- Lines of the tenant's audit log, by the event of the journal and their place among that event's lines.
CREATE TABLE IF NOT EXISTS audit (
  seq INTEGER NOT NULL, ordinal INTEGER NOT NULL, at INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (seq, ordinal)
) STRICT, WITHOUT ROWID;

-- Up to which event of the journal endpoints have been told.
CREATE TABLE IF NOT EXISTS announced (id INTEGER PRIMARY KEY CHECK (id = 1), seq INTEGER NOT NULL) STRICT;
INSERT OR IGNORE INTO announced (id, seq) VALUES (1, 0);
