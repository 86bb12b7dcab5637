//! Wire forms of runs.

use super::{
    approval::RevokedView, blueprint::effect_name, flow::run_outcome, localized::LocalizedText,
    mirror::mirror,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;
use wiiiv_domain::{OnBehalfOf, StepOutcome, UserId};
use wiiiv_gate::Resolution;
use wiiiv_store::{AttemptRow, BlueprintRow, ExecutionRow, ExecutionState, Revocation};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RunStateName {
    Running,
    /// The outcome of a step is unknown.
    Indeterminate,
    Succeeded,
    Failed,
    Cancelled,
}

mirror!(RunStateName => ExecutionState: Running, Indeterminate, Succeeded, Failed, Cancelled);

#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ExecutionsQuery {
    #[param(inline)]
    pub state: Option<RunStateName>,
    /// Who asked for it.
    pub requester: Option<Uuid>,
    /// Of plans that call this system, by its registered name or host. Only the newest plans are
    /// looked at: 2,000, fewer where they are long.
    pub system: Option<String>,
    /// First UTC day, `YYYY-MM-DD`.
    pub from: Option<String>,
    /// Last UTC day, `YYYY-MM-DD`.
    pub until: Option<String>,
    /// Part of the title or of the id, in any case; at most 200 characters. A search may end a page
    /// early: `next_cursor` says whether it goes on.
    pub q: Option<String>,
    /// Rows, 1 to 100; 50 by default.
    #[param(minimum = 1, maximum = 100)]
    pub limit: Option<u32>,
    /// `next_cursor` of the page before.
    pub cursor: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ExecutionView {
    pub id: Uuid,
    pub blueprint: Uuid,
    pub project: Uuid,
    pub session: Uuid,
    /// Whose conversation the session is: to nobody else it is there.
    pub founder: Uuid,
    pub requester: Uuid,
    pub requester_name: String,
    /// Whose yes it used, also one that was said beforehand, and one that was given back because nothing had
    /// begun; `null` where policy asks for none.
    pub approved_by: Option<Uuid>,
    pub approved_by_name: Option<String>,
    /// Whose right that person used, where it is another person's.
    pub on_behalf_of: Option<Uuid>,
    /// What whoever lent that right is called.
    pub on_behalf_of_name: Option<String>,
    /// Who else said a yes that it used, oldest first: where policy asks several people, all but the last one.
    pub also_approved_by: Vec<AlsoApproved>,
    /// Who took back a yes that it used, while it went on; why is with the request for approval.
    pub revoked: Option<RevokedView>,
    pub digest: String,
    /// The words that asked for it and what it does, such as `Save the list to a.csv · write`; to
    /// who neither asked nor may judge, and where those words are gone, the plan in one line.
    pub title: LocalizedText,
    pub task_type: String,
    /// The greatest of its steps: `READ`, `WRITE`, `DELETE` or `EXECUTE`.
    pub effect: &'static str,
    /// `running`, `indeterminate`, `succeeded`, `failed` or `cancelled`.
    pub state: &'static str,
    /// Why it failed.
    pub code: Option<String>,
    pub started_at: String,
    pub finished_at: Option<String>,
    /// Its decision record in the project's audit chain.
    pub decision: u64,
}

/// Who said the yes that a run used, and whose right that was, where it is another person's.
pub(crate) type UsedYes = (UserId, Option<OnBehalfOf>);

/// One of several people whose yes a run used.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AlsoApproved {
    pub user: Uuid,
    pub name: Option<String>,
    /// Whose right that person used, where it is another person's.
    pub on_behalf_of: Option<Uuid>,
    /// What whoever lent that right is called.
    pub on_behalf_of_name: Option<String>,
}

impl AlsoApproved {
    fn of((user, lent): &UsedYes, name: &dyn Fn(UserId) -> Option<String>) -> Self {
        let delegator = lent.map(|lent| lent.delegator);
        Self {
            user: user.uuid(),
            name: name(*user),
            on_behalf_of: delegator.map(|user| user.uuid()),
            on_behalf_of_name: delegator.and_then(name),
        }
    }
}

impl ExecutionView {
    /// `name`: what a person is called. `also`: the yeses before the last one.
    pub(crate) fn of(
        row: &ExecutionRow,
        plan: &BlueprintRow,
        title: LocalizedText,
        founder: UserId,
        (yes, also, revoked): (Option<UsedYes>, &[UsedYes], Option<Revocation>),
        name: &dyn Fn(UserId) -> Option<String>,
    ) -> Self {
        let code = row.outcome.as_ref().and_then(|outcome| run_outcome(outcome).1);
        let approver = yes.map(|(approver, _)| approver);
        let delegator = yes.and_then(|(_, lent)| lent).map(|lent| lent.delegator);
        Self {
            id: row.id.uuid(),
            blueprint: row.blueprint.uuid(),
            project: row.project.uuid(),
            session: row.session.uuid(),
            founder: founder.uuid(),
            requester: plan.requester.uuid(),
            requester_name: name(plan.requester).unwrap_or_default(),
            approved_by: approver.map(|user| user.uuid()),
            approved_by_name: approver.and_then(name),
            on_behalf_of: delegator.map(|user| user.uuid()),
            on_behalf_of_name: delegator.and_then(name),
            also_approved_by: also.iter().map(|yes| AlsoApproved::of(yes, name)).collect(),
            revoked: RevokedView::of(revoked, name),
            digest: row.digest.to_string(),
            title,
            task_type: plan.task_type.to_string(),
            effect: effect_name(plan.effect),
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
    /// The other origin that a redirect pointed to; it was not asked. The service chose it.
    pub redirected_to: Option<String>,
    pub output: Option<OutputView>,
    /// Its effect may have happened, and nobody has said whether.
    pub in_doubt: bool,
    /// It ended before anything was begun: nothing was sent, no file was touched.
    pub not_started: bool,
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
            redirected_to: None,
            output: None,
            in_doubt,
            not_started: row.outcome.as_ref().is_some_and(StepOutcome::is_not_started),
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
                view.redirected_to = failure.redirected_to;
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

mirror!(Word <=> Resolution: Happened, DidNotHappen, Abandon);

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
