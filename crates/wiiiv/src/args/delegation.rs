//! `approvals delegate` and `undelegate`: a right to approve, lent for a time.

use crate::{
    args::{project::ProjectArg, words::instant},
    short_id::IdArg,
};
use clap::Args;
use wiiiv_domain::Timestamp;

#[derive(Debug, Args)]
pub struct DelegateArgs {
    #[arg(id = "delegate_to", value_name = "USER")]
    pub to: String,
    #[arg(id = "delegation_until", long = "until", value_name = "TIME", value_parser = instant)]
    pub until: Timestamp,
    #[arg(id = "delegation_from", long = "from", value_name = "TIME", value_parser = instant)]
    pub from: Option<Timestamp>,
    #[arg(id = "delegation_reason", long = "reason", value_name = "TEXT")]
    pub reason: String,
    #[command(flatten)]
    pub project: ProjectArg,
}

#[derive(Debug, Args)]
pub struct UndelegateArgs {
    pub delegation: IdArg,
    #[command(flatten)]
    pub project: ProjectArg,
}
