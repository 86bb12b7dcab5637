//! Opinions of models, as evidence.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "opinion")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub project: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub spec_digest: Vec<u8>,
    #[sea_orm(primary_key, auto_increment = false)]
    pub at_seq: i64,
    pub evidence: Vec<u8>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
