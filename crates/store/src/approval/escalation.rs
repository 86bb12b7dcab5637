//! Questions that nobody answered for a part of their time: shown to more people, once, and answered by
//! nobody by that.

use crate::{
    approval::{
        escalation_row::{ESCALATED, EscalationRow},
        question::ApprovalRow,
        state::ApprovalState,
    },
    audit::Chain,
    database::{clock::now, column::word, entity::approval, statement::execute},
    error::StoreError,
    store::Store,
    writer::{boundary::AuditEntry, point::Point},
};
use sea_orm::{
    ColumnTrait as _, EntityTrait as _, QueryFilter as _, QueryOrder as _, QuerySelect as _,
};
use serde_json::json;
use wiiiv_domain::Timestamp;

impl Store {
    /// Questions that wait and whose time for it has come, the longest overdue first.
    pub async fn approvals_to_escalate(
        &self,
        now: Timestamp,
        rows_max: u64,
    ) -> Result<Vec<ApprovalRow>, StoreError> {
        use approval::Column;
        let query = approval::Entity::find()
            .filter(Column::State.eq(ApprovalState::Pending))
            .filter(Column::EscalatesAt.lte(now.unix_ms()))
            .filter(Column::EscalatedAt.is_null())
            .filter(Column::ExpiresAt.gt(now.unix_ms()))
            .order_by_asc(Column::EscalatesAt)
            .limit(rows_max);
        query.all(self.reader()).await?.into_iter().map(ApprovalRow::read).collect()
    }

    /// Once. `false`: it was answered or closed meanwhile, or done already.
    pub async fn escalate_approval(&self, row: &ApprovalRow) -> Result<bool, StoreError> {
        let Some(EscalationRow { due, .. }) = row.escalation else { return Ok(false) };
        let (id, project, digest) = (row.request.id, row.request.project, row.request.digest);
        let to = word(&due.to)?;
        self.write(Point::P, move |tx| {
            Box::pin(async move {
                let at = now();
                let update = "UPDATE approval SET escalated_at = $2 WHERE id = $1 \
                              AND state = 'pending' AND expires_at > $2 AND escalates_at <= $2 \
                              AND escalated_at IS NULL";
                let values = vec![id.uuid().into(), at.unix_ms().into()];
                if execute(&tx.db, update, values).await? != 1 {
                    return Ok(false);
                }
                let body = json!({ "approval": id, "digest": digest, "to": to });
                let entry = AuditEntry::new(ESCALATED, body);
                tx.record(Chain::Project(project), at, entry).await?;
                Ok::<bool, StoreError>(true)
            })
        })
        .await
    }
}
