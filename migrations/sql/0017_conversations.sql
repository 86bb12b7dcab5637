-- What a person does with a conversation in the list: pins it to the top, or removes it. Its records
-- stay: the audit and the runs speak of it.
ALTER TABLE session ADD COLUMN pinned_at bigint;
ALTER TABLE session ADD COLUMN removed_at bigint;
-- Where models are tried: no conversation of a person, so it stands in no list.
ALTER TABLE session ADD COLUMN trial boolean NOT NULL DEFAULT false;
UPDATE session SET trial = true WHERE title = '모델 시험 · Model trials';
