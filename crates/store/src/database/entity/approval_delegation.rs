//! Rights to approve that members have lent to others.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "approval_delegation")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub project: Uuid,
    pub delegator: Uuid,
    pub delegate: Uuid,
    pub starts_at: i64,
    pub ends_at: i64,
    pub reason: String,
    pub salt: Vec<u8>,
    pub at_seq: i64,
    pub evidence: Vec<u8>,
    pub given_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
