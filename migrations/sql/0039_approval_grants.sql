-- Yeses that are said beforehand: for one person, to one exact target or to the exact steps of a plan, so often
-- and until then. What it says is in its evidence; the columns are what statements ask by.
CREATE TABLE approval_grant (
    id         uuid   NOT NULL PRIMARY KEY,
    project    uuid   NOT NULL REFERENCES project (id),
    granter    uuid   NOT NULL REFERENCES account (id),
    holder     uuid   NOT NULL REFERENCES account (id),
    made_from  uuid   NOT NULL REFERENCES approval (id),
    uses       bigint NOT NULL CHECK (uses BETWEEN 1 AND 100),
    given_at   bigint NOT NULL,
    expires_at bigint NOT NULL,
    at_seq     bigint NOT NULL,
    evidence   bytea  NOT NULL
);
CREATE INDEX approval_grant_of ON approval_grant (project, holder, expires_at);
-- What each run used of it.
CREATE TABLE approval_grant_use (
    grant_id  uuid   NOT NULL REFERENCES approval_grant (id),
    execution uuid   NOT NULL REFERENCES execution (id) DEFERRABLE INITIALLY DEFERRED,
    blueprint uuid   NOT NULL REFERENCES blueprint (id),
    digest    bytea  NOT NULL,
    taken     bigint NOT NULL CHECK (taken > 0),
    at_seq    bigint NOT NULL,
    used_at   bigint NOT NULL,
    PRIMARY KEY (grant_id, execution)
);
CREATE INDEX approval_grant_use_by ON approval_grant_use (blueprint);
-- Those that somebody ended before their time.
CREATE TABLE approval_grant_revoked (
    grant_id   uuid   NOT NULL PRIMARY KEY REFERENCES approval_grant (id),
    revoked_by uuid   NOT NULL REFERENCES account (id),
    revoked_at bigint NOT NULL,
    at_seq     bigint NOT NULL
);
