//! The option that names a command's project.

use clap::Args;

#[derive(Debug, Clone, Args)]
pub struct ProjectArg {
    #[arg(long, value_name = "PROJECT")]
    pub project: Option<String>,
}
