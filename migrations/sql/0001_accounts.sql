-- People, their tokens, the first start, answers kept for repeated requests, sealed secrets.
-- Ids are UUIDs, times are milliseconds since 1970 UTC, digests are 32 bytes.

CREATE TABLE account (
    id            uuid    NOT NULL PRIMARY KEY,
    name          text    NOT NULL UNIQUE,
    password_hash text    NOT NULL,
    admin         boolean NOT NULL,
    created_at    bigint  NOT NULL,
    disabled_at   bigint
);

CREATE TABLE token (
    id         uuid   NOT NULL PRIMARY KEY,
    account    uuid   NOT NULL REFERENCES account (id),
    sha256     bytea  NOT NULL UNIQUE,
    scope      text   NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint,
    revoked_at bigint
);
CREATE INDEX token_by_account ON token (account);

-- One row, made at the first start and used once.
CREATE TABLE setup (
    id      integer NOT NULL PRIMARY KEY CHECK (id = 1),
    sha256  bytea   NOT NULL,
    used_at bigint
);

CREATE TABLE idempotency (
    account    uuid   NOT NULL REFERENCES account (id),
    key        text   NOT NULL,
    request    bytea  NOT NULL,
    status     integer,
    response   bytea,
    created_at bigint NOT NULL,
    PRIMARY KEY (account, key)
);
CREATE INDEX idempotency_by_age ON idempotency (created_at);

-- Sealed by the vault; `scope` is `server` or a project's id.
CREATE TABLE secret (
    scope      text   NOT NULL,
    purpose    text   NOT NULL,
    sealed     bytea  NOT NULL,
    created_at bigint NOT NULL,
    PRIMARY KEY (scope, purpose)
);
