//! `approvals`: open questions, and the answers to them.

use crate::args::{
    delegation::{DelegateArgs, UndelegateArgs},
    grant::{GrantArgs, RevokeGrantArgs},
    project::ProjectArg,
    webhook::WebhookCommand,
    words::named_value,
};
use crate::short_id::IdArg;
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// As the server calls them.
const APPROVAL_STATES: [&str; 7] =
    ["pending", "approved", "rejected", "expired", "withdrawn", "edited", "consumed"];

#[derive(Debug, Subcommand)]
pub enum ApprovalsCommand {
    List {
        #[arg(long, value_name = "STATE", value_parser = APPROVAL_STATES)]
        state: Option<String>,
    },
    Show {
        approval: IdArg,
    },
    Approve {
        #[command(flatten)]
        decide: DecideArgs,
        #[arg(long)]
        no_wait: bool,
    },
    Reject {
        #[command(flatten)]
        decide: DecideArgs,
        #[arg(long, value_name = "TEXT", default_value = "")]
        reason: String,
    },
    Revoke {
        approval: IdArg,
        #[arg(long, id = "revoke_reason", value_name = "TEXT")]
        reason: String,
    },
    Edit(EditArgs),
    Grant(GrantArgs),
    Grants(ProjectArg),
    RevokeGrant(RevokeGrantArgs),
    Delegate(DelegateArgs),
    Delegations(ProjectArg),
    Undelegate(UndelegateArgs),
    #[command(subcommand)]
    Webhook(WebhookCommand),
}

#[derive(Debug, Args)]
pub struct DecideArgs {
    pub approval: IdArg,
    #[arg(long, value_name = "DIGEST")]
    pub digest: Option<String>,
}

#[derive(Debug, Args)]
pub struct EditArgs {
    #[command(flatten)]
    pub decide: DecideArgs,
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = named_value)]
    #[arg(required_unless_present = "values_from")]
    pub values: Vec<(String, String)>,
    #[arg(long = "set-file", value_name = "NAME=FILE", value_parser = named_file)]
    pub values_from: Vec<(String, PathBuf)>,
    #[arg(long, id = "edit_note", value_name = "TEXT", default_value = "")]
    pub note: String,
}

fn named_file(text: &str) -> Result<(String, PathBuf), &'static str> {
    named_value(text).map(|(name, file)| (name, PathBuf::from(file)))
}
