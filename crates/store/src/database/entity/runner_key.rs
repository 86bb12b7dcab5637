//! Registered keys of GHOST runners.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "runner_key")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub name: String,
    pub public_key: Vec<u8>,
    pub at_seq: i64,
    pub added_by: Uuid,
    pub added_at: i64,
    pub revoked_seq: Option<i64>,
    pub revoked_by: Option<Uuid>,
    pub revoked_at: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
