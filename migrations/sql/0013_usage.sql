-- What a call was held at and came to, as numbers that can be summed up.

ALTER TABLE model_call ADD COLUMN payer uuid REFERENCES account (id);
ALTER TABLE model_call ADD COLUMN held_tokens bigint;
-- Null: the model has no price.
ALTER TABLE model_call ADD COLUMN held_micros bigint;
-- Null: the provider did not say, and nothing could be estimated.
ALTER TABLE model_call ADD COLUMN input_tokens bigint;
ALTER TABLE model_call ADD COLUMN output_tokens bigint;
ALTER TABLE model_call ADD COLUMN estimated boolean;
-- What counts in the budgets; null until the call has ended.
ALTER TABLE model_call ADD COLUMN tokens bigint;
ALTER TABLE model_call ADD COLUMN micros bigint;
UPDATE model_call SET payer = (SELECT owner FROM session WHERE session.id = model_call.session);
CREATE INDEX model_call_by_project ON model_call (project, started_at);

-- The cap that the last hold was taken under, and when most of it was spent.
ALTER TABLE budget ADD COLUMN cap_tokens bigint;
ALTER TABLE budget ADD COLUMN cap_micros bigint;
ALTER TABLE budget ADD COLUMN alerted_at bigint;
