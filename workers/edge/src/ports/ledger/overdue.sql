SELECT mandate_id FROM mandates WHERE deadline < ?1 ORDER BY deadline LIMIT ?2
