//! Runs as they are shown: with what their plan comes to, and whose conversation they belong to.

use crate::{
    dto::execution::{ExecutionView, Told},
    problem::{Problem, ProblemCode},
    state::AppState,
};
use wiiiv_domain::{BlueprintId, SessionId};
use wiiiv_store::ExecutionRow;

pub(crate) async fn views(
    state: &AppState,
    rows: Vec<ExecutionRow>,
) -> Result<Vec<(ExecutionRow, ExecutionView)>, Problem> {
    let store = state.store();
    let plans: Vec<BlueprintId> = rows.iter().map(|row| row.blueprint).collect();
    let sessions: Vec<SessionId> = rows.iter().map(|row| row.session).collect();
    let texts = store.blueprints_of(&plans).await?;
    let plans = store.blueprint_rows(&plans).await?;
    let founders = store.founders(&sessions).await?;
    let mut seen = Vec::new();
    for row in rows {
        let plan = plans.get(&row.blueprint).ok_or(ProblemCode::Internal)?;
        let founder = *founders.get(&row.session).ok_or(ProblemCode::Internal)?;
        let text = texts.get(&row.blueprint).map(|stored| &stored.blueprint);
        let told = Told { founder, task_type: plan.task_type, text };
        let view = ExecutionView::of(&row, told);
        seen.push((row, view));
    }
    Ok(seen)
}

pub(crate) async fn view(
    state: &AppState,
    row: ExecutionRow,
) -> Result<(ExecutionRow, ExecutionView), Problem> {
    let mut seen = views(state, vec![row]).await?;
    seen.pop().ok_or_else(|| ProblemCode::Internal.into())
}
