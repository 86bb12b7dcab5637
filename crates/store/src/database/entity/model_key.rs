//! Keys of model providers.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "model_key")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub holder: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub provider: String,
    pub origin: String,
    pub sealed: Vec<u8>,
    pub masked: String,
    pub revision: i64,
    pub updated_by: Uuid,
    pub updated_at: i64,
    pub checked_at: Option<i64>,
    pub verdict: Option<String>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
