-- The board: one row a gig, written only by the gig's own object. A projection; it can be dropped and rebuilt.
CREATE TABLE gigs (
  gig_id TEXT PRIMARY KEY,
  -- The journal's length when this was written; an older row never replaces a newer one.
  version INTEGER NOT NULL,
  status TEXT NOT NULL,
  task_type TEXT NOT NULL,
  bounty_sats INTEGER NOT NULL,
  -- Unix milliseconds.
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  -- When time alone changes the gig next; NULL once it is over.
  deadline INTEGER,
  -- What text filters look at.
  title TEXT NOT NULL,
  description TEXT NOT NULL,
  -- The gig's record as it is shown, JSON.
  record TEXT NOT NULL
) STRICT;

-- Discovery reads active gigs, newest first. Gigs that are over do not grow this index.
CREATE INDEX gigs_active ON gigs (created_at DESC, gig_id DESC) WHERE status = 'ACTIVE';

-- The sweep looks for gigs whose deadline has passed unnoticed.
CREATE INDEX gigs_deadline ON gigs (deadline) WHERE deadline IS NOT NULL;
