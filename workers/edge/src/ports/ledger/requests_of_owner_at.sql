-- ?5 the owner, ?6 where the requests stand.
SELECT requested_at AS at, payment AS id, 1 AS fits, json_patch(record, private) AS record
FROM requests
WHERE owner = ?5 AND progress = ?6 AND (requested_at, payment) < (?1, ?2)
ORDER BY requested_at DESC, payment DESC LIMIT ?4
