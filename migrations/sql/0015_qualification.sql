-- What a result says of a model: whose it is, what its provider calls it, and which repeat it was.
-- Null: of a build that did not tell yet, or of a model that is nobody's.

ALTER TABLE ghost_result ADD COLUMN provider text;
ALTER TABLE ghost_result ADD COLUMN revision text;
ALTER TABLE ghost_result ADD COLUMN repeat bigint CHECK (repeat > 0);
-- Null: they were not looked at.
ALTER TABLE ghost_result ADD COLUMN invariants text CHECK (invariants IN ('held', 'violated'));
CREATE INDEX ghost_result_by_model ON ghost_result (provider, model, id);

-- Which models had a part in a conversation.
CREATE INDEX model_call_by_session ON model_call (session);
