//! `projects` and `users`: who works where, and as what.

use super::ProjectArg;
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub enum ProjectsCommand {
    List,
    Create {
        #[arg(id = "project_name", value_name = "NAME")]
        name: String,
    },
    Members(MembersArgs),
}

#[derive(Debug, Args)]
pub struct MembersArgs {
    #[command(flatten)]
    pub project: ProjectArg,
    #[arg(long, value_name = "USER", requires = "role", conflicts_with = "remove_member")]
    pub add: Option<String>,
    #[arg(long, value_enum, value_name = "ROLE", requires = "add")]
    pub role: Vec<RoleArg>,
    #[arg(long = "remove", id = "remove_member", value_name = "USER")]
    pub remove: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RoleArg {
    Owner,
    Editor,
    Approver,
    Viewer,
}

impl RoleArg {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Owner => "owner",
            Self::Editor => "editor",
            Self::Approver => "approver",
            Self::Viewer => "viewer",
        }
    }
}

#[derive(Debug, Subcommand)]
pub enum UsersCommand {
    List,
    Create {
        name: String,
        #[arg(long, value_name = "FILE")]
        password_file: Option<PathBuf>,
        #[arg(long)]
        admin: bool,
    },
}
