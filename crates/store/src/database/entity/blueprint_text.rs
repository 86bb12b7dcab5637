//! Plans: the canonical bytes, which retention deletes.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "blueprint_text")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub blueprint: Uuid,
    pub canonical: Vec<u8>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
