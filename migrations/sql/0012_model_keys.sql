-- Keys of model providers: one for a holder and provider, sealed for the one origin it is sent to.

CREATE TABLE model_key (
    -- `server`, `project:<id>` or `user:<id>`.
    holder     text   NOT NULL,
    provider   text   NOT NULL,
    origin     text   NOT NULL,
    -- Sealed by the vault, bound to the holder, the provider and the origin.
    sealed     bytea  NOT NULL,
    -- As it may be shown.
    masked     text   NOT NULL,
    -- The audit record of its setting: never one number twice for a holder, also after a removal.
    revision   bigint NOT NULL,
    updated_by uuid   NOT NULL REFERENCES account (id),
    updated_at bigint NOT NULL,
    -- When the provider was last asked about it, and what came of that.
    checked_at bigint,
    verdict    text,
    PRIMARY KEY (holder, provider),
    CHECK ((checked_at IS NULL) = (verdict IS NULL))
);
