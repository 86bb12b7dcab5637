-- Keys that runners of GHOST sign results with. An administrator registers the public half; a revoked one
-- stays, so that nobody registers it again.
CREATE TABLE runner_key (
    id          uuid   NOT NULL PRIMARY KEY,
    name        text   NOT NULL,
    public_key  bytea  NOT NULL UNIQUE,
    at_seq      bigint NOT NULL,
    added_by    uuid   NOT NULL REFERENCES account (id),
    added_at    bigint NOT NULL,
    revoked_seq bigint,
    revoked_by  uuid   REFERENCES account (id),
    revoked_at  bigint
);
CREATE UNIQUE INDEX runner_key_name ON runner_key (name) WHERE revoked_at IS NULL;

-- NULL: nobody signed it, and it counts for no model. Nothing is taken twice under one signature.
ALTER TABLE ghost_result ADD COLUMN signed_by uuid REFERENCES runner_key (id);
ALTER TABLE ghost_result ADD COLUMN signature bytea;
CREATE UNIQUE INDEX ghost_result_signature ON ghost_result (signature);

-- Rises with every result that counts and every change of a key: a ruling that asked the ledger commits
-- under the version that it asked.
CREATE TABLE ghost_ledger (
    id      bigint NOT NULL PRIMARY KEY CHECK (id = 1),
    version bigint NOT NULL
);
INSERT INTO ghost_ledger (id, version) VALUES (1, 1);
