-- What the replay of a session is given where it begins: the specs that were refused before. Absent where
-- there were none.
CREATE TABLE replay_seed (
    session uuid NOT NULL PRIMARY KEY REFERENCES session (id),
    body    text NOT NULL
);
