//! Compares one plan, question or run with the audit before it is shown or acted on by its id. Each in one
//! snapshot: what is written meanwhile is no difference.

use super::{
    approval_rows::{examine_approval, previews_in},
    examine::{examine_receipt, planned, questions_of},
};
use crate::{
    database::{
        entity::{approval, blueprint},
        statement::only,
    },
    error::StoreError,
    store::Store,
};
use sea_orm::EntityTrait as _;
use wiiiv_domain::{ApprovalId, BlueprintId, ExecutionId};

impl Store {
    /// The plan's row and text, and the answers to its questions. What is not there is for the caller to miss.
    pub async fn examine_plan(&self, id: BlueprintId) -> Result<(), StoreError> {
        let db = self.direct().snapshot()?;
        if let Some(row) = only(blueprint::Entity::find_by_id(id.uuid()), &db).await? {
            planned(&db, row).await?;
            questions_of(&db, id.uuid()).await?;
        }
        Ok(())
    }

    pub async fn examine_question(&self, id: ApprovalId) -> Result<(), StoreError> {
        let db = self.direct().snapshot()?;
        if let Some(row) = only(approval::Entity::find_by_id(id.uuid()), &db).await? {
            examine_approval(&db, &row, &previews_in(&db, row.session.into()).await?).await?;
        }
        Ok(())
    }

    /// The run, its attempts, its plan, and the yes that it used.
    pub async fn examine_execution(&self, id: ExecutionId) -> Result<(), StoreError> {
        let db = self.direct().snapshot()?;
        match examine_receipt(&db, id.uuid()).await {
            Err(StoreError::NotFound { .. }) => Ok(()),
            examined => examined,
        }
    }
}
