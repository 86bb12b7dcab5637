//! `init`: the first run of a server, from the terminal.

use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct InitArgs {
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    #[arg(long, value_name = "FILE")]
    pub password_file: Option<PathBuf>,
    #[arg(long, value_name = "FILE")]
    pub setup_token_file: Option<PathBuf>,
    #[arg(long, value_name = "PROVIDER", conflicts_with = "skip_provider")]
    pub provider: Option<String>,
    #[arg(long, value_name = "MODEL", requires = "provider")]
    pub model: Option<String>,
    #[arg(long, value_name = "URL", requires = "provider")]
    pub base_url: Option<String>,
    #[arg(long)]
    pub skip_provider: bool,
    #[arg(long)]
    pub skip_test: bool,
}
