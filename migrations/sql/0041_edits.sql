-- The spec that an answerer's edit put in the place of the one that a question was about. Its question is
-- closed as `rejected`, and whoever decided it is the editor. NULL: it was not edited.
ALTER TABLE approval ADD COLUMN edited_to bytea;
-- Who wrote values of the plan that is asked about, in place of an answer to an earlier one: ids as a JSON
-- array. Their yes does not count. NULL: nobody but the requester.
ALTER TABLE approval ADD COLUMN editors text;
CREATE INDEX approval_edited ON approval (session) WHERE edited_to IS NOT NULL;
