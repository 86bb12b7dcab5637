//! Versions of people's profiles.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "profile")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub person: Uuid,
    pub project: Uuid,
    pub schema: String,
    pub version: i64,
    pub sealed: Vec<u8>,
    pub how: String,
    pub author: Uuid,
    pub at: i64,
    pub turn: Option<Uuid>,
    pub at_seq: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
