-- What a mirror keeps beside its journal, written in the transaction of the event that it follows from. `moved` is the
-- number of the event by which a row last changed.

-- Requests that are over, as JSON, under both of their names. On a chain an agent can use an id of its own twice.
CREATE TABLE IF NOT EXISTS filed (
  payment TEXT PRIMARY KEY, request_id TEXT NOT NULL, moved INTEGER NOT NULL, body TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS filed_named ON filed (request_id);

-- The log, by the event and its place among that event's lines. `block` is the number of the block that tells a line, NULL
-- for what was done here; `undone` is 1 once that block has left the chain.
CREATE TABLE IF NOT EXISTS activity (
  seq INTEGER NOT NULL, ordinal INTEGER NOT NULL, moved INTEGER NOT NULL, block INTEGER, undone INTEGER NOT NULL,
  line TEXT NOT NULL, place TEXT NOT NULL, PRIMARY KEY (seq, ordinal)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS activity_moved ON activity (moved, seq, ordinal);
