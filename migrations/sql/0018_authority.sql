-- What a person may do has one version: any change of a token, the account, a membership or a role
-- raises it, in the transaction of that change.
ALTER TABLE account ADD COLUMN authority bigint NOT NULL DEFAULT 0;
