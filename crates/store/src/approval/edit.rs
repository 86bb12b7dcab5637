//! Edits: a question that was answered by changing values of its plan. What was asked is void, and what
//! takes its place is asked anew.

use crate::{
    approval::question,
    database::{
        column::{digest, time},
        statement::{Row, Writes, execute, query_all},
    },
    error::StoreError,
    store::Store,
};
use uuid::Uuid;
use wiiiv_domain::{
    ApprovalId, BlueprintDigest, BlueprintId, SessionId, SpecDigest, TaskId, Timestamp, UserId,
};

/// A question that was answered by an edit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditedApproval {
    pub approval: ApprovalId,
    /// The plan that was asked about.
    pub blueprint: BlueprintId,
    pub digest: BlueprintDigest,
    /// What it was drawn from.
    pub from: SpecDigest,
    /// What takes its place.
    pub to: SpecDigest,
    pub by: UserId,
    pub at: Timestamp,
}

/// What a person writes in place of an answer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Edit {
    pub(crate) id: ApprovalId,
    pub(crate) by: UserId,
    pub(crate) digest: BlueprintDigest,
    pub(crate) to: SpecDigest,
}

/// Of two answers the first wins: only a question that waits, in time, about this very plan.
pub(crate) async fn edit<C: Writes>(db: &C, edit: Edit, now: Timestamp) -> Result<(), StoreError> {
    let update = "UPDATE approval SET state = 'rejected', decided_by = $2, decided_at = $3, \
                  edited_to = $4 WHERE id = $1 AND state = 'pending' AND expires_at > $3 \
                  AND digest = $5";
    let values = vec![
        edit.id.uuid().into(),
        edit.by.uuid().into(),
        now.unix_ms().into(),
        edit.to.bytes().to_vec().into(),
        edit.digest.bytes().to_vec().into(),
    ];
    question::changed_one(db, edit.id, execute(db, update, values).await?).await
}

impl Store {
    /// Those of plans of this task, oldest first.
    pub async fn edits_of(
        &self,
        session: SessionId,
        task: TaskId,
    ) -> Result<Vec<EditedApproval>, StoreError> {
        let sql = "SELECT approval.id, approval.blueprint, approval.digest, \
                   blueprint.spec_digest, approval.edited_to, approval.decided_by, \
                   approval.decided_at \
                   FROM approval JOIN blueprint ON blueprint.id = approval.blueprint \
                   WHERE approval.session = $1 AND blueprint.task = $2 \
                   AND approval.edited_to IS NOT NULL ORDER BY approval.decided_at, approval.id";
        let values = vec![session.uuid().into(), task.uuid().into()];
        query_all(self.direct(), sql, values).await?.iter().map(read).collect()
    }
}

fn read(row: &Row) -> Result<EditedApproval, StoreError> {
    let (approval, blueprint): (Uuid, Uuid) = (row.get(0)?, row.get(1)?);
    let (by, at): (Uuid, i64) = (row.get(5)?, row.get(6)?);
    let spec = |bytes| digest(bytes, SpecDigest::from_bytes, "an edited spec's digest");
    Ok(EditedApproval {
        approval: approval.into(),
        blueprint: blueprint.into(),
        digest: digest(row.get(2)?, BlueprintDigest::from_bytes, "an approval's digest")?,
        from: spec(row.get(3)?)?,
        to: spec(row.get(4)?)?,
        by: by.into(),
        at: time(at),
    })
}
