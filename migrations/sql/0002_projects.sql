-- Projects, who may do what in them, and the policy that each is under.

CREATE TABLE project (
    id          uuid   NOT NULL PRIMARY KEY,
    name        text   NOT NULL,
    -- The account whose personal project this is.
    personal_of uuid   UNIQUE REFERENCES account (id),
    created_at  bigint NOT NULL
);

-- One row a role: a person may hold several.
CREATE TABLE member (
    project uuid NOT NULL REFERENCES project (id),
    account uuid NOT NULL REFERENCES account (id),
    role    text NOT NULL CHECK (role IN ('owner', 'editor', 'approver', 'viewer')),
    PRIMARY KEY (project, account, role)
);
CREATE INDEX member_by_account ON member (account);

-- Evidence: never edited in place.
CREATE TABLE policy_version (
    id         uuid    NOT NULL PRIMARY KEY,
    project    uuid    NOT NULL REFERENCES project (id),
    number     integer NOT NULL,
    -- The audit record that says so.
    at_seq     bigint  NOT NULL,
    evidence   bytea   NOT NULL,
    created_at bigint  NOT NULL,
    UNIQUE (project, number)
);

CREATE TABLE policy_head (
    project uuid    NOT NULL PRIMARY KEY REFERENCES project (id),
    version uuid    NOT NULL REFERENCES policy_version (id),
    halted  boolean NOT NULL
);
