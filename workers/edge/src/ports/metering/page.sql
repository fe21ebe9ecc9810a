-- One page of a list, as one row. The list is the newest rows (at, id, fits, as_of, record) before the place (?1, ?2), at
-- most ?4 of them. The page has the first ?3 of those that fit. It goes on after its last row when more of them fit, else
-- after the last one that was looked at.
SELECT coalesce(sum(fits), 0) AS fitting,
  group_concat(record, ',' ORDER BY n) FILTER (WHERE fits AND nth <= ?3) AS records,
  max(as_of) FILTER (WHERE fits AND nth <= ?3) AS as_of,
  max(at) FILTER (WHERE fits AND nth = ?3) AS full_at,
  max(id) FILTER (WHERE fits AND nth = ?3) AS full_id,
  max(at) FILTER (WHERE n = ?4) AS last_at,
  max(id) FILTER (WHERE n = ?4) AS last_id
FROM (
  SELECT *, row_number() OVER newest AS n, sum(fits) OVER newest AS nth
  FROM ({rows})
  WINDOW newest AS (ORDER BY at DESC, id DESC)
)
