//! What people found out about divergences of the review.

use crate::rollout::verdict::DivergenceVerdict;
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "divergence_review")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub project: Uuid,
    pub evaluation: i64,
    pub verdict: DivergenceVerdict,
    pub note: String,
    pub salt: Vec<u8>,
    pub reviewed_by: Uuid,
    pub at_seq: i64,
    pub reviewed_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
