//! Conversations.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "session")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub project: Uuid,
    pub owner: Uuid,
    pub title: String,
    pub salt: Vec<u8>,
    pub created_at: i64,
    pub standing_seq: i64,
    pub risk_score: i64,
    pub tainted: bool,
    pub replay_from: i64,
    pub updated_at: i64,
    pub pinned_at: Option<i64>,
    pub removed_at: Option<i64>,
    pub trial: bool,
    pub open_turn: Option<Uuid>,
    pub risk_history: Option<String>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
