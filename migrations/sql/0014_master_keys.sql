-- Rotations of the master key. Which version a sealed value is under stands in the value itself.

CREATE TABLE master_key_rotation (
    to_version   bigint PRIMARY KEY,
    from_version bigint NOT NULL,
    -- By which the key that was left is known again; nothing of the key can be found from it.
    from_key_id  bytea  NOT NULL,
    started_by   uuid   NOT NULL REFERENCES account (id),
    started_at   bigint NOT NULL,
    -- Null while rows may still be sealed under the version that is left.
    finished_at  bigint,
    -- JSON: what was found when it ended, its audit record and the checkpoint signed over that.
    certificate  text
);
