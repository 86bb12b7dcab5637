-- Who took back a yes while the run that it had let begin went on, and when. NULL: nobody has. A yes that others
-- have to join is taken back by the end of its row.
ALTER TABLE approval ADD COLUMN revoked_by uuid REFERENCES account (id);
ALTER TABLE approval ADD COLUMN revoked_at bigint;
