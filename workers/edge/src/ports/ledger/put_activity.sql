INSERT INTO activity (mandate_id, at, line, owner, kind, result, record)
SELECT value ->> 'mandate_id', value ->> 'at', value ->> 'line', value ->> 'owner', value ->> 'kind', value ->> 'result',
  value ->> 'record'
FROM json_each(?) WHERE true
ON CONFLICT (mandate_id, at, line) DO UPDATE SET result = excluded.result, record = excluded.record
WHERE excluded.result = 'undone'
