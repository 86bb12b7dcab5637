//! Amounts that an execution still holds in a window, and what its calls have spent of it. What a call of
//! its own holds is in its row.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "hold")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub holder: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub budget: String,
    pub tokens: i64,
    pub micros: i64,
    pub spent_tokens: i64,
    pub spent_micros: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
