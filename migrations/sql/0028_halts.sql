-- What was halted: one row a halt, with its end. At most one is in force for a session, a project or the
-- server. `policy_head.halted` is read no more.
CREATE TABLE halt (
    id             uuid    NOT NULL PRIMARY KEY,
    -- The session or the project; of the server the nil id.
    subject        uuid    NOT NULL,
    -- In whose chain it is recorded; NULL: in the server's.
    project        uuid    REFERENCES project (id),
    at_seq         bigint  NOT NULL,
    halted_by      uuid    NOT NULL REFERENCES account (id),
    -- A person's text: the record has its digest, with the salt.
    reason         text    NOT NULL,
    salt           bytea   NOT NULL,
    halted_at      bigint  NOT NULL,
    resumed_seq    bigint,
    resumed_by     uuid    REFERENCES account (id),
    resumed_reason text,
    resumed_at     bigint
);
CREATE UNIQUE INDEX halt_in_force ON halt (subject) WHERE resumed_at IS NULL;
