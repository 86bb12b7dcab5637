-- Before this a grant covers nothing. NULL: it counts from when it was given.
ALTER TABLE approval_grant ADD COLUMN not_before bigint;
