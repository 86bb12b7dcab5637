-- What one person may have of the server is counted: questions that wait, conversations that are kept.
CREATE INDEX approval_waiting_of ON approval (requester) WHERE state = 'pending';
CREATE INDEX session_kept_of ON session (owner) WHERE removed_at IS NULL;
