//! Runs of plans.

use super::{flow::run_outcome, localized::LocalizedText};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;
use wiiiv_domain::{Blueprint, StepOutcome, TaskType, UserId};
use wiiiv_gate::Resolution;
use wiiiv_hlx::headline;
use wiiiv_store::{AttemptRow, ExecutionRow};

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ExecutionView {
    pub id: Uuid,
    pub blueprint: Uuid,
    pub project: Uuid,
    pub session: Uuid,
    /// Whose conversation the session is: to nobody else it is there.
    pub founder: Uuid,
    pub digest: String,
    /// The plan in one line, from its own data: its one step, or what its steps come to.
    pub title: LocalizedText,
    pub task_type: String,
    /// `running`, `indeterminate`, `succeeded`, `failed` or `cancelled`.
    pub state: &'static str,
    /// Why it failed.
    pub code: Option<String>,
    pub started_at: String,
    pub finished_at: Option<String>,
    /// Its decision record in the project's audit chain.
    pub decision: u64,
}

/// What a run's row does not hold itself.
pub(crate) struct Told<'a> {
    pub founder: UserId,
    pub task_type: TaskType,
    /// `None` where its texts have gone with retention.
    pub text: Option<&'a Blueprint>,
}

impl ExecutionView {
    pub(crate) fn of(row: &ExecutionRow, told: Told<'_>) -> Self {
        let code = row.outcome.as_ref().and_then(|outcome| run_outcome(outcome).1);
        let untold = || LocalizedText::same(&told.task_type.to_string());
        Self {
            id: row.id.uuid(),
            blueprint: row.blueprint.uuid(),
            project: row.project.uuid(),
            session: row.session.uuid(),
            founder: told.founder.uuid(),
            digest: row.digest.to_string(),
            title: told.text.map_or_else(untold, |plan| headline(plan).into()),
            task_type: told.task_type.to_string(),
            state: row.state.as_str(),
            code: code.map(str::to_owned),
            started_at: row.started_at.to_string(),
            finished_at: row.finished_at.map(|at| at.to_string()),
            decision: row.decision,
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ExecutionDetail {
    #[serde(flatten)]
    pub execution: ExecutionView,
    /// By step, then attempt.
    pub attempts: Vec<AttemptView>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AttemptView {
    pub step: String,
    pub attempt: u32,
    /// `running`, `succeeded`, `failed` or `cancelled`.
    pub state: &'static str,
    /// Why it failed.
    pub code: Option<String>,
    pub message: Option<String>,
    pub output: Option<OutputView>,
    /// Its effect may have happened, and nobody has said whether.
    pub in_doubt: bool,
    /// A person's word on it: `happened`, `did_not_happen` or `abandon`.
    pub resolution: Option<Word>,
    pub started_at: String,
    pub finished_at: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct OutputView {
    pub digest: String,
    pub size_bytes: u64,
    pub media_type: String,
    /// Came from outside.
    pub foreign: bool,
    /// HTTP status, where there is one.
    pub status: Option<u16>,
}

impl AttemptView {
    /// `waits`: the execution waits for a person. A step of one that runs is not in doubt yet.
    pub(crate) fn of(row: AttemptRow, waits: bool) -> Self {
        let in_doubt = waits && row.in_doubt();
        let mut view = Self {
            step: row.step.to_string(),
            attempt: row.attempt,
            state: "running",
            code: None,
            message: None,
            output: None,
            in_doubt,
            resolution: row.resolution.map(Word::from),
            started_at: row.started_at.to_string(),
            finished_at: row.finished_at.map(|at| at.to_string()),
        };
        match row.outcome {
            None => {}
            Some(StepOutcome::Success { output }) => {
                view.state = "succeeded";
                view.output = Some(OutputView {
                    digest: output.digest.to_string(),
                    size_bytes: output.size_bytes,
                    media_type: output.media_type,
                    foreign: output.foreign,
                    status: output.status,
                });
            }
            Some(StepOutcome::Failure { failure }) => {
                view.state = "failed";
                view.code = Some(failure.code);
                view.message = Some(failure.message);
            }
            Some(StepOutcome::Cancelled { source }) => {
                view.state = "cancelled";
                view.code = Some(source);
            }
        }
        view
    }
}

/// What became of an effect that was in doubt.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Word {
    /// It happened: the run goes on behind it.
    Happened,
    /// It did not: the step is tried again.
    DidNotHappen,
    /// The run ends here.
    Abandon,
}

impl From<Word> for Resolution {
    fn from(word: Word) -> Self {
        match word {
            Word::Happened => Self::Happened,
            Word::DidNotHappen => Self::DidNotHappen,
            Word::Abandon => Self::Abandon,
        }
    }
}

impl From<Resolution> for Word {
    fn from(resolution: Resolution) -> Self {
        match resolution {
            Resolution::Happened => Self::Happened,
            Resolution::DidNotHappen => Self::DidNotHappen,
            Resolution::Abandon => Self::Abandon,
        }
    }
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Resolve {
    pub r#as: Word,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CancelledRun {
    /// The turn in which it ends.
    pub turn: Uuid,
}
