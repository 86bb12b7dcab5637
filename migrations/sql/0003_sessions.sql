-- Conversations: the journal that state is replayed from, and who may write it.

CREATE TABLE session (
    id           uuid    NOT NULL PRIMARY KEY,
    project      uuid    NOT NULL REFERENCES project (id),
    owner        uuid    NOT NULL REFERENCES account (id),
    title        text    NOT NULL,
    salt         bytea   NOT NULL,
    created_at   bigint  NOT NULL,
    -- Raised whenever risk or taint change: a ruling names the one that it judged.
    standing_seq bigint  NOT NULL,
    risk_score   bigint  NOT NULL,
    tainted      boolean NOT NULL,
    -- Where a replay of the flow begins.
    replay_from  bigint  NOT NULL
);
CREATE INDEX session_by_project ON session (project, owner, id);

CREATE TABLE session_event (
    session uuid   NOT NULL REFERENCES session (id),
    seq     bigint NOT NULL,
    body    text   NOT NULL,
    PRIMARY KEY (session, seq)
);

-- Turns that were accepted and have not ended: what a restart goes on with.
CREATE TABLE open_turn (
    session uuid NOT NULL REFERENCES session (id),
    turn    uuid NOT NULL,
    PRIMARY KEY (session, turn)
);

-- The fence: every write of a session carries the epoch that it was made under.
CREATE TABLE lease (
    session uuid   NOT NULL PRIMARY KEY REFERENCES session (id),
    epoch   bigint NOT NULL
);
