//! `profile`: what the user told of themselves in a project.

use crate::args::{project::ProjectArg, words::within};
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// `wiiiv profile ...`
#[derive(Debug, Subcommand)]
pub enum ProfileCommand {
    Show(ProjectArg),
    Set(ProfileSetArgs),
    Undo {
        #[arg(long = "to", id = "profile_version", value_name = "VERSION",
            value_parser = within(0..=u64::MAX))]
        to: Option<u64>,
        #[command(flatten)]
        project: ProjectArg,
    },
    History(ProjectArg),
    Export {
        #[arg(long, value_name = "FILE")]
        output: Option<PathBuf>,
        #[command(flatten)]
        project: ProjectArg,
    },
    Accept(ProfileAnswerArgs),
    Drop(ProfileAnswerArgs),
    Erase {
        #[arg(long = "yes", id = "profile_yes")]
        yes: bool,
        #[command(flatten)]
        project: ProjectArg,
    },
}

/// One slot, and what is to be done with it: without an option the value counts.
#[derive(Debug, Args)]
pub struct ProfileSetArgs {
    #[arg(id = "profile_slot", value_name = "SLOT")]
    pub slot: String,
    #[arg(id = "profile_value", value_name = "VALUE", allow_negative_numbers = true)]
    pub value: Option<String>,
    #[arg(long = "over", id = "profile_over", conflicts_with_all = ["profile_remove", "profile_clear"])]
    pub over: bool,
    #[arg(long = "remove", id = "profile_remove", conflicts_with = "profile_clear")]
    pub remove: bool,
    #[arg(long = "clear", id = "profile_clear", conflicts_with_all = ["profile_value", "profile_day"])]
    pub clear: bool,
    #[arg(long = "day", id = "profile_day", value_name = "YYYY-MM-DD")]
    pub day: Option<String>,
    #[command(flatten)]
    pub project: ProjectArg,
}

/// A change that waits.
#[derive(Debug, Args)]
pub struct ProfileAnswerArgs {
    #[arg(id = "profile_change", value_name = "NUMBER", value_parser = within(1..=u64::MAX))]
    pub change: u64,
    #[command(flatten)]
    pub project: ProjectArg,
}
