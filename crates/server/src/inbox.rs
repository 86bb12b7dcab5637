//! Which questions a person sees: their own, and those of projects that they judge in.

use crate::{caller::Caller, dto::approval::ApprovalsQuery, problem::Problem, state::AppState};
use wiiiv_domain::ProjectId;
use wiiiv_store::{ApprovalFilter, ApprovalRow, Page, Visible};

/// Newest first. A token that may only look judges nowhere, so it sees its owner's own questions.
pub(crate) async fn inbox(
    state: &AppState,
    caller: &Caller,
    query: &ApprovalsQuery,
    page: Page,
) -> Result<Vec<ApprovalRow>, Problem> {
    let judges = caller.acts_in_full().await?;
    let filter = ApprovalFilter {
        visible: Some(Visible { to: caller.user(), judges }),
        project: query.project.map(ProjectId::from),
        state: query.state.map(Into::into),
        page,
        ..ApprovalFilter::default()
    };
    Ok(state.store().approvals(&filter).await?)
}
