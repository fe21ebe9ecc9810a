-- What meters of one tenant have counted together; {names} are the columns by which they are told apart.
SELECT {names} count(DISTINCT meter) AS meters, coalesce(sum(events), 0) AS events, {used} AS used, {open} AS open,
  {pending} AS pending, {settled} AS settled, {paid} AS paid, {written_off} AS written_off, max(last_at) AS last_at,
  coalesce(sum(version), 0) AS version, max(as_of) AS as_of
FROM meters WHERE tenant = ?1 AND era = ?2
