//! Results of GHOST runs.

use crate::ghost_result::outcome::{GhostMode, GhostVerdict, Invariants};
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "ghost_result")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub scenario: String,
    pub mode: GhostMode,
    pub verdict: GhostVerdict,
    pub build: String,
    pub seed: i64,
    pub policy_hash: String,
    pub prompt_hash: String,
    pub provider: Option<String>,
    pub model: String,
    pub revision: Option<String>,
    pub repeat: Option<i64>,
    pub invariants: Option<Invariants>,
    pub first_violation: Option<String>,
    pub duration_ms: i64,
    pub recorded_by: Uuid,
    pub recorded_at: i64,
    pub report: String,
    pub signed_by: Option<Uuid>,
    pub signature: Option<Vec<u8>>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
