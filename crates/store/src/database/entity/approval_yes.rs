//! Yeses to questions that ask several people, all but the last.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "approval_yes")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub approval: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub approver: Uuid,
    pub at_seq: i64,
    pub evidence: Vec<u8>,
    pub given_at: i64,
    pub delegation: Option<Uuid>,
    pub on_behalf_of: Option<Uuid>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
