-- Of a chain's head, under a key that the database does not hold: NULL only before the first start
-- of a build that seals.
ALTER TABLE audit_head ADD COLUMN seal bytea;
