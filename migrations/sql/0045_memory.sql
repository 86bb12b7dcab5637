-- What people and projects asked to have remembered: one row a version, of which the newest counts. These are
-- texts of people: a record of the audit has a keyed hash of each.
CREATE TABLE memory (
    kind        text   NOT NULL CHECK (kind IN ('user', 'project')),
    -- The account or the project.
    holder      uuid   NOT NULL,
    version     bigint NOT NULL CHECK (version > 0),
    -- Markdown. Empty: it was emptied.
    text        text   NOT NULL,
    author      uuid   NOT NULL REFERENCES account (id),
    at          bigint NOT NULL,
    -- The turn that asked for it. NULL: it was edited.
    turn        uuid,
    -- The only person whose words are in it. NULL: several.
    sole_author uuid   REFERENCES account (id),
    -- The record `memory.changed`: in the project's chain, or in the server's where it is a person's memory.
    at_seq      bigint NOT NULL,
    PRIMARY KEY (kind, holder, version)
);

-- How many memories an erasure took versions of, and how many these were.
ALTER TABLE erasure ADD COLUMN memories bigint NOT NULL DEFAULT 0;
ALTER TABLE erasure ADD COLUMN memory_versions bigint NOT NULL DEFAULT 0;
