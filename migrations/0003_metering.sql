-- What lists show of usage, of settlements, and of what has happened to tenants. Written only by the objects of meters,
-- tenants and endpoints. A projection; it can be dropped and rebuilt, except for the audit log's age.
--
-- Quantities and amounts are texts of 39 digits: they sort as they count, and are added up in limbs of 13 digits. `as_of` is
-- when a row was written, in Unix milliseconds like every moment here.

-- One row a shard of a meter.
CREATE TABLE meters (
  meter TEXT NOT NULL,
  shard INTEGER NOT NULL,
  -- The journal's length when this was written; an older row never replaces a newer one.
  version INTEGER NOT NULL,
  tenant TEXT NOT NULL,
  -- How often the tenant had begun anew; what is of an earlier era is not listed.
  era INTEGER NOT NULL,
  agent TEXT NOT NULL,
  service TEXT NOT NULL,
  since INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  -- When time alone changes the meter next; NULL while nothing waits.
  deadline INTEGER,
  as_of INTEGER NOT NULL,
  events INTEGER NOT NULL,
  -- What was used without what was taken back, and where that is: open, in bills that wait, in paid bills, or written off.
  used TEXT NOT NULL,
  open TEXT NOT NULL,
  pending TEXT NOT NULL,
  settled TEXT NOT NULL,
  written_off TEXT NOT NULL,
  -- What paid bills came to, in base units.
  paid TEXT NOT NULL,
  PRIMARY KEY (meter, shard)
) STRICT, WITHOUT ROWID;

CREATE INDEX meters_agent ON meters (tenant, era, agent, service);
CREATE INDEX meters_service ON meters (tenant, era, service, agent);

-- The sweep looks for meters whose deadline has passed unnoticed.
CREATE INDEX meters_deadline ON meters (deadline) WHERE deadline IS NOT NULL;

-- Usage by the hour in which it happened: one row an hour of a shard.
CREATE TABLE meter_hours (
  meter TEXT NOT NULL,
  shard INTEGER NOT NULL,
  -- Its first moment.
  hour INTEGER NOT NULL,
  version INTEGER NOT NULL,
  tenant TEXT NOT NULL,
  era INTEGER NOT NULL,
  agent TEXT NOT NULL,
  service TEXT NOT NULL,
  as_of INTEGER NOT NULL,
  quantity TEXT NOT NULL,
  -- What of it was taken back.
  taken TEXT NOT NULL,
  events INTEGER NOT NULL,
  PRIMARY KEY (meter, shard, hour)
) STRICT, WITHOUT ROWID;

CREATE INDEX meter_hours_tenant ON meter_hours (tenant, era, hour);
CREATE INDEX meter_hours_agent ON meter_hours (tenant, era, agent, hour);
CREATE INDEX meter_hours_service ON meter_hours (tenant, era, service, hour);

CREATE TABLE settlements (
  settlement TEXT PRIMARY KEY,
  -- The length of its meter's journal when this was written.
  version INTEGER NOT NULL,
  tenant TEXT NOT NULL,
  era INTEGER NOT NULL,
  agent TEXT NOT NULL,
  service TEXT NOT NULL,
  -- 'drafted', 'submitted', 'verified', 'failed' or 'writtenOff'.
  status TEXT NOT NULL,
  -- When it was drawn up.
  at INTEGER NOT NULL,
  as_of INTEGER NOT NULL,
  -- The settlement as it is shown, JSON, without who is paid.
  record TEXT NOT NULL
) STRICT;

CREATE INDEX settlements_tenant ON settlements (tenant, era, at DESC, settlement DESC);
CREATE INDEX settlements_agent ON settlements (tenant, era, agent, at DESC, settlement DESC);

-- One row a line of a tenant's audit log. Lines are only added. The key is also the order of the list.
CREATE TABLE audit_events (
  tenant TEXT NOT NULL,
  at INTEGER NOT NULL,
  id TEXT NOT NULL,
  kind TEXT NOT NULL,
  agent TEXT,
  service TEXT,
  as_of INTEGER NOT NULL,
  -- The line as it is shown, JSON.
  record TEXT NOT NULL,
  PRIMARY KEY (tenant, at, id)
) STRICT, WITHOUT ROWID;

-- For the summary.
CREATE INDEX audit_events_kind ON audit_events (tenant, kind, at, as_of);
