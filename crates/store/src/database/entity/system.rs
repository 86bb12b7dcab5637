//! Registered systems.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "system")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub project: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub name: String,
    pub revision: i64,
    pub document: String,
    pub credential: Option<Vec<u8>>,
    pub credential_revision: Option<i64>,
    pub updated_by: Uuid,
    pub updated_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
