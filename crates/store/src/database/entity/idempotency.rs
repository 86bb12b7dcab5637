//! Stored answers for repeated requests.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "idempotency")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub key: String,
    pub request: Vec<u8>,
    pub status: Option<i32>,
    pub response: Option<Vec<u8>>,
    pub created_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
