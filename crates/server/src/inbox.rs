//! Which questions a person sees: their own, and those of projects that they judge in.

use crate::{
    authorization::GET_APPROVAL, caller::Caller, dto::approval::ApprovalsQuery, problem::Problem,
    problem::ProblemCode, state::AppState,
};
use std::collections::BTreeMap;
use wiiiv_domain::ProjectId;
use wiiiv_store::{ApprovalFilter, ApprovalRow, Page};

/// Newest first. Every list is read from the same cursor, so their merged head is the page.
pub(crate) async fn inbox(
    state: &AppState,
    caller: &Caller,
    query: &ApprovalsQuery,
    page: Page,
) -> Result<Vec<ApprovalRow>, Problem> {
    let projects = match query.project {
        Some(project) => vec![ProjectId::from(project)],
        None => {
            let rows = state.store().projects_of(caller.user()).await?;
            rows.into_iter().map(|row| row.id).collect()
        }
    };
    let mut merged = BTreeMap::new();
    for project in projects {
        for row in of_project(state, caller, project, query, page).await? {
            merged.insert(row.request.id, row);
        }
    }
    let newest_first = merged.into_values().rev();
    let limit = page.limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(usize::MAX);
    Ok(newest_first.take(limit).collect())
}

/// All of it for a judge, one's own for any other member, nothing for a stranger.
async fn of_project(
    state: &AppState,
    caller: &Caller,
    project: ProjectId,
    query: &ApprovalsQuery,
    page: Page,
) -> Result<Vec<ApprovalRow>, Problem> {
    let who = match caller.judge((project, caller.user()), GET_APPROVAL).await {
        Ok(who) => who,
        Err(problem) if problem.code() == ProblemCode::NotFound => return Ok(Vec::new()),
        Err(problem) => return Err(problem),
    };
    let all = GET_APPROVAL.is_seen_with(who.rights());
    let filter = ApprovalFilter {
        project: Some(project),
        requester: (!all).then_some(who.user()),
        state: query.state.map(Into::into),
        page,
        ..ApprovalFilter::default()
    };
    Ok(state.store().approvals(&filter).await?)
}
