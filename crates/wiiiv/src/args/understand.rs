//! Arguments of `understand`.

use clap::Args;
use std::str::FromStr;
use wiiiv_domain::{SlotName, TaskType};

#[derive(Debug, Args)]
pub struct UnderstandArgs {
    pub text: String,
    #[arg(long)]
    pub earlier: bool,
    #[arg(long, value_name = "TASK:SLOT,SLOT")]
    pub asked: Option<PendingQuestion>,
}

/// A task that waits for these slots; none of them: for a yes or a no.
#[derive(Debug, Clone)]
pub struct PendingQuestion {
    pub task: TaskType,
    pub missing: Vec<SlotName>,
}

#[derive(Debug, thiserror::Error)]
#[error("write it as `FILE_WRITE:targetPath,content`")]
pub struct QuestionSyntax;

impl FromStr for PendingQuestion {
    type Err = QuestionSyntax;
    fn from_str(text: &str) -> Result<Self, QuestionSyntax> {
        let (task, slots) = text.split_once(':').unwrap_or((text, ""));
        let task =
            TaskType::ALL.into_iter().find(|known| known.as_str() == task).ok_or(QuestionSyntax)?;
        let named = slots.split(',').map(str::trim).filter(|slot| !slot.is_empty());
        let missing =
            named.map(SlotName::parse).collect::<Result<_, _>>().map_err(|_| QuestionSyntax)?;
        Ok(Self { task, missing })
    }
}
