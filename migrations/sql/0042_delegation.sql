-- A right to approve that a member of a project lends to another, for a time. Who may use it is asked at each use:
-- a row lends nothing where its delegator has lost the right, its window is over, or it was ended.
CREATE TABLE approval_delegation (
    id        uuid   NOT NULL PRIMARY KEY,
    project   uuid   NOT NULL REFERENCES project (id),
    delegator uuid   NOT NULL REFERENCES account (id),
    delegate  uuid   NOT NULL REFERENCES account (id),
    starts_at bigint NOT NULL,
    ends_at   bigint NOT NULL,
    -- A person's text: the record has its digest, with the salt.
    reason    text   NOT NULL,
    salt      bytea  NOT NULL,
    at_seq    bigint NOT NULL,
    evidence  bytea  NOT NULL,
    given_at  bigint NOT NULL,
    CHECK (delegator <> delegate AND starts_at < ends_at)
);
CREATE INDEX approval_delegation_to ON approval_delegation (delegate, ends_at);
CREATE INDEX approval_delegation_in ON approval_delegation (project, at_seq);
-- Before its window was over: by either of the two, or an owner of the project.
CREATE TABLE approval_delegation_end (
    delegation uuid   NOT NULL PRIMARY KEY REFERENCES approval_delegation (id),
    end_seq    bigint NOT NULL,
    ended_by   uuid   NOT NULL REFERENCES account (id),
    ended_at   bigint NOT NULL
);

-- Whose right an answer was given in, and by which delegation. NULL: the own one of whoever gave it.
ALTER TABLE approval ADD COLUMN delegation uuid REFERENCES approval_delegation (id);
ALTER TABLE approval ADD COLUMN on_behalf_of uuid REFERENCES account (id);
ALTER TABLE approval_yes ADD COLUMN delegation uuid REFERENCES approval_delegation (id);
ALTER TABLE approval_yes ADD COLUMN on_behalf_of uuid REFERENCES account (id);
