-- The turn that was accepted last and has not ended: it comes and goes with what else a turn changes of its session's
-- row.

ALTER TABLE session ADD COLUMN open_turn uuid;
UPDATE session SET open_turn = (SELECT turn FROM open_turn WHERE open_turn.session = session.id
    ORDER BY turn DESC LIMIT 1);
CREATE INDEX session_open ON session (id) WHERE open_turn IS NOT NULL;

-- No build reads the table from now on; a later step drops it.
DELETE FROM open_turn;
