-- Services that a project may talk to, each with the credential that was sealed for its origin.

CREATE TABLE system (
    project             uuid   NOT NULL REFERENCES project (id),
    name                text   NOT NULL,
    -- The audit record of the last change: never one number twice, also after a removal.
    revision            bigint NOT NULL,
    document            text   NOT NULL,
    -- Sealed by the vault, bound to the project, the name and the origin.
    credential          bytea,
    -- The audit record of its setting.
    credential_revision bigint,
    updated_by          uuid   NOT NULL REFERENCES account (id),
    updated_at          bigint NOT NULL,
    PRIMARY KEY (project, name),
    CHECK ((credential IS NULL) = (credential_revision IS NULL))
);
