-- The audit: one hash chain a project and one of the server. `chain` is a project's id or `server`.

CREATE TABLE audit_record (
    chain text   NOT NULL,
    seq   bigint NOT NULL,
    kind  text   NOT NULL,
    at    bigint NOT NULL,
    -- The execution, call, approval, plan or session that the record speaks of.
    about uuid,
    hash  bytea  NOT NULL,
    -- Canonical JSON: the very bytes of the export.
    line  text   NOT NULL,
    PRIMARY KEY (chain, seq)
);
CREATE INDEX audit_record_about ON audit_record (about) WHERE about IS NOT NULL;

CREATE TABLE audit_head (
    chain      text   NOT NULL PRIMARY KEY,
    size       bigint NOT NULL,
    hash       bytea  NOT NULL,
    -- Roots of the perfect subtrees so far, 32 bytes each.
    peaks      bytea  NOT NULL,
    checkpoint bigint NOT NULL
);

CREATE TABLE audit_checkpoint (
    chain text   NOT NULL,
    size  bigint NOT NULL,
    line  text   NOT NULL,
    PRIMARY KEY (chain, size)
);
