-- What it may spend from. ?5 the agent, ?6 now. Sums are said for the UTC day and month of now.
SELECT at, id, fits, CASE WHEN fits THEN
    json_replace(
      iif(as_of >= unixepoch(?6 / 1000, 'unixepoch', 'start of day') * 1000, record,
        json_replace(record, '$.spent.today', '0', '$.spent.countToday', 0,
          '$.remaining.today', record ->> '$.policy.dayCap', '$.remaining.countToday', record ->> '$.policy.dayCount')),
      '$.spent.thisMonth', iif(is_of_month, record ->> '$.spent.thisMonth', '0'),
      '$.remaining.thisMonth', record ->> iif(is_of_month, '$.remaining.thisMonth', '$.policy.monthCap'))
  END AS record
FROM (
  SELECT created_at AS at, mandate_id AS id, as_of, record, expires_at > ?6 AS fits,
    as_of >= unixepoch(?6 / 1000, 'unixepoch', 'start of month') * 1000 AS is_of_month
  FROM mandates
  WHERE agent = ?5 AND status = 'active' AND (created_at, mandate_id) < (?1, ?2)
  ORDER BY created_at DESC, mandate_id DESC LIMIT ?4
)
