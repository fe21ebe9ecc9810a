-- Every request that waits, or has waited, for its owner, and has not been authorized since. ?5 the owner. Each arm is read
-- in the order of its index, and the database merges them.
SELECT at, id, 1 AS fits, json_patch(record, private) AS record
FROM (
  SELECT requested_at AS at, payment AS id, record, private FROM requests
  WHERE owner = ?5 AND progress = 'awaiting_approval' AND (requested_at, payment) < (?1, ?2)
  UNION ALL
  SELECT requested_at, payment, record, private FROM requests
  WHERE owner = ?5 AND progress = 'approved' AND (requested_at, payment) < (?1, ?2)
  UNION ALL
  SELECT requested_at, payment, record, private FROM requests
  WHERE owner = ?5 AND progress = 'rejected' AND (requested_at, payment) < (?1, ?2)
  UNION ALL
  SELECT requested_at, payment, record, private FROM requests
  WHERE owner = ?5 AND progress = 'expired' AND (requested_at, payment) < (?1, ?2)
  ORDER BY at DESC, id DESC LIMIT ?4
)
