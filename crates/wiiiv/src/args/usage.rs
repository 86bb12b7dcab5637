//! `usage`: usage of a project's models, and the rest of its budgets.

use crate::args::project::ProjectArg;
use clap::{Args, ValueEnum};

#[derive(Debug, Clone, Args)]
pub struct UsageArgs {
    #[arg(long = "by", value_enum, value_delimiter = ',', value_name = "WHAT")]
    pub grouped_by: Vec<UsageByArg>,
    #[arg(long = "from", value_name = "DAY")]
    pub first_day: Option<String>,
    #[arg(long = "until", value_name = "DAY")]
    pub last_day: Option<String>,
    #[command(flatten)]
    pub project: ProjectArg,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum UsageByArg {
    Day,
    Model,
    User,
    Project,
}

impl UsageByArg {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Day => "day",
            Self::Model => "model",
            Self::User => "user",
            Self::Project => "project",
        }
    }
}
