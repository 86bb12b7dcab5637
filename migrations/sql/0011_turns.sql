-- The turn that begins with this event: where somebody asks why, its place is looked up. Events of
-- before name none.
ALTER TABLE session_event ADD COLUMN opens uuid;
CREATE INDEX session_event_opens ON session_event (session, opens) WHERE opens IS NOT NULL;

-- What is told of one thing, newest first: without the order in it, whoever asks reads the chain to
-- its beginning.
CREATE INDEX audit_record_of ON audit_record (chain, about, seq) WHERE about IS NOT NULL;
DROP INDEX audit_record_about;
