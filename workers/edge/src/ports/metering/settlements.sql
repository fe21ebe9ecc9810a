-- ?5 the tenant, ?6 its era, ?7 a service or NULL, ?8 where they stand or NULL; {agent} is nothing, or asks for one's own.
SELECT at, settlement AS id, (?7 IS NULL OR service = ?7) AND (?8 IS NULL OR status = ?8) AS fits, as_of, record
FROM settlements
WHERE tenant = ?5 AND era = ?6 AND (at, settlement) < (?1, ?2) {agent}
ORDER BY at DESC, settlement DESC LIMIT ?4
