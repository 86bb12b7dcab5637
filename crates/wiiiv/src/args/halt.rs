//! `halt`, `resume`: of a conversation, a project or the server.

use crate::short_id::IdArg;
use clap::Args;

/// One of the three. `--server` is the address of a server with every command.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub struct HaltScopeArgs {
    #[arg(long = "session", id = "halt_session", value_name = "SESSION")]
    pub session: Option<IdArg>,
    #[arg(long = "project", id = "halt_project", value_name = "PROJECT")]
    pub project: Option<String>,
    #[arg(long)]
    pub whole_server: bool,
}

#[derive(Debug, Args)]
pub struct HaltArgs {
    #[command(flatten)]
    pub scope: HaltScopeArgs,
    #[arg(long, id = "halt_reason", value_name = "TEXT")]
    pub reason: String,
}
