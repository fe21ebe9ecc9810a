INSERT INTO meters (meter, shard, version, tenant, era, agent, service, since, last_at, deadline, as_of, events, used, open,
  pending, settled, written_off, paid)
SELECT value ->> 'meter', value ->> 'shard', value ->> 'version', value ->> 'tenant', value ->> 'era', value ->> 'agent',
  value ->> 'service', value ->> 'since', value ->> 'last_at', value ->> 'deadline', value ->> 'as_of', value ->> 'events',
  value ->> 'used', value ->> 'open', value ->> 'pending', value ->> 'settled', value ->> 'written_off', value ->> 'paid'
FROM json_each(?) WHERE true
ON CONFLICT (meter, shard) DO UPDATE SET version = excluded.version, since = excluded.since, last_at = excluded.last_at,
  deadline = excluded.deadline, as_of = excluded.as_of, events = excluded.events, used = excluded.used,
  open = excluded.open, pending = excluded.pending, settled = excluded.settled, written_off = excluded.written_off,
  paid = excluded.paid
WHERE excluded.version > meters.version
