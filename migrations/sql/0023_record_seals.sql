-- Of each record, under a key that the database does not hold: who writes into the file cannot make another
-- record in its place. NULL: a build before this column wrote it; the next start seals it, once its chain is proved.

ALTER TABLE audit_record ADD COLUMN seal bytea;
CREATE INDEX audit_record_unsealed ON audit_record (chain, seq) WHERE seal IS NULL;
