INSERT INTO mandates (mandate_id, version, owner, agent, status, created_at, expires_at, deadline, as_of, record, label)
SELECT value ->> 'mandate_id', value ->> 'version', value ->> 'owner', value ->> 'agent', value ->> 'status',
  value ->> 'created_at', value ->> 'expires_at', value ->> 'deadline', value ->> 'as_of', value ->> 'record',
  value ->> 'label'
FROM json_each(?) WHERE true
ON CONFLICT (mandate_id) DO UPDATE SET version = excluded.version, status = excluded.status,
  expires_at = excluded.expires_at, deadline = excluded.deadline, as_of = excluded.as_of, record = excluded.record
WHERE excluded.version > mandates.version
