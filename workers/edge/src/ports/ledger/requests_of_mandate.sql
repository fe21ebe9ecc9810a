-- ?5 the mandate, ?6 a progress or NULL, ?7 whose it must be: its owner's, or ?8: its agent's or NULL.
SELECT at, id, fits, CASE WHEN fits THEN json_patch(record, private) END AS record
FROM (
  SELECT requested_at AS at, payment AS id, record, private, ?6 IS NULL OR progress = ?6 AS fits
  FROM requests
  WHERE mandate_id = ?5 AND (+owner = ?7 OR +agent = ?8) AND (requested_at, payment) < (?1, ?2)
  ORDER BY requested_at DESC, payment DESC LIMIT ?4
)
