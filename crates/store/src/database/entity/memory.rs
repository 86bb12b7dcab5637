//! Versions of the memories of people and projects.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "memory")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub kind: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub holder: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub version: i64,
    pub text: String,
    pub author: Uuid,
    pub at: i64,
    pub turn: Option<Uuid>,
    pub sole_author: Option<Uuid>,
    pub at_seq: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
