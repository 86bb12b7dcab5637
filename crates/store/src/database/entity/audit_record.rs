//! Records of the audit.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "audit_record")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub chain: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub seq: i64,
    pub kind: String,
    pub at: i64,
    pub about: Option<Uuid>,
    pub hash: Vec<u8>,
    pub line: String,
    pub seal: Option<Vec<u8>>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
