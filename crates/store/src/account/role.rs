//! The roles of members.

use sea_orm::{DeriveActiveEnum, EnumIter};
use serde::{Deserialize, Serialize};

#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    EnumIter,
    DeriveActiveEnum,
    Serialize,
    Deserialize,
)]
#[serde(rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "snake_case")]
pub enum Role {
    Owner,
    Editor,
    Approver,
    Viewer,
}

impl Role {
    pub const ALL: [Self; 4] = [Self::Owner, Self::Editor, Self::Approver, Self::Viewer];
}
