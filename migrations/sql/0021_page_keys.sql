-- Of a browser's log-in: the hash of the second secret, which its pages hold. Its cookie alone opens
-- nothing. Log-ins that are older have none, and so are over.
ALTER TABLE token ADD COLUMN page_sha256 bytea;
