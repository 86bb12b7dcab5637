//! Which project a command is about.

use clap::Args;

#[derive(Debug, Clone, Args)]
pub struct ProjectArg {
    #[arg(long, value_name = "PROJECT")]
    pub project: Option<String>,
}
