-- Documents that people, projects and everybody find passages in. These are texts of people: a record of the audit
-- has a keyed hash of each. `scope` says who finds a row: `global`, `user:ID` or `project:ID`; without one nothing
-- can be written.
CREATE TABLE document (
    id         uuid    NOT NULL PRIMARY KEY,
    scope      text    NOT NULL CHECK (scope = 'global' OR (scope LIKE 'user:%' AND length(scope) = 41)
                                       OR (scope LIKE 'project:%' AND length(scope) = 44)),
    -- Where its file comes from: somebody uploaded it, or it lies in the administrator's folder.
    origin     text    NOT NULL CHECK (origin IN ('upload', 'folder')),
    -- In the folder its path, with `/`.
    file_name  text    NOT NULL,
    title      text    NOT NULL,
    -- Somebody gave it: another file of the name keeps it.
    title_given boolean NOT NULL,
    media_type text,
    -- SHA-256 of the file, and of its passages.
    digest     bytea   NOT NULL,
    content    bytea   NOT NULL,
    bytes      bigint  NOT NULL CHECK (bytes >= 0),
    passages   bigint  NOT NULL CHECK (passages >= 0),
    chunks     bigint  NOT NULL CHECK (chunks >= 0),
    -- Counted from 1: one for each change.
    version    bigint  NOT NULL CHECK (version > 0),
    -- Its file is gone from the folder: what it held the last time stays.
    stale      boolean NOT NULL,
    -- Whoever changed it last. NULL: the folder did.
    author     uuid    REFERENCES account (id),
    created_at bigint  NOT NULL,
    updated_at bigint  NOT NULL,
    -- The record of its last change: in the project's chain, or in the server's.
    at_seq     bigint  NOT NULL,
    UNIQUE (scope, origin, file_name)
);
CREATE INDEX document_by_scope ON document (scope, id);
-- For the sums that each new one has to fit into.
CREATE INDEX document_chunks ON document (scope, origin, chunks);

-- What a citation opens.
CREATE TABLE document_passage (
    document uuid    NOT NULL REFERENCES document (id),
    number   integer NOT NULL CHECK (number >= 0),
    scope    text    NOT NULL CHECK (scope = 'global' OR (scope LIKE 'user:%' AND length(scope) = 41)
                                     OR (scope LIKE 'project:%' AND length(scope) = 44)),
    -- A list, as JSON.
    headings text    NOT NULL,
    page     integer,
    text     text    NOT NULL,
    PRIMARY KEY (document, number)
);

-- What is searched. The words of a chunk are those of its document too, title and file name, so that they are kept
-- here and not with the text, which documents of several scopes may share.
CREATE TABLE document_chunk (
    document uuid    NOT NULL REFERENCES document (id),
    number   integer NOT NULL CHECK (number >= 0),
    scope    text    NOT NULL CHECK (scope = 'global' OR (scope LIKE 'user:%' AND length(scope) = 41)
                                     OR (scope LIKE 'project:%' AND length(scope) = 44)),
    passage  integer NOT NULL CHECK (passage >= 0),
    hash     bytea   NOT NULL,
    terms    bytea   NOT NULL,
    PRIMARY KEY (document, number)
);
CREATE INDEX document_chunk_by_hash ON document_chunk (hash);
CREATE INDEX document_chunk_by_passage ON document_chunk (document, passage);

-- The text of chunks that are the same, once. It goes with the last of them.
CREATE TABLE chunk (
    hash bytea  NOT NULL PRIMARY KEY,
    text text   NOT NULL,
    -- How many rows of `document_chunk` have it.
    uses bigint NOT NULL CHECK (uses >= 0)
);
CREATE INDEX chunk_unused ON chunk (hash) WHERE uses = 0;

CREATE TABLE chunk_vector (
    hash     bytea NOT NULL REFERENCES chunk (hash),
    -- The model, such as `local:e5-small`.
    embedder text  NOT NULL,
    vector   bytea NOT NULL,
    PRIMARY KEY (hash, embedder)
);

CREATE TABLE ingest_job (
    id         uuid   NOT NULL PRIMARY KEY,
    scope      text   NOT NULL CHECK (scope = 'global' OR (scope LIKE 'user:%' AND length(scope) = 41)
                                      OR (scope LIKE 'project:%' AND length(scope) = 44)),
    origin     text   NOT NULL CHECK (origin IN ('upload', 'folder')),
    file_name  text   NOT NULL,
    -- NULL: the one that the file gives itself.
    title      text,
    media_type text,
    -- Of the file.
    digest     bytea  NOT NULL,
    bytes      bigint NOT NULL CHECK (bytes >= 0),
    state      text   NOT NULL CHECK (state IN ('queued', 'reading', 'cutting', 'embedding', 'ready', 'failed',
                                                'cancelled')),
    -- Why it failed.
    code       text,
    -- Counted as it goes on.
    passages   bigint NOT NULL DEFAULT 0,
    chunks     bigint NOT NULL DEFAULT 0,
    to_embed   bigint NOT NULL DEFAULT 0,
    embedded   bigint NOT NULL DEFAULT 0,
    -- What came of it.
    document   uuid,
    author     uuid   REFERENCES account (id),
    created_at bigint NOT NULL,
    ended_at   bigint
);
CREATE INDEX ingest_job_by_scope ON ingest_job (scope, id);
CREATE INDEX ingest_job_open ON ingest_job (id) WHERE ended_at IS NULL;

-- The file, until its document is there or its job ends.
CREATE TABLE ingest_file (
    job   uuid  NOT NULL PRIMARY KEY REFERENCES ingest_job (id),
    scope text  NOT NULL CHECK (scope = 'global' OR (scope LIKE 'user:%' AND length(scope) = 41)
                                OR (scope LIKE 'project:%' AND length(scope) = 44)),
    file  bytea NOT NULL
);

-- How many documents an erasure took.
ALTER TABLE erasure ADD COLUMN documents bigint NOT NULL DEFAULT 0;
