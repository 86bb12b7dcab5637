//! Which questions a person sees: their own, and those of projects that they judge in.

use crate::{
    caller::Caller,
    dto::approval::{ApprovalView, ApprovalsQuery, Asked, RequesterName},
    problem::{Problem, ProblemCode},
    state::AppState,
};
use wiiiv_domain::{BlueprintId, ProjectId, UserId};
use wiiiv_store::{ApprovalFilter, ApprovalRow, Page, Visible};

/// Newest first. A token that may only look judges nowhere, so it sees its owner's own questions.
pub(crate) async fn inbox(
    state: &AppState,
    caller: &Caller,
    query: &ApprovalsQuery,
    page: Page,
) -> Result<Vec<ApprovalRow>, Problem> {
    let judges = caller.acts_in_full().await?;
    let mine = |wanted| (query.requester == wanted).then(|| caller.user());
    let filter = ApprovalFilter {
        visible: Some(Visible { to: caller.user(), judges }),
        project: query.project.map(ProjectId::from),
        requester: mine(Some(RequesterName::Me)),
        not_requester: mine(Some(RequesterName::Others)),
        state: query.state.map(Into::into),
        page,
        ..ApprovalFilter::default()
    };
    Ok(state.store().approvals(&filter).await?)
}

/// With the names of people and projects, and what each plan comes to.
pub(crate) async fn views(
    state: &AppState,
    rows: Vec<ApprovalRow>,
) -> Result<Vec<(ApprovalRow, ApprovalView)>, Problem> {
    let store = state.store();
    let users: Vec<UserId> = rows.iter().map(|row| row.request.requester).collect();
    let users = store.user_names(&users).await?;
    let projects: Vec<ProjectId> = rows.iter().map(|row| row.request.project).collect();
    let projects = store.project_names(&projects).await?;
    let plans: Vec<BlueprintId> = rows.iter().map(|row| row.request.blueprint).collect();
    let texts = store.blueprints_of(&plans).await?;
    let mut seen = Vec::new();
    for row in rows {
        let id = row.request.blueprint;
        let plan = store.blueprint_row(id).await?.ok_or(ProblemCode::Internal)?;
        let asked = Asked {
            requester_name: users.get(&row.request.requester).cloned().unwrap_or_default(),
            project_name: projects.get(&row.request.project).cloned().unwrap_or_default(),
            text: texts.get(&id).map(|stored| &stored.blueprint),
            plan,
        };
        let view = ApprovalView::of(&row, asked);
        seen.push((row, view));
    }
    Ok(seen)
}
