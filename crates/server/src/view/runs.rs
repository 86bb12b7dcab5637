//! Runs as clients see them, with their plan's summary and the owner of their conversation.

use crate::{
    access::authorization::GET_APPROVAL,
    dto::execution::ExecutionView,
    problem::{Problem, ProblemCode},
    state::AppState,
    view::titles::without_words,
};
use std::collections::BTreeMap;
use wiiiv_domain::{BlueprintId, ExecutionId, SessionId, UserId};
use wiiiv_gate::Principal;
use wiiiv_store::ExecutionRow;

/// As `who` may see them: the words of a request are for who asked, and who is asked.
pub(crate) async fn views(
    state: &AppState,
    who: &Principal,
    rows: Vec<ExecutionRow>,
) -> Result<Vec<(ExecutionRow, ExecutionView)>, Problem> {
    let store = state.store();
    let judges = GET_APPROVAL.is_seen_with(who.rights());
    let ids: Vec<BlueprintId> = rows.iter().map(|row| row.blueprint).collect();
    let sessions: Vec<SessionId> = rows.iter().map(|row| row.session).collect();
    let texts = store.blueprints_of(&ids).await?;
    let plans = store.blueprint_rows(&ids).await?;
    let founders = store.founders(&sessions).await?;
    let runs: Vec<(BlueprintId, ExecutionId)> =
        rows.iter().map(|row| (row.blueprint, row.id)).collect();
    let used = store.approvals_used_by(&runs).await?;
    let granted: BTreeMap<ExecutionId, UserId> =
        store.grants_used_by(&ids).await?.iter().map(|of| (of.execution, of.granter)).collect();
    let approvers = used.values().filter_map(|row| row.decided_by).chain(granted.values().copied());
    let people = plans.values().map(|plan| plan.requester).chain(approvers);
    let names = state.names().of(store, people).await?;
    let name = |user: UserId| names.get(&user).map(ToString::to_string);
    let mut seen = Vec::new();
    for row in rows {
        let plan = plans.get(&row.blueprint).ok_or(ProblemCode::Internal)?;
        let founder = *founders.get(&row.session).ok_or(ProblemCode::Internal)?;
        let text = texts.get(&row.blueprint).map(|stored| &stored.blueprint);
        let approver = used.get(&row.id).and_then(|row| row.decided_by);
        let approver = approver.or_else(|| granted.get(&row.id).copied());
        let title = if judges || plan.requester == who.user() {
            state.titles().of(state.store(), plan, text).await?
        } else {
            without_words(plan, text)
        };
        let view = ExecutionView::of(&row, plan, title, (founder, approver), &name);
        seen.push((row, view));
    }
    Ok(seen)
}
