-- ?5 the owner, ?6 a status or NULL, ?7 now. Sums are said for the UTC day and month of now.
SELECT at, id, fits, CASE WHEN fits THEN
    json_set(
      json_replace(
        iif(as_of >= unixepoch(?7 / 1000, 'unixepoch', 'start of day') * 1000, record,
          json_replace(record, '$.spent.today', '0', '$.spent.countToday', 0,
            '$.remaining.today', record ->> '$.policy.dayCap', '$.remaining.countToday', record ->> '$.policy.dayCount')),
        '$.spent.thisMonth', iif(is_of_month, record ->> '$.spent.thisMonth', '0'),
        '$.remaining.thisMonth', record ->> iif(is_of_month, '$.remaining.thisMonth', '$.policy.monthCap')),
      '$.status', shown, '$.label', label)
  END AS record
FROM (
  SELECT *, ?6 IS NULL OR shown = ?6 AS fits,
    as_of >= unixepoch(?7 / 1000, 'unixepoch', 'start of month') * 1000 AS is_of_month
  FROM (
    SELECT created_at AS at, mandate_id AS id, as_of, label, record,
      iif(status = 'revoked' OR expires_at > ?7, status, 'expired') AS shown
    FROM mandates
    WHERE owner = ?5 AND (created_at, mandate_id) < (?1, ?2)
    ORDER BY created_at DESC, mandate_id DESC LIMIT ?4
  )
)
