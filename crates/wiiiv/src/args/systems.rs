//! `systems`: the services that a project may call.

use crate::args::project::ProjectArg;
use clap::{Args, Subcommand};
use std::path::PathBuf;
use wiiiv_domain::SystemName;

#[derive(Debug, Subcommand)]
pub enum SystemsCommand {
    List(ProjectArg),
    Show(SystemArg),
    Set {
        file: PathBuf,
        #[arg(long = "name", value_name = "SYSTEM", value_parser = SystemName::parse)]
        called: Option<SystemName>,
        #[arg(long, value_name = "FILE")]
        openapi: Option<PathBuf>,
        #[arg(long)]
        any_path: bool,
        #[command(flatten)]
        project: ProjectArg,
    },
    Remove(SystemArg),
    Credential {
        #[command(flatten)]
        system: SystemArg,
        #[arg(long, value_name = "NAME", conflicts_with = "remove")]
        username: Option<String>,
        #[arg(long, value_name = "FILE", conflicts_with = "remove")]
        secret_file: Option<PathBuf>,
        #[arg(long)]
        remove: bool,
    },
    Test(SystemArg),
}

#[derive(Debug, Args)]
pub struct SystemArg {
    #[arg(value_parser = SystemName::parse)]
    pub system: SystemName,
    #[command(flatten)]
    pub project: ProjectArg,
}
