//! The questions that a person sees: their own, those of projects where they may approve, and what was lent to
//! them.

use crate::{
    access::caller::Caller,
    dto::approval::{ApprovalView, ApprovalsQuery, RequesterName},
    problem::{Problem, ProblemCode},
    state::AppState,
    view::overturned::{Answer, overturned},
};
use std::collections::BTreeMap;
use wiiiv_domain::{ApprovalId, BlueprintId, OnBehalfOf, ProjectId, UserId};
use wiiiv_store::{ApprovalFilter, ApprovalRow, Page, QuorumYes, Visible};

/// Newest first. A token that may only look judges nowhere, so it sees its owner's own questions.
pub(crate) async fn inbox(
    caller: &Caller,
    query: &ApprovalsQuery,
    page: Page,
) -> Result<Vec<ApprovalRow>, Problem> {
    let judges = caller.acts_in_full().await?;
    let administers = judges && caller.account.rights().admin;
    let mine = |wanted| (query.requester == wanted).then(|| caller.user());
    let filter = ApprovalFilter {
        visible: Some(Visible { to: caller.user(), judges, administers }),
        project: query.project.map(ProjectId::from),
        requester: mine(Some(RequesterName::Me)),
        not_requester: mine(Some(RequesterName::Others)),
        state: query.state.map(Into::into),
        page,
        ..ApprovalFilter::default()
    };
    Ok(caller.state.store().approvals(&filter).await?)
}

/// With the names of people and projects, and what each plan comes to.
pub(crate) async fn views(
    state: &AppState,
    rows: Vec<ApprovalRow>,
) -> Result<Vec<(ApprovalRow, ApprovalView)>, Problem> {
    let store = state.store();
    let yeses = store.yeses_to(&rows.iter().collect::<Vec<_>>()).await?;
    let mut answers = BTreeMap::new();
    for row in &rows {
        answers.insert(row.request.id, overturned(store, row).await?);
    }
    let people = rows.iter().map(|row| row.request.requester).chain(answerers(&rows, &yeses));
    let people = people.chain(answers.values().flatten().flat_map(Answer::people));
    let users = state.names().of(store, people).await?;
    let name = |user: UserId| users.get(&user).map(ToString::to_string);
    let projects: Vec<ProjectId> = rows.iter().map(|row| row.request.project).collect();
    let projects = store.project_names(&projects).await?;
    let plans: Vec<BlueprintId> = rows.iter().map(|row| row.request.blueprint).collect();
    let texts = store.blueprints_of(&plans).await?;
    let mut seen = Vec::new();
    for row in rows {
        let id = row.request.blueprint;
        let plan = store.blueprint_row(id).await?.ok_or(ProblemCode::Internal)?;
        let text = texts.get(&id).map(|stored| &stored.blueprint);
        let title = state.titles().of(state.store(), &plan, text).await?;
        let project = projects.get(&row.request.project).cloned().unwrap_or_default();
        let yeses = yeses.get(&row.request.id).map(Vec::as_slice).unwrap_or_default();
        let overturned = answers.get(&row.request.id).into_iter().flatten();
        let overturned = overturned.map(|answer| answer.view(&name)).collect();
        let said = (yeses, overturned);
        let view = ApprovalView::of(&row, said, &plan, (title, project), &name);
        seen.push((row, view));
    }
    Ok(seen)
}

/// Whoever said yes or decided, and those whose rights they used.
pub(crate) fn answerers(
    rows: &[ApprovalRow],
    yeses: &BTreeMap<ApprovalId, Vec<QuorumYes>>,
) -> Vec<UserId> {
    let decided = rows.iter().filter_map(|row| Some((row.decided_by?, row.on_behalf_of)));
    let yeses = yeses.values().flatten().map(|yes| (yes.approver, yes.on_behalf_of));
    let both = |(user, lent): (UserId, Option<OnBehalfOf>)| {
        std::iter::once(user).chain(lent.map(|lent| lent.delegator))
    };
    decided.chain(yeses).flat_map(both).collect()
}
