//! Signed statements of a chain's length.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "audit_checkpoint")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub chain: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub size: i64,
    pub line: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
