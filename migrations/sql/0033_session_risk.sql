-- What raised a session's score, and when it was written last: it goes with the score. NULL: nothing has.
ALTER TABLE session ADD COLUMN risk_history text;
CREATE INDEX session_at_risk ON session (risk_score) WHERE risk_score > 0;
