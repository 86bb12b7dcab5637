//! Ends of delegations that somebody ended before their time.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "approval_delegation_end")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub delegation: Uuid,
    pub end_seq: i64,
    pub ended_by: Uuid,
    pub ended_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
