-- A record may be sealed once, and is append-only in all else.

DROP TRIGGER audit_record_no_UPDATE;
CREATE TRIGGER audit_record_no_UPDATE BEFORE UPDATE ON audit_record
WHEN OLD.seal IS NOT NULL OR NEW.seal IS NULL OR OLD.about IS NOT NEW.about
    OR (OLD.chain, OLD.seq, OLD.kind, OLD.at, OLD.hash, OLD.line)
    <> (NEW.chain, NEW.seq, NEW.kind, NEW.at, NEW.hash, NEW.line)
BEGIN SELECT RAISE(ABORT, 'audit_record is append-only'); END;
