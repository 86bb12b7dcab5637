//! Overrides of policies, each proposed by one person and approved by another.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "policy_override")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub project: Uuid,
    pub proposal: Vec<u8>,
    pub proposed_by: Uuid,
    pub event_seq: i64,
    pub proposed_seq: i64,
    pub proposed_at: i64,
    pub expires_at: i64,
    pub approved_by: Option<Uuid>,
    pub approved_seq: Option<i64>,
    pub approved_at: Option<i64>,
    pub version: Option<Uuid>,
    pub ends_at: Option<i64>,
    pub used_by: Option<Uuid>,
    pub ended_how: Option<crate::policy::overrides::how_ended::HowEnded>,
    pub ended_seq: Option<i64>,
    pub ended_by: Option<Uuid>,
    pub ended_reason: Option<String>,
    pub salt: Vec<u8>,
    pub ended_at: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
