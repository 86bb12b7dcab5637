//! Budget windows.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "budget")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub project: Uuid,
    pub held_tokens: i64,
    pub held_micros: i64,
    pub settled_tokens: i64,
    pub settled_micros: i64,
    pub cap_tokens: Option<i64>,
    pub cap_micros: Option<i64>,
    pub alerted_at: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
