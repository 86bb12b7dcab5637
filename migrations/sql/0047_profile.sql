-- What people told of themselves in a project: one row a version, of which the newest counts. The values are
-- sealed by the vault, bound to the person, the project, the schema and the version.
CREATE TABLE profile (
    id      uuid   NOT NULL PRIMARY KEY,
    person  uuid   NOT NULL REFERENCES account (id),
    project uuid   NOT NULL REFERENCES project (id),
    schema  text   NOT NULL,
    version bigint NOT NULL CHECK (version > 0),
    sealed  bytea  NOT NULL,
    -- changed, accepted, dropped, restored or erased.
    how     text   NOT NULL,
    -- The person; another where it is an erasure.
    author  uuid   NOT NULL REFERENCES account (id),
    at      bigint NOT NULL,
    -- The turn whose message told it. NULL: a form.
    turn    uuid,
    -- The record `profile.changed` in the project's chain.
    at_seq  bigint NOT NULL,
    UNIQUE (person, project, schema, version)
);
CREATE INDEX profile_of_project ON profile (project);

-- How many profiles an erasure took versions of, and how many these were.
ALTER TABLE erasure ADD COLUMN profiles bigint NOT NULL DEFAULT 0;
ALTER TABLE erasure ADD COLUMN profile_versions bigint NOT NULL DEFAULT 0;
