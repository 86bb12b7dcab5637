//! Halts of sessions, projects and the server, each with its end.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "halt")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub subject: Uuid,
    pub project: Option<Uuid>,
    pub at_seq: i64,
    pub halted_by: Uuid,
    pub reason: String,
    pub salt: Vec<u8>,
    pub halted_at: i64,
    pub resumed_seq: Option<i64>,
    pub resumed_by: Option<Uuid>,
    pub resumed_reason: Option<String>,
    pub resumed_at: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
