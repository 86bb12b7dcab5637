-- A yes that others have to join goes while its question waits; else it is append-only.
DROP TRIGGER approval_yes_append_only ON approval_yes;
CREATE TRIGGER approval_yes_append_only BEFORE UPDATE ON approval_yes
FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE FUNCTION approval_yes_stays() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN
IF (SELECT state FROM approval WHERE id = OLD.approval) IS DISTINCT FROM 'pending' THEN
RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END IF;
RETURN OLD;
END $$;
CREATE TRIGGER approval_yes_no_delete BEFORE DELETE ON approval_yes
FOR EACH ROW EXECUTE FUNCTION approval_yes_stays();
