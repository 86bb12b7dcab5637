//! Waivers of what a promotion asks for, each of two approvers.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "rollout_waiver")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub project: Uuid,
    pub reason: String,
    pub salt: Vec<u8>,
    pub asked_by: Uuid,
    pub asked_seq: i64,
    pub asked_at: i64,
    pub expires_at: i64,
    pub joined_by: Option<Uuid>,
    pub joined_seq: Option<i64>,
    pub joined_at: Option<i64>,
    pub used_by: Option<Uuid>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
