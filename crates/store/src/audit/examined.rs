//! Compares one plan, question or run with the audit before it is shown or acted on by its id. Each in one
//! snapshot: what is written meanwhile is no difference.

use super::{
    approval_rows::{examine_approval, previews_in},
    examine::{examine_receipt, planned, questions_of},
};
use crate::{
    database::{
        entity::{approval, blueprint},
        statement::{Sealed, only},
    },
    error::StoreError,
    store::Store,
};
use sea_orm::{DatabaseTransaction, EntityTrait as _, TransactionTrait as _};
use wiiiv_domain::{ApprovalId, BlueprintId, ExecutionId};

impl Store {
    /// Several statements that see the same state of the database. They may be long: they run on the ORM's
    /// thread.
    async fn snapshot(&self) -> Result<Sealed<'_, DatabaseTransaction>, StoreError> {
        let db = self.reader().begin().await?;
        Ok(Sealed { db, seals: self.direct().record_seals() })
    }

    /// The plan's row and text, and the answers to its questions. The caller handles a plan that is not there.
    pub async fn examine_plan(&self, id: BlueprintId) -> Result<(), StoreError> {
        let db = self.snapshot().await?;
        if let Some(row) = only(blueprint::Entity::find_by_id(id.uuid()), &db).await? {
            planned(&db, row).await?;
            questions_of(&db, id.uuid()).await?;
        }
        Ok(())
    }

    pub async fn examine_question(&self, id: ApprovalId) -> Result<(), StoreError> {
        let db = self.snapshot().await?;
        if let Some(row) = only(approval::Entity::find_by_id(id.uuid()), &db).await? {
            examine_approval(&db, &row, &previews_in(&db, row.session.into()).await?).await?;
        }
        Ok(())
    }

    /// The run, its attempts, its plan, and the yes that it used.
    pub async fn examine_execution(&self, id: ExecutionId) -> Result<(), StoreError> {
        let db = self.snapshot().await?;
        match examine_receipt(&db, id.uuid()).await {
            Err(StoreError::NotFound { .. }) => Ok(()),
            examined => examined,
        }
    }
}
