-- When something was last said in a conversation: lists begin with the newest.
ALTER TABLE session ADD COLUMN updated_at bigint NOT NULL DEFAULT 0;
UPDATE session SET updated_at = created_at;
CREATE INDEX session_by_activity ON session (project, owner, updated_at, id);
