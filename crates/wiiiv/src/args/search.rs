//! Filters of lists.

use crate::args::project::ProjectArg;
use clap::Args;

/// How a record ended, as the server calls it.
const OUTCOMES: [&str; 6] = ["done", "denied", "failed", "cancelled", "pending", "unknown"];
/// States of an execution, as the server calls them.
const RUN_STATES: [&str; 5] = ["running", "indeterminate", "succeeded", "failed", "cancelled"];

#[derive(Debug, Args)]
pub struct AuditListArgs {
    #[arg(long = "kind", value_name = "KIND")]
    pub record_kind: Option<String>,
    #[arg(long = "actor", value_name = "USER")]
    pub actor: Option<String>,
    #[arg(long = "outcome", value_name = "OUTCOME", value_parser = OUTCOMES)]
    pub ended: Option<String>,
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

#[derive(Debug, Args)]
pub struct ExecutionListArgs {
    #[arg(long = "state", value_name = "STATE", value_parser = RUN_STATES)]
    pub run_state: Option<String>,
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
