//! Wire forms of what reviews of a time came to: rates, and whether what was reviewed ran.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;
use wiiiv_gate::rollout::WHOLE_PPM;
use wiiiv_store::ReviewCounts;

#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct RatesQuery {
    /// First UTC day, `YYYY-MM-DD`; 30 days by default.
    pub from: Option<String>,
    /// Last UTC day, `YYYY-MM-DD`; today by default. 90 days at most.
    pub until: Option<String>,
}

/// Requests that are not risky and were first reviewed in these days, by whatever rules; the same one counts once.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RatesView {
    /// UTC days, both included.
    pub from: String,
    pub until: String,
    pub total: ReviewCountsView,
    pub by_task_type: Vec<ReviewRateView>,
    pub by_model: Vec<ReviewRateView>,
    /// Days without a request are left out.
    pub by_day: Vec<ReviewRateView>,
    pub matrix: ReviewMatrixView,
    /// The newest 50,000 reviews of the project and the first 50,000 plans of that time were read: there are more.
    pub truncated: bool,
}

/// One group; what it is not grouped by is `null`, and so is what an earlier build did not record.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ReviewRateView {
    pub task_type: Option<&'static str>,
    /// `PROVIDER:model`: the project's at the time.
    pub model: Option<String>,
    pub day: Option<String>,
    pub counts: ReviewCountsView,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ReviewCountsView {
    pub evaluated: u64,
    /// Of these, the ones that the review did not let through.
    pub divergences: u64,
    /// Their share of all, in parts per million, rounded up.
    pub divergences_ppm: u32,
    /// Of the divergences, the ones that a person found right to deny.
    pub right: u64,
    /// The ones that a person found wrong to deny.
    pub wrong: u64,
    /// The ones that no person has looked at.
    pub unreviewed: u64,
}

impl From<ReviewCounts> for ReviewCountsView {
    fn from(counts: ReviewCounts) -> Self {
        let ReviewCounts { evaluated, divergences, right, wrong, unreviewed } = counts;
        let parts = divergences.saturating_mul(u64::from(WHOLE_PPM)).div_ceil(evaluated.max(1));
        let divergences_ppm = u32::try_from(parts).unwrap_or(WHOLE_PPM);
        Self { evaluated, divergences, divergences_ppm, right, wrong, unreviewed }
    }
}

/// What the review said of each request, and what happened.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ReviewMatrixView {
    pub let_through: MatrixRowView,
    /// The review objected: enforcement denies it.
    pub divergent: MatrixRowView,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct MatrixRowView {
    /// A run of it was begun.
    pub ran: MatrixCellView,
    /// It was denied, rejected or given up, or it still waits.
    pub not_run: MatrixCellView,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct MatrixCellView {
    pub count: u64,
    /// The newest 20, where the review and what happened differ; elsewhere none.
    pub turns: Vec<MatrixTurnView>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct MatrixTurnView {
    /// The record of its first review, in the project's audit.
    pub record: u64,
    pub at: String,
    /// `null`: an earlier build recorded it, and there is no plan.
    pub task_type: Option<&'static str>,
    /// Its newest plan.
    pub blueprint: Option<Uuid>,
    /// The conversation, for whoever began it and for whoever reads the project's audit.
    pub session: Option<Uuid>,
    /// The turn of its first review, for the same people; `null`: an earlier build recorded it.
    pub turn: Option<Uuid>,
}
