//! `rollout`: where a project stands, what enforcement decides otherwise, and the change of its stage.

use crate::args::{
    project::ProjectArg,
    words::{one_of, within},
};
use clap::{Args, Subcommand};
use wiiiv_domain::TaskType;

/// As the server calls them.
const VERDICTS: [&str; 2] = ["right", "wrong"];
const REVIEWS: [&str; 3] = ["unreviewed", "right", "wrong"];
const CONSENSUS: [&str; 2] = ["NO", "REVISION"];
const STAGES: [&str; 2] = ["observe", "enforce"];

#[derive(Debug, Subcommand)]
pub enum RolloutCommand {
    Show(ProjectArg),
    Figures(FiguresArgs),
    Divergences(DivergencesArgs),
    Review(ReviewArgs),
    Waive(WaiveArgs),
    Promote(StageArgs),
    Demote(StageArgs),
}

/// UTC days, both included.
#[derive(Debug, Args)]
pub struct FiguresArgs {
    #[arg(long = "from", value_name = "DAY")]
    pub first_day: Option<String>,
    #[arg(long = "until", value_name = "DAY")]
    pub last_day: Option<String>,
    #[command(flatten)]
    pub project: ProjectArg,
}

#[derive(Debug, Args)]
pub struct DivergencesArgs {
    #[arg(long = "review", id = "review_state", value_name = "STATE", value_parser = REVIEWS)]
    pub review: Option<String>,
    #[arg(long, value_name = "CONSENSUS", value_parser = CONSENSUS)]
    pub consensus: Option<String>,
    #[arg(long, value_name = "CODE", value_parser = code)]
    pub concern: Option<String>,
    #[arg(long = "stage", id = "made_in", value_name = "STAGE", value_parser = STAGES)]
    pub stage: Option<String>,
    #[arg(long = "type", id = "of_type", value_name = "TYPE",
        value_parser = one_of(TaskType::ALL, TaskType::as_str))]
    pub of_type: Option<TaskType>,
    #[arg(long = "model", id = "of_model", value_name = "MODEL")]
    pub of_model: Option<String>,
    #[arg(long = "actor", id = "requested_by", value_name = "USER")]
    pub requester: Option<String>,
    #[arg(long = "from", value_name = "DAY")]
    pub first: Option<String>,
    #[arg(long = "until", value_name = "DAY")]
    pub last: Option<String>,
    #[command(flatten)]
    pub project: ProjectArg,
}

/// It goes into an address as it is.
fn code(text: &str) -> Result<String, &'static str> {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    match !text.is_empty() && text.chars().all(plain) {
        true => Ok(text.to_owned()),
        false => Err("a code is letters, digits and `_`"),
    }
}

#[derive(Debug, Args)]
pub struct ReviewArgs {
    #[arg(value_name = "RECORD", value_parser = within(0..=u64::MAX))]
    pub record: u64,
    #[arg(id = "finding", value_name = "VERDICT", value_parser = VERDICTS)]
    pub verdict: String,
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub note: String,
    #[command(flatten)]
    pub project: ProjectArg,
}

/// The first approver gives the reason, the second one joins.
#[derive(Debug, Args)]
pub struct WaiveArgs {
    #[arg(long, value_name = "TEXT", conflicts_with = "join", required_unless_present = "join")]
    pub reason: Option<String>,
    #[arg(long)]
    pub join: bool,
    #[command(flatten)]
    pub project: ProjectArg,
}

#[derive(Debug, Args)]
pub struct StageArgs {
    #[arg(long, value_name = "TEXT")]
    pub reason: String,
    #[arg(long, value_name = "VERSION")]
    pub expected: Option<String>,
    #[command(flatten)]
    pub project: ProjectArg,
}
