//! `projects`, `users` and `tokens`: members, accounts and log-ins.

use crate::{args::project::ProjectArg, short_id::IdArg};
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// As the server calls them.
const ROLES: [&str; 4] = ["owner", "editor", "approver", "viewer"];

#[derive(Debug, Subcommand)]
pub enum ProjectsCommand {
    List,
    Create {
        #[arg(id = "project_name", value_name = "NAME")]
        name: String,
        #[arg(long, id = "first_stage", value_name = "STAGE", value_parser = ["observe", "enforce"])]
        stage: Option<String>,
    },
    Members(MembersArgs),
}

#[derive(Debug, Args)]
pub struct MembersArgs {
    #[command(flatten)]
    pub project: ProjectArg,
    #[arg(long, value_name = "USER", requires = "role", conflicts_with = "remove_member")]
    pub add: Option<String>,
    #[arg(long, value_name = "ROLE", requires = "add", value_parser = ROLES)]
    pub role: Vec<String>,
    #[arg(long = "remove", id = "remove_member", value_name = "USER")]
    pub remove: Option<String>,
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
    Close {
        #[arg(id = "account", value_name = "USER")]
        user: String,
    },
    Open {
        #[arg(id = "account", value_name = "USER")]
        user: String,
    },
    Password(PasswordArgs),
}

#[derive(Debug, Args)]
pub struct PasswordArgs {
    #[arg(id = "whose", value_name = "USER", conflicts_with_all = ["old_password_file", "keep_others"])]
    pub user: Option<String>,
    #[arg(long, value_name = "FILE")]
    pub old_password_file: Option<PathBuf>,
    #[arg(long, value_name = "FILE")]
    pub new_password_file: Option<PathBuf>,
    #[arg(long)]
    pub keep_others: bool,
}

#[derive(Debug, Subcommand)]
pub enum TokensCommand {
    List,
    End {
        #[arg(required_unless_present = "others")]
        token: Option<IdArg>,
        #[arg(long, conflicts_with = "token")]
        others: bool,
    },
}
