//! The journal.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "session_event")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub session: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub seq: i64,
    pub body: String,
    /// The turn that begins with it.
    pub opens: Option<Uuid>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
