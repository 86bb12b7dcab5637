//! Attempts of steps: whether each was started and whether it finished.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "step_attempt")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub execution: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub step: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub attempt: i32,
    pub state: crate::run::state::AttemptState,
    pub at_seq: i64,
    pub outcome: Option<String>,
    pub resolution: Option<String>,
    pub started_at: i64,
    pub finished_at: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
