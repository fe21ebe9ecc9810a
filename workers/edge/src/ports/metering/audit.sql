-- ?5 the tenant, ?6 the first moment, ?7 a type or NULL, ?8 how types begin or NULL, ?9 an agent or NULL, ?10 a service or NULL.
SELECT at, id, (?7 IS NULL OR kind = ?7) AND (?8 IS NULL OR substr(kind, 1, length(?8)) = ?8)
  AND (?9 IS NULL OR agent IS ?9) AND (?10 IS NULL OR service IS ?10) AS fits, as_of, record
FROM audit_events
WHERE tenant = ?5 AND (at, id) < (?1, ?2) AND at >= ?6
ORDER BY at DESC, id DESC LIMIT ?4
