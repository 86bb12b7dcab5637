//! Questions put before people, and their answers as evidence.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "approval")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub project: Uuid,
    pub session: Uuid,
    pub blueprint: Uuid,
    pub digest: Vec<u8>,
    pub requester: Uuid,
    pub asked_of: String,
    pub state: crate::approval::state::ApprovalState,
    pub asked_at: i64,
    pub expires_at: i64,
    pub decided_by: Option<Uuid>,
    pub decided_at: Option<i64>,
    pub at_seq: Option<i64>,
    pub evidence: Option<Vec<u8>>,
    pub consumed_by: Option<Uuid>,
    pub approvers: i64,
    pub escalates_at: Option<i64>,
    pub escalates_to: Option<String>,
    pub escalated_at: Option<i64>,
    pub delegation: Option<Uuid>,
    pub on_behalf_of: Option<Uuid>,
    pub edited_to: Option<Vec<u8>>,
    pub editors: Option<String>,
    pub revoked_by: Option<Uuid>,
    pub revoked_at: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
