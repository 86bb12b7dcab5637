-- What a token was made by: a log-in, or by hand for a client. Those that are older say nothing of it.
ALTER TABLE token ADD COLUMN kind text NOT NULL DEFAULT 'token';
