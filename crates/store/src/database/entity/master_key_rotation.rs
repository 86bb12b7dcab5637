//! Rotations of the master key.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "master_key_rotation")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub to_version: i64,
    pub from_version: i64,
    pub from_key_id: Vec<u8>,
    pub started_by: Uuid,
    pub started_at: i64,
    pub finished_at: Option<i64>,
    pub certificate: Option<String>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
