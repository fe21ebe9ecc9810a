-- Usage between ?3 and ?4, in buckets of ?5 milliseconds.
SELECT hour - hour % ?5 AS start, coalesce(sum(events), 0) AS events, {quantity} AS quantity, {taken} AS taken,
  coalesce(sum(version), 0) AS version, max(as_of) AS as_of
FROM meter_hours WHERE tenant = ?1 AND era = ?2 AND hour >= ?3 AND hour < ?4
