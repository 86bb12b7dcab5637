-- How many different people have to say yes to a question. The last yes stands with the question, as the only
-- one always has; those before it stand below, one row a person.
ALTER TABLE approval ADD COLUMN approvers bigint NOT NULL DEFAULT 1;
-- When a question that nobody has answered is shown to more people, to whom, and when it was. NULL: never.
ALTER TABLE approval ADD COLUMN escalates_at bigint;
ALTER TABLE approval ADD COLUMN escalates_to text;
ALTER TABLE approval ADD COLUMN escalated_at bigint;
CREATE INDEX approval_to_escalate ON approval (escalates_at)
    WHERE state = 'pending' AND escalated_at IS NULL AND escalates_at IS NOT NULL;
CREATE TABLE approval_yes (
    approval uuid   NOT NULL REFERENCES approval (id),
    approver uuid   NOT NULL REFERENCES account (id),
    at_seq   bigint NOT NULL,
    evidence bytea  NOT NULL,
    given_at bigint NOT NULL,
    PRIMARY KEY (approval, approver)
);

-- Where a project's requests for approval are told of. The secret that signs is in `secret`.
CREATE TABLE webhook (
    project uuid   NOT NULL PRIMARY KEY REFERENCES project (id),
    url     text   NOT NULL,
    set_by  uuid   NOT NULL REFERENCES account (id),
    set_at  bigint NOT NULL
);
-- One row for each thing that is told, kept until it was told or given up.
CREATE TABLE webhook_delivery (
    approval   uuid   NOT NULL REFERENCES approval (id),
    event      text   NOT NULL CHECK (event IN ('approval.asked', 'approval.escalated')),
    project    uuid   NOT NULL REFERENCES project (id),
    state      text   NOT NULL CHECK (state IN ('waiting', 'delivered', 'given_up')),
    attempts   bigint NOT NULL,
    next_at    bigint NOT NULL,
    -- What the last attempt came to: an HTTP status, or why there is none.
    code       text,
    created_at bigint NOT NULL,
    done_at    bigint,
    PRIMARY KEY (approval, event)
);
CREATE INDEX webhook_delivery_due ON webhook_delivery (next_at) WHERE state = 'waiting';
CREATE INDEX webhook_delivery_of ON webhook_delivery (project, created_at);
