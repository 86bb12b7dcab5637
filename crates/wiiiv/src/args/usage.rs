//! `usage`: usage of a project's models, and the rest of its budgets.

use crate::args::project::ProjectArg;
use clap::Args;

/// All of a person's projects in place of one.
pub const BY_PROJECT: &str = "project";
/// As the server calls them.
const GROUPS: [&str; 4] = ["day", "model", "user", BY_PROJECT];

#[derive(Debug, Clone, Args)]
pub struct UsageArgs {
    #[arg(long = "by", value_parser = GROUPS, value_delimiter = ',', value_name = "WHAT")]
    pub grouped_by: Vec<String>,
    #[arg(long = "from", value_name = "DAY")]
    pub first_day: Option<String>,
    #[arg(long = "until", value_name = "DAY")]
    pub last_day: Option<String>,
    #[command(flatten)]
    pub project: ProjectArg,
}
