//! Takes a yes back: one that others have to join, while its question waits; and one that a run rests on, while
//! that goes on. One that was given and not used ends by a no.

use crate::{
    approval::question::changed_one,
    database::statement::{Writes, execute},
    error::StoreError,
};
use wiiiv_domain::{ApprovalId, ExecutionId, Timestamp, UserId};

/// Its person may say it again.
const UNSAY: &str = "DELETE FROM approval_yes WHERE approval = $1 AND approver = $2 AND EXISTS \
    (SELECT 1 FROM approval asked WHERE asked.id = $1 AND asked.state = 'pending' \
     AND asked.expires_at > $3)";

/// Once, by whoever said a yes to it, or in whose right one was said. The state stays: it was used by that run, and by no
/// other.
const REVOKE: &str = "UPDATE approval SET revoked_by = $2, revoked_at = $3 \
    WHERE id = $1 AND state = 'consumed' AND consumed_by = $4 AND revoked_at IS NULL \
    AND ($2 IN (decided_by, on_behalf_of) OR EXISTS (SELECT 1 FROM approval_yes yes \
     WHERE yes.approval = $1 AND $2 IN (yes.approver, yes.on_behalf_of))) \
    AND EXISTS (SELECT 1 FROM execution run WHERE run.id = $4 \
     AND run.state IN ('running', 'indeterminate'))";

/// `run`: the one that rests on it. Of a revocation and whatever ends the question, or the run, the first wins.
pub(crate) async fn revoke<C: Writes>(
    db: &C,
    (id, by): (ApprovalId, UserId),
    run: Option<ExecutionId>,
    now: Timestamp,
) -> Result<(), StoreError> {
    let mut values = vec![id.uuid().into(), by.uuid().into(), now.unix_ms().into()];
    let sql = match run {
        None => UNSAY,
        Some(run) => {
            values.push(run.uuid().into());
            REVOKE
        }
    };
    changed_one(db, id, execute(db, sql, values).await?).await
}
