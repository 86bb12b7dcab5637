-- What people found out about divergences: one row a review. The newest of a record counts; the others
-- are its history.
CREATE TABLE divergence_review (
    id          uuid   NOT NULL PRIMARY KEY,
    project     uuid   NOT NULL REFERENCES project (id),
    -- The record `dacs.evaluated` in the project's chain.
    evaluation  bigint NOT NULL,
    verdict     text   NOT NULL CHECK (verdict IN ('right', 'wrong')),
    -- A person's text: the record has its digest, with the salt.
    note        text   NOT NULL,
    salt        bytea  NOT NULL,
    reviewed_by uuid   NOT NULL REFERENCES account (id),
    at_seq      bigint NOT NULL,
    reviewed_at bigint NOT NULL
);
CREATE INDEX divergence_review_of ON divergence_review (project, evaluation, at_seq);

-- Waivers of the bound and of open reviews: one approver asks, another joins, one promotion uses it.
CREATE TABLE rollout_waiver (
    id         uuid   NOT NULL PRIMARY KEY,
    project    uuid   NOT NULL REFERENCES project (id),
    -- A person's text, as above.
    reason     text   NOT NULL,
    salt       bytea  NOT NULL,
    asked_by   uuid   NOT NULL REFERENCES account (id),
    asked_seq  bigint NOT NULL,
    asked_at   bigint NOT NULL,
    expires_at bigint NOT NULL,
    joined_by  uuid   REFERENCES account (id),
    joined_seq bigint,
    joined_at  bigint,
    -- The policy version that it promoted to.
    used_by    uuid   REFERENCES policy_version (id)
);
CREATE INDEX rollout_waiver_of ON rollout_waiver (project, asked_at);
