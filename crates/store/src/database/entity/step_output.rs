//! Outputs of steps.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "step_output")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub execution: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub step: String,
    pub output: String,
    pub bytes: Vec<u8>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
