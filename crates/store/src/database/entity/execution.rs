//! Runs.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "execution")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub blueprint: Uuid,
    pub project: Uuid,
    pub session: Uuid,
    pub digest: Vec<u8>,
    pub at_seq: i64,
    pub evidence: Vec<u8>,
    pub state: crate::run::state::ExecutionState,
    pub outcome: Option<String>,
    pub started_at: i64,
    pub finished_at: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
