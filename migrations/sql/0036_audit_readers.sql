-- How far each chain was delivered to each receiver of the audit: its next delivery begins behind it.
-- `receiver` names the configured destination by a hash, because its address may hold a secret.
CREATE TABLE audit_export (
    receiver text   NOT NULL,
    chain    text   NOT NULL,
    seq      bigint NOT NULL,
    -- Of that record: another one there is another chain.
    hash     bytea  NOT NULL,
    -- Records that the newest delivered checkpoint covers.
    signed   bigint NOT NULL,
    at       bigint NOT NULL,
    PRIMARY KEY (receiver, chain)
);

-- Whose texts an administrator had erased, and why. What became of each conversation is in its project's chain.
CREATE TABLE erasure (
    id        uuid   NOT NULL PRIMARY KEY,
    -- Of one project, or of one person's conversations.
    project   uuid   REFERENCES project (id),
    owner     uuid   REFERENCES account (id),
    -- Only what was last active before; NULL: all.
    before    bigint,
    erased_by uuid   NOT NULL REFERENCES account (id),
    -- A person's text: the record in the server's chain has its digest, with the salt.
    reason    text   NOT NULL,
    salt      bytea  NOT NULL,
    at        bigint NOT NULL,
    at_seq    bigint NOT NULL,
    sessions  bigint NOT NULL,
    plans     bigint NOT NULL
);

-- Since when a conversation has no texts and no salt.
ALTER TABLE session ADD COLUMN erased_at bigint;
