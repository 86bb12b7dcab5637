//! The mode and the outcome of one scenario's run.

use sea_orm::{DeriveActiveEnum, EnumIter};
use serde::{Deserialize, Serialize};

#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, EnumIter, DeriveActiveEnum, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "snake_case")]
pub enum GhostMode {
    Replay,
    Live,
    Record,
    Adversary,
    Faults,
}

#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, EnumIter, DeriveActiveEnum, Serialize, Deserialize,
)]
#[serde(rename_all = "UPPERCASE")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "UPPERCASE")]
pub enum GhostVerdict {
    Pass,
    Fail,
    Error,
    /// The scenario has stages that this build does not have yet.
    Partial,
}

/// What has to hold in every run, whatever its scenario expects.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, EnumIter, DeriveActiveEnum, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "snake_case")]
pub enum Invariants {
    Held,
    Violated,
}
