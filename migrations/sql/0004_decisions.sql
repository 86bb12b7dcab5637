-- Plans, the evidence about them, and what was started on its strength.

-- Structure and digests stay for good; the texts beside go with retention.
CREATE TABLE blueprint (
    id          uuid   NOT NULL PRIMARY KEY,
    project     uuid   NOT NULL REFERENCES project (id),
    session     uuid   NOT NULL REFERENCES session (id),
    task        uuid   NOT NULL,
    requester   uuid   NOT NULL REFERENCES account (id),
    policy      uuid   NOT NULL REFERENCES policy_version (id),
    digest      bytea  NOT NULL,
    spec_digest bytea  NOT NULL,
    task_type   text   NOT NULL,
    effect      text   NOT NULL,
    created_at  bigint NOT NULL
);
CREATE INDEX blueprint_by_session ON blueprint (session, id);
CREATE INDEX blueprint_by_project ON blueprint (project, id);

CREATE TABLE blueprint_text (
    blueprint uuid  NOT NULL PRIMARY KEY REFERENCES blueprint (id),
    canonical bytea NOT NULL
);

-- Opinions of models, as evidence; the newest of a spec counts.
CREATE TABLE opinion (
    project     uuid   NOT NULL REFERENCES project (id),
    spec_digest bytea  NOT NULL,
    at_seq      bigint NOT NULL,
    evidence    bytea  NOT NULL,
    PRIMARY KEY (project, spec_digest, at_seq)
);

CREATE TABLE execution (
    id          uuid   NOT NULL PRIMARY KEY,
    -- A plan runs once: a second run is a new plan.
    blueprint   uuid   NOT NULL UNIQUE REFERENCES blueprint (id),
    project     uuid   NOT NULL REFERENCES project (id),
    session     uuid   NOT NULL REFERENCES session (id),
    digest      bytea  NOT NULL,
    at_seq      bigint NOT NULL,
    evidence    bytea  NOT NULL,
    state       text   NOT NULL
        CHECK (state IN ('running', 'indeterminate', 'succeeded', 'failed', 'cancelled')),
    outcome     text,
    started_at  bigint NOT NULL,
    finished_at bigint
);
CREATE INDEX execution_by_session ON execution (session, id);
CREATE INDEX execution_by_project ON execution (project, id);

CREATE TABLE approval (
    id          uuid   NOT NULL PRIMARY KEY,
    project     uuid   NOT NULL REFERENCES project (id),
    session     uuid   NOT NULL REFERENCES session (id),
    blueprint   uuid   NOT NULL REFERENCES blueprint (id),
    digest      bytea  NOT NULL,
    requester   uuid   NOT NULL REFERENCES account (id),
    asked_of    text   NOT NULL CHECK (asked_of IN ('requester', 'another_person')),
    state       text   NOT NULL CHECK (state IN
        ('pending', 'approved', 'rejected', 'expired', 'withdrawn', 'consumed')),
    asked_at    bigint NOT NULL,
    expires_at  bigint NOT NULL,
    decided_by  uuid   REFERENCES account (id),
    decided_at  bigint,
    at_seq      bigint,
    evidence    bytea,
    -- Consumed before the execution is inserted, in one transaction.
    consumed_by uuid   REFERENCES execution (id) DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX approval_by_blueprint ON approval (blueprint);
CREATE INDEX approval_by_session ON approval (session, state);
CREATE INDEX approval_by_project ON approval (project, state, id);

CREATE TABLE step_attempt (
    execution   uuid    NOT NULL REFERENCES execution (id),
    step        text    NOT NULL,
    attempt     integer NOT NULL,
    state       text    NOT NULL CHECK (state IN ('started', 'finished')),
    at_seq      bigint  NOT NULL,
    outcome     text,
    -- A person's word on an attempt whose effect was in doubt.
    resolution  text CHECK (resolution IN ('happened', 'did_not_happen', 'abandon')),
    started_at  bigint  NOT NULL,
    finished_at bigint,
    PRIMARY KEY (execution, step, attempt)
);

CREATE TABLE step_output (
    execution uuid  NOT NULL REFERENCES execution (id),
    step      text  NOT NULL,
    output    text  NOT NULL,
    bytes     bytea NOT NULL,
    PRIMARY KEY (execution, step)
);
