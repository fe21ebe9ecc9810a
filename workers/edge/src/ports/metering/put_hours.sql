INSERT INTO meter_hours (meter, shard, hour, version, tenant, era, agent, service, as_of, quantity, taken, events)
SELECT value ->> 'meter', value ->> 'shard', value ->> 'hour', value ->> 'version', value ->> 'tenant', value ->> 'era',
  value ->> 'agent', value ->> 'service', value ->> 'as_of', value ->> 'quantity', value ->> 'taken', value ->> 'events'
FROM json_each(?) WHERE true
ON CONFLICT (meter, shard, hour) DO UPDATE SET version = excluded.version, as_of = excluded.as_of,
  quantity = excluded.quantity, taken = excluded.taken, events = excluded.events
WHERE excluded.version > meter_hours.version
