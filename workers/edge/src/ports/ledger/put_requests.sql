INSERT INTO requests (payment, version, mandate_id, request_id, owner, agent, progress, requested_at, record, private)
SELECT value ->> 'payment', value ->> 'version', value ->> 'mandate_id', value ->> 'request_id', value ->> 'owner',
  value ->> 'agent', value ->> 'progress', value ->> 'requested_at', value ->> 'record', value ->> 'private'
FROM json_each(?) WHERE true
ON CONFLICT (payment) DO UPDATE SET version = excluded.version, progress = excluded.progress,
  record = excluded.record, private = excluded.private
WHERE excluded.version > requests.version
