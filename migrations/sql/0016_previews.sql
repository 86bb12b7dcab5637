-- What a person was shown with the question, as it was shown: JSON, read as it is.
-- Null: a build before this column, which kept the words of the preview in the session alone.

ALTER TABLE approval ADD COLUMN preview text;
