-- A yes that others have to join goes while its question waits; else it is append-only.
DROP TRIGGER approval_yes_no_DELETE;
CREATE TRIGGER approval_yes_no_DELETE BEFORE DELETE ON approval_yes
WHEN (SELECT state FROM approval WHERE id = OLD.approval) IS NOT 'pending'
BEGIN SELECT RAISE(ABORT, 'approval_yes is append-only'); END;
