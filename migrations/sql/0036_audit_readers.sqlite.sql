-- The journal is append-only, but for that of a conversation whose texts are erased.
DROP TRIGGER session_event_no_DELETE;
CREATE TRIGGER session_event_no_DELETE BEFORE DELETE ON session_event
WHEN (SELECT erased_at FROM session WHERE id = OLD.session) IS NULL
BEGIN SELECT RAISE(ABORT, 'session_event is append-only'); END;
