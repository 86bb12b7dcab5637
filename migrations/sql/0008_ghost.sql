-- Results of GHOST runs, as their player reported them.

CREATE TABLE ghost_result (
    id              uuid   NOT NULL PRIMARY KEY,
    scenario        text   NOT NULL,
    mode            text   NOT NULL CHECK (mode IN
        ('replay', 'live', 'record', 'adversary', 'faults')),
    verdict         text   NOT NULL CHECK (verdict IN ('PASS', 'FAIL', 'ERROR', 'PARTIAL')),
    build           text   NOT NULL,
    -- All 64 bits of it, read as a signed number.
    seed            bigint NOT NULL,
    policy_hash     text   NOT NULL,
    prompt_hash     text   NOT NULL,
    model           text   NOT NULL,
    first_violation text,
    duration_ms     bigint NOT NULL CHECK (duration_ms >= 0),
    recorded_by     uuid   NOT NULL REFERENCES account (id),
    recorded_at     bigint NOT NULL,
    report          text   NOT NULL
);
CREATE INDEX ghost_result_by_scenario ON ghost_result (scenario, id);
