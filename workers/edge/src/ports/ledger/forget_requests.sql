DELETE FROM requests WHERE payment IN (SELECT value FROM json_each(?))
