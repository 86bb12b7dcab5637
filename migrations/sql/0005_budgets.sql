-- What is held before and settled after. A row a window: all rounds of a task, or one UTC day.

CREATE TABLE budget (
    id             text   NOT NULL PRIMARY KEY,
    project        uuid   NOT NULL REFERENCES project (id),
    held_tokens    bigint NOT NULL CHECK (held_tokens >= 0),
    held_micros    bigint NOT NULL CHECK (held_micros >= 0),
    settled_tokens bigint NOT NULL CHECK (settled_tokens >= 0),
    settled_micros bigint NOT NULL CHECK (settled_micros >= 0)
);
CREATE INDEX budget_by_project ON budget (project);

-- One model call: open until its use is settled or its hold released.
CREATE TABLE model_call (
    id             uuid   NOT NULL PRIMARY KEY,
    project        uuid   NOT NULL REFERENCES project (id),
    session        uuid   NOT NULL REFERENCES session (id),
    task           uuid   NOT NULL,
    provider       text   NOT NULL,
    model          text   NOT NULL,
    -- Draws on the hold of this execution instead of the windows.
    from_execution uuid   REFERENCES execution (id),
    at_seq         bigint NOT NULL,
    state          text   NOT NULL CHECK (state IN ('open', 'settled', 'released')),
    usage          text,
    amount         text,
    started_at     bigint NOT NULL,
    ended_at       bigint
);
CREATE INDEX model_call_by_task ON model_call (task);
CREATE INDEX model_call_open ON model_call (session) WHERE state = 'open';

-- What a call or an execution still holds of a window.
CREATE TABLE hold (
    holder uuid   NOT NULL,
    budget text   NOT NULL REFERENCES budget (id),
    tokens bigint NOT NULL CHECK (tokens >= 0),
    micros bigint NOT NULL CHECK (micros >= 0),
    PRIMARY KEY (holder, budget)
);
