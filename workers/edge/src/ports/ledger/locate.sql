-- The payment of that name, else those that an agent calls so; of ?2 only, unless it is NULL. An agent may call its request
-- by the name of another's payment, and must not hide that by it.
SELECT mandate_id, payment FROM requests
WHERE payment = ?1 AND (?2 IS NULL OR owner = ?2 OR agent = ?2)
UNION ALL
SELECT mandate_id, payment FROM requests
WHERE request_id = ?1 AND (?2 IS NULL OR owner = ?2 OR agent = ?2)
  AND NOT EXISTS (SELECT 1 FROM requests WHERE payment = ?1)
LIMIT ?3
