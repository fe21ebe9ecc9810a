INSERT INTO settlements (settlement, version, tenant, era, agent, service, status, at, as_of, record)
SELECT value ->> 'settlement', value ->> 'version', value ->> 'tenant', value ->> 'era', value ->> 'agent',
  value ->> 'service', value ->> 'status', value ->> 'at', value ->> 'as_of', value ->> 'record'
FROM json_each(?) WHERE true
ON CONFLICT (settlement) DO UPDATE SET version = excluded.version, status = excluded.status, as_of = excluded.as_of,
  record = excluded.record
WHERE excluded.version > settlements.version
