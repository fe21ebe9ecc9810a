INSERT INTO audit_events (tenant, at, id, kind, agent, service, as_of, record)
SELECT value ->> 'tenant', value ->> 'at', value ->> 'id', value ->> 'kind', value ->> 'agent', value ->> 'service',
  value ->> 'as_of', value ->> 'record'
FROM json_each(?) WHERE true
ON CONFLICT (tenant, at, id) DO NOTHING
