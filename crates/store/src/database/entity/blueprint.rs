//! Plans: the part that is kept for good.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "blueprint")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub project: Uuid,
    pub session: Uuid,
    pub task: Uuid,
    pub requester: Uuid,
    pub policy: Uuid,
    pub digest: Vec<u8>,
    pub spec_digest: Vec<u8>,
    pub task_type: String,
    pub effect: String,
    pub created_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
