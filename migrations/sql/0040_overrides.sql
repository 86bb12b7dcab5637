-- Overrides of a project's policy: one person proposes, another approves, and a version is in force for a
-- while. A row is compared with the records that it names.
CREATE TABLE policy_override (
    id           uuid   NOT NULL PRIMARY KEY,
    project      uuid   NOT NULL REFERENCES project (id),
    -- The proposal as JSON: rules, scope, time to live, reason. Its record has its digest.
    proposal     bytea  NOT NULL,
    proposed_by  uuid   NOT NULL REFERENCES account (id),
    -- The records `user.event` and `override.proposed`.
    event_seq    bigint NOT NULL,
    proposed_seq bigint NOT NULL,
    proposed_at  bigint NOT NULL,
    -- Without a second yes by then it is none.
    expires_at   bigint NOT NULL,
    approved_by  uuid   REFERENCES account (id),
    approved_seq bigint,
    approved_at  bigint,
    -- The policy version that it is.
    version      uuid   REFERENCES policy_version (id),
    ends_at      bigint,
    -- The run that took an override of one request.
    used_by      uuid   REFERENCES execution (id),
    -- `expired`, `used`, `ended` (by a person), or `withdrawn` before its second yes.
    ended_how    text   CHECK (ended_how IN ('expired', 'used', 'ended', 'withdrawn')),
    ended_seq    bigint,
    ended_by     uuid   REFERENCES account (id),
    -- A person's text: the record has its digest, with the salt.
    ended_reason text,
    salt         bytea  NOT NULL,
    ended_at     bigint
);
CREATE INDEX policy_override_of ON policy_override (project, proposed_at);
-- Few are open at any time: what is due is looked for among them.
CREATE INDEX policy_override_open ON policy_override (ends_at) WHERE ended_at IS NULL;
