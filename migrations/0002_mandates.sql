-- What lists show of mandates, of the requests made of them, and of what happened. Written only by each mandate's own
-- object. A projection; it can be dropped and rebuilt. Every index below carries one list in the order of its pages.

CREATE TABLE mandates (
  mandate_id TEXT PRIMARY KEY,
  -- The journal's length when this was written; an older row never replaces a newer one.
  version INTEGER NOT NULL,
  owner TEXT NOT NULL,
  agent TEXT NOT NULL,
  -- 'active', 'paused', 'revoked' or 'expired'; a reader sees the first two as expired from expires_at on.
  status TEXT NOT NULL,
  -- Unix milliseconds.
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  -- When time alone changes the mandate next; NULL while nothing is open.
  deadline INTEGER,
  -- The moment for which the record says what is spent; a reader of a later day or month sees that day's or month's.
  as_of INTEGER NOT NULL,
  -- The mandate as anyone may see it, JSON.
  record TEXT NOT NULL,
  -- The owner's private name for it.
  label TEXT NOT NULL
) STRICT;

CREATE INDEX mandates_owner ON mandates (owner, created_at DESC, mandate_id DESC);

-- An agent asks for what it may spend; revoked mandates do not grow this index.
CREATE INDEX mandates_agent ON mandates (agent, created_at DESC, mandate_id DESC) WHERE status = 'active';

-- The sweep looks for mandates whose deadline has passed unnoticed.
CREATE INDEX mandates_deadline ON mandates (deadline) WHERE deadline IS NOT NULL;

CREATE TABLE requests (
  payment TEXT PRIMARY KEY,
  -- The journal's length of its mandate when this was written.
  version INTEGER NOT NULL,
  mandate_id TEXT NOT NULL,
  -- The agent's name for it, unique within the mandate only.
  request_id TEXT NOT NULL,
  owner TEXT NOT NULL,
  agent TEXT NOT NULL,
  progress TEXT NOT NULL,
  -- Unix milliseconds.
  requested_at INTEGER NOT NULL,
  -- The request and its payment as anyone may see them, JSON.
  record TEXT NOT NULL,
  -- What owner and agent see besides, JSON: `approval` and `note`, where there are any.
  private TEXT NOT NULL
) STRICT;

CREATE INDEX requests_owner ON requests (owner, requested_at DESC, payment DESC);
CREATE INDEX requests_progress ON requests (owner, progress, requested_at DESC, payment DESC);
CREATE INDEX requests_mandate ON requests (mandate_id, requested_at DESC, payment DESC);
CREATE INDEX requests_named ON requests (request_id);

-- One row a line of a mandate's log. Lines are only added, and marked as undone when their block has left its chain. The key is also the order of one mandate's list.
CREATE TABLE activity (
  mandate_id TEXT NOT NULL,
  -- Unix milliseconds.
  at INTEGER NOT NULL,
  -- The mandate, the event's number in its journal and the line's number within that event, in sortable form.
  line TEXT NOT NULL,
  owner TEXT NOT NULL,
  kind TEXT NOT NULL,
  result TEXT NOT NULL,
  -- The line as it is shown, JSON.
  record TEXT NOT NULL,
  PRIMARY KEY (mandate_id, at, line)
) STRICT, WITHOUT ROWID;

CREATE INDEX activity_owner ON activity (owner, at DESC, line DESC);
