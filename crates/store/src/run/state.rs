//! States of executions and attempts.

use sea_orm::{DeriveActiveEnum, EnumIter};
use wiiiv_domain::RunOutcome;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "snake_case")]
pub enum ExecutionState {
    Running,
    /// A side effect is in doubt and waits for a person; what it holds stands.
    Indeterminate,
    Succeeded,
    Failed,
    Cancelled,
}

impl ExecutionState {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Indeterminate => "indeterminate",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }
    pub(crate) const fn after(outcome: &RunOutcome) -> Self {
        match outcome {
            RunOutcome::Succeeded => Self::Succeeded,
            RunOutcome::Failed { .. } => Self::Failed,
            RunOutcome::Cancelled => Self::Cancelled,
            RunOutcome::Indeterminate => Self::Indeterminate,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "snake_case")]
pub enum AttemptState {
    Started,
    Finished,
}
