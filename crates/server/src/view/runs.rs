//! Runs as clients see them, with their plan's summary and the owner of their conversation.

use crate::{
    access::authorization::GET_APPROVAL,
    dto::execution::{ExecutionView, UsedYes},
    problem::{Problem, ProblemCode},
    state::AppState,
    view::titles::without_words,
};
use std::collections::BTreeMap;
use wiiiv_domain::{BlueprintId, ExecutionId, SessionId, UserId};
use wiiiv_gate::Principal;
use wiiiv_store::{ApprovalRow, ExecutionRow, QuorumYes, Store};

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
    let said = used_yeses(store, &used).await?;
    let granted: BTreeMap<ExecutionId, UserId> =
        store.grants_used_by(&ids).await?.iter().map(|of| (of.execution, of.granter)).collect();
    let yes_of = |run: ExecutionId| -> Option<UsedYes> {
        let last = said.get(&run).and_then(|yeses| yeses.last()).copied();
        last.or_else(|| granted.get(&run).map(|granter| (*granter, None)))
    };
    let yeses = rows.iter().filter_map(|row| yes_of(row.id));
    let yeses = yeses.chain(said.values().flatten().copied());
    let both = yeses.flat_map(|(user, lent)| [Some(user), lent.map(|lent| lent.delegator)]);
    let approvers: Vec<UserId> = both.flatten().collect();
    let people = plans.values().map(|plan| plan.requester).chain(approvers);
    let names = state.names().of(store, people).await?;
    let name = |user: UserId| names.get(&user).map(ToString::to_string);
    let mut seen = Vec::new();
    for row in rows {
        let plan = plans.get(&row.blueprint).ok_or(ProblemCode::Internal)?;
        let founder = *founders.get(&row.session).ok_or(ProblemCode::Internal)?;
        let text = texts.get(&row.blueprint).map(|stored| &stored.blueprint);
        let title = if judges || plan.requester == who.user() {
            state.titles().of(state.store(), plan, text).await?
        } else {
            without_words(plan, text)
        };
        let also = said.get(&row.id).and_then(|yeses| yeses.split_last());
        let also = also.map(|(_, before)| before).unwrap_or_default();
        let revoked = used.get(&row.id).and_then(|approval| approval.revoked);
        let yeses = (yes_of(row.id), also, revoked);
        let view = ExecutionView::of(&row, plan, title, founder, yeses, &name);
        seen.push((row, view));
    }
    Ok(seen)
}

/// The yeses that each run used, the oldest first; of several people those that its ruling counted. Nothing is read
/// where no question was put to several people.
async fn used_yeses(
    store: &Store,
    used: &BTreeMap<ExecutionId, ApprovalRow>,
) -> Result<BTreeMap<ExecutionId, Vec<UsedYes>>, Problem> {
    let several: Vec<&ApprovalRow> =
        used.values().filter(|row| row.request.approvers > 1).collect();
    let told = store.yeses_to(&several).await?;
    let said = used.iter().map(|(run, row)| {
        let yeses: Vec<UsedYes> = match told.get(&row.request.id) {
            Some(yeses) => yeses.iter().filter(|yes| yes.counts).map(used_yes).collect(),
            None => row.decided_by.map(|user| (user, row.on_behalf_of)).into_iter().collect(),
        };
        (*run, yeses)
    });
    Ok(said.collect())
}

const fn used_yes(yes: &QuorumYes) -> UsedYes {
    (yes.approver, yes.on_behalf_of)
}
