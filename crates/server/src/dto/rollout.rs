//! Wire forms of a project's rollout: figures, divergences with their reviews, waivers. Rates: `rates.rs`.

use super::{mirror::mirror, qualification::QualificationView, why::OpinionView};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;
use wiiiv_domain::{Consensus, DacsStage, TaskType};
use wiiiv_gate::rollout::{BOUND_MAX_PPM, PromotionRefusal, RolloutFigures};
use wiiiv_store::DivergenceVerdict;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum StageName {
    /// The review is recorded, and binds what is risky.
    Observe,
    /// The review binds everything.
    Enforce,
}

mirror!(StageName <=> DacsStage: Observe, Enforce);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum PromotionReason {
    /// The bound on false denials is over 2 %: too few were reviewed, or too many were wrong.
    BoundExceeded,
    /// Divergences wait for a person's verdict.
    DivergencesUnreviewed,
    /// No live GHOST suite is on record that is green for this build, model and these rules.
    NoGhostRun,
}

mirror!(PromotionRefusal => PromotionReason: BoundExceeded, DivergencesUnreviewed, NoGhostRun);

/// Reviews of requests that are not risky, by the rules of this build; the same one counts once.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct FiguresView {
    pub evaluated: u64,
    /// Of these, the ones that the review did not let through.
    pub divergences: u64,
    /// Of these, the ones that no person has looked at.
    pub unreviewed: u64,
    /// Of these, the ones that a person found wrong: false denials.
    pub wrong: u64,
    /// Exact upper bound on the rate of false denials at 95 % confidence, in parts per million.
    pub bound_ppm: u32,
    /// What it may be at most: 2 %.
    pub bound_max_ppm: u32,
}

impl From<RolloutFigures> for FiguresView {
    fn from(figures: RolloutFigures) -> Self {
        let RolloutFigures { evaluated, divergences, unreviewed, wrong } = figures;
        Self {
            evaluated,
            divergences,
            unreviewed,
            wrong,
            bound_ppm: figures.bound_ppm(),
            bound_max_ppm: BOUND_MAX_PPM,
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RolloutView {
    pub stage: StageName,
    /// The policy version that is judged; the `ETag` as well.
    pub policy: Uuid,
    pub figures: FiguresView,
    /// What speaks against a promotion now, a waiver left aside.
    pub reasons: Vec<PromotionReason>,
    /// A promotion would be taken now: nothing speaks against it, or a whole waiver covers what does.
    pub may_be_promoted: bool,
    /// The ledger on the governor's model; `null`: the built-in understanding, which no live run is of.
    pub run: Option<QualificationView>,
    pub waiver: Option<WaiverView>,
    /// The project enforces, and people found more denials wrong than the bound allows.
    pub alarm: bool,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct WaiverView {
    pub id: Uuid,
    /// A person's own words.
    pub reason: String,
    pub asked_by: Uuid,
    pub asked_by_name: Option<String>,
    pub asked_at: String,
    pub expires_at: String,
    /// `null`: it waits for its second approver.
    pub joined_by: Option<Uuid>,
    pub joined_by_name: Option<String>,
    pub joined_at: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum VerdictOnDivergence {
    /// The review was right: it should not run.
    Right,
    /// It should have been allowed: a false denial.
    Wrong,
}

mirror!(VerdictOnDivergence <=> DivergenceVerdict: Right, Wrong);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ReviewFilter {
    Unreviewed,
    Right,
    Wrong,
}

impl ReviewFilter {
    pub(crate) fn fits(self, verdict: Option<DivergenceVerdict>) -> bool {
        let wanted = match self {
            Self::Unreviewed => None,
            Self::Right => Some(DivergenceVerdict::Right),
            Self::Wrong => Some(DivergenceVerdict::Wrong),
        };
        verdict == wanted
    }
}

/// Everything that is given has to hold.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct DivergenceQuery {
    /// What people found.
    #[param(inline)]
    pub review: Option<ReviewFilter>,
    /// `NO` or `REVISION`.
    #[param(value_type = Option<String>)]
    pub consensus: Option<Consensus>,
    /// A code of a persona's concern.
    pub concern: Option<String>,
    /// The stage that it was made in.
    #[param(inline)]
    pub stage: Option<StageName>,
    /// `FILE_WRITE`, ...
    #[param(value_type = Option<String>)]
    pub task_type: Option<TaskType>,
    /// Of conversations that this person began.
    pub requester: Option<Uuid>,
    /// The project's model at the time, as `PROVIDER:model` or by its name alone.
    pub model: Option<String>,
    /// First UTC day of its first review, `YYYY-MM-DD`.
    pub from: Option<String>,
    /// Last UTC day of its first review, `YYYY-MM-DD`.
    pub until: Option<String>,
    /// Rows, 1 to 100; 50 by default.
    #[param(minimum = 1, maximum = 100)]
    pub limit: Option<u32>,
    /// `next_cursor` of the page before.
    pub cursor: Option<String>,
}

/// A request that enforcement decides otherwise, or did.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DivergenceView {
    /// The record of its first review, in the project's audit.
    pub record: u64,
    pub at: String,
    /// How often the same was asked.
    pub times: u64,
    /// `NO` or `REVISION`.
    #[schema(value_type = String)]
    pub consensus: Consensus,
    /// The stage that it was made in.
    pub stage: StageName,
    /// It was made by the rules of this build, and so is in the figures.
    pub counts: bool,
    pub opinions: Vec<OpinionView>,
    /// The plan that was drawn of it all the same.
    pub blueprint: Option<Uuid>,
    /// `null`: an earlier build recorded it, and there is no plan.
    pub task_type: Option<String>,
    /// `PROVIDER:model`: the project's at the time; `null`: an earlier build recorded it.
    pub model: Option<String>,
    /// Whoever began the conversation.
    pub requester: Option<Uuid>,
    pub requester_name: Option<String>,
    /// The conversation, for whoever began it and for whoever reads the project's audit.
    pub session: Option<Uuid>,
    /// The turn of its first review, for the same people; `null`: an earlier build recorded it.
    pub turn: Option<Uuid>,
    /// The newest; `null`: nobody has looked at it.
    pub verdict: Option<VerdictOnDivergence>,
    /// Newest first.
    pub reviews: Vec<ReviewOfDivergence>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ReviewOfDivergence {
    pub verdict: VerdictOnDivergence,
    /// A person's own words; may be empty.
    pub note: String,
    pub by: Uuid,
    pub by_name: Option<String>,
    pub at: String,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CreateReview {
    pub verdict: VerdictOnDivergence,
    /// At most 2,000 characters.
    #[serde(default)]
    pub note: String,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct StageReason {
    /// 1 to 2,000 characters; kept with what it is the reason of.
    pub reason: String,
}

/// Nothing: the waiver has its reason.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct JoinWaiver {}
