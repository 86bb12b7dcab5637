-- Which results of GHOST are on record: one that is recorded and not there any more is missed where the
-- ledger is read, without a look at the whole chain.
CREATE INDEX audit_record_ghost ON audit_record (chain, seq) WHERE kind = 'ghost.recorded';
