//! Model calls and the outcome of their holds.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "model_call")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub project: Uuid,
    pub session: Uuid,
    pub task: Uuid,
    pub provider: String,
    pub model: String,
    pub from_execution: Option<Uuid>,
    pub at_seq: i64,
    pub state: crate::budget::CallState,
    pub usage: Option<String>,
    pub amount: Option<String>,
    pub started_at: i64,
    pub ended_at: Option<i64>,
    pub payer: Option<Uuid>,
    pub held_tokens: Option<i64>,
    pub held_micros: Option<i64>,
    pub input_tokens: Option<i64>,
    pub output_tokens: Option<i64>,
    pub estimated: Option<bool>,
    pub tokens: Option<i64>,
    pub micros: Option<i64>,
    pub held_on: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
