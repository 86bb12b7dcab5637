//! Filters of lists.

use crate::args::project::ProjectArg;
use clap::{Args, ValueEnum};

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OutcomeArg {
    Done,
    Denied,
    Failed,
    Cancelled,
    Pending,
    Unknown,
}

#[derive(Debug, Args)]
pub struct AuditListArgs {
    #[arg(long = "kind", value_name = "KIND")]
    pub record_kind: Option<String>,
    #[arg(long = "actor", value_name = "USER")]
    pub actor: Option<String>,
    #[arg(long = "outcome", value_enum, value_name = "OUTCOME")]
    pub ended: Option<OutcomeArg>,
    #[arg(long = "system", value_name = "SYSTEM")]
    pub of_system: Option<String>,
    #[arg(long = "path", value_name = "PATH")]
    pub of_path: Option<String>,
    #[arg(long = "from", value_name = "DAY")]
    pub first: Option<String>,
    #[arg(long = "until", value_name = "DAY")]
    pub last: Option<String>,
    #[arg(long = "search", value_name = "TEXT")]
    pub words: Option<String>,
    #[command(flatten)]
    pub project: ProjectArg,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RunStateArg {
    Running,
    Indeterminate,
    Succeeded,
    Failed,
    Cancelled,
}

#[derive(Debug, Args)]
pub struct ExecutionListArgs {
    #[arg(long = "state", value_enum, value_name = "STATE")]
    pub run_state: Option<RunStateArg>,
    #[arg(long = "actor", value_name = "USER")]
    pub actor: Option<String>,
    #[arg(long = "system", value_name = "SYSTEM")]
    pub of_system: Option<String>,
    #[arg(long = "from", value_name = "DAY")]
    pub first: Option<String>,
    #[arg(long = "until", value_name = "DAY")]
    pub last: Option<String>,
    #[arg(long = "search", value_name = "TEXT")]
    pub words: Option<String>,
    #[command(flatten)]
    pub project: ProjectArg,
}
