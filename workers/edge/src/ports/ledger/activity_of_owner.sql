-- ?5 the owner, ?6 the first moment, ?7 a kind or NULL, ?8 a result or NULL.
SELECT at, line AS id, (?7 IS NULL OR kind = ?7) AND (?8 IS NULL OR result = ?8) AS fits, record
FROM activity
WHERE owner = ?5 AND (at, line) < (?1, ?2) AND at >= ?6
ORDER BY at DESC, line DESC LIMIT ?4
