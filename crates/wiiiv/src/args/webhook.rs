//! `approvals webhook`: where a project's requests for approval are told of.

use crate::args::project::ProjectArg;
use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub enum WebhookCommand {
    Show(ProjectArg),
    Set {
        #[arg(id = "webhook_url", value_name = "URL")]
        url: String,
        #[command(flatten)]
        project: ProjectArg,
    },
    Remove(ProjectArg),
}
