-- Windows are summed up from the rows of calls. What a row of `budget` holds is drawn of its cap in
-- tranches, and counts as spent for whoever reads that row alone.

-- The beginning of the day whose windows a call is held in, where that is not the day that it began on.
ALTER TABLE model_call ADD COLUMN held_on bigint;
CREATE INDEX model_call_held_elsewhere ON model_call (project, held_on) WHERE held_on IS NOT NULL;

-- A call's own row tells what it holds: these rows are of executions, and stay.
DELETE FROM hold WHERE holder NOT IN (SELECT id FROM execution);
-- What the execution's calls have come to.
ALTER TABLE hold ADD COLUMN spent_tokens bigint NOT NULL DEFAULT 0;
ALTER TABLE hold ADD COLUMN spent_micros bigint NOT NULL DEFAULT 0;
CREATE INDEX hold_by_budget ON hold (budget);
