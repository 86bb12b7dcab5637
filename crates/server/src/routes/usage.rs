//! Model usage and budgets.

use super::models::policy_of;
use crate::{
    access::{authorization as rules, caller::Caller},
    dto::usage::{
        BudgetWindowView, BudgetsView, ProjectUsageView, ProjectsUsageQuery, ProjectsUsageView,
        RunCapsView, UsageQuery, UsageRowView, UsageScope, UsageView,
    },
    limits::{USAGE_DAYS_DEFAULT, USAGE_DAYS_MAX},
    problem::{Problem, ProblemCode},
    request::{
        address::IdPath,
        days::{DAY_SECONDS, odd, span},
        page::{Page, PageQuery},
        query::Params,
    },
    state::now,
};
use axum::Json;
use wiiiv_domain::{
    BudgetWindow, Currency, PriceTable, ProjectId, ProjectPolicy, Timestamp, UserId,
};
use wiiiv_gate::Principal;
use wiiiv_store::{ALERT_PERCENT, UsageBy, UsageFilter};

const NO_GROUPS: &str = "it is `day`, `model`, `user`, or several of them with commas between";

/// Model calls of a project: what they used, by day, model and person. Owners and approvers see
/// everybody's, others their own.
#[utoipa::path(get, path = "/projects/{id}/usage", tag = "usage",
    params(("id" = Uuid, Path), UsageQuery), responses(
    (status = 200, body = UsageView),
))]
pub(crate) async fn get_usage(
    caller: Caller,
    IdPath(project): IdPath<ProjectId>,
    Params(query): Params<UsageQuery>,
) -> Result<Json<UsageView>, Problem> {
    let state = &caller.state;
    let who = caller.enter(project, rules::GET_USAGE).await?;
    let (from, last) = days((query.from.as_deref(), query.until.as_deref()), now())?;
    let by = grouping(query.by.as_deref().unwrap_or("day"))?;
    let (scope, user) = scope(&who);
    let filter = UsageFilter { project, user, from, until: last.plus_seconds(DAY_SECONDS) };
    let found = state.store().usage(&filter, &by).await?;
    let policy = policy_of(state, project).await?;
    let people = found.rows.iter().filter_map(|row| row.user);
    let names = state.names().of(state.store(), people).await?;
    Ok(Json(UsageView {
        from: from.utc_day(),
        until: last.utc_day(),
        scope,
        by: by.iter().copied().map(name).collect(),
        currency: currency(&policy, state.governor().models().prices()),
        rows: found.rows.into_iter().map(|row| UsageRowView::of(row, &names)).collect(),
        total: found.total.into(),
        truncated: found.truncated,
    }))
}

/// Owners and approvers see what everybody used, others what they did.
fn scope(who: &Principal) -> (UsageScope, Option<UserId>) {
    let sees_all =
        [rules::Role::Owner, rules::Role::Approver].iter().any(|role| role.is_held(who.rights()));
    if sees_all { (UsageScope::Project, None) } else { (UsageScope::Own, Some(who.user())) }
}

/// What each of the caller's projects has used: of those that they own or approve in, everybody's
/// calls, of others their own.
#[utoipa::path(get, path = "/usage", tag = "usage", params(ProjectsUsageQuery), responses(
    (status = 200, body = ProjectsUsageView),
))]
pub(crate) async fn list_usage(
    caller: Caller,
    Params(query): Params<ProjectsUsageQuery>,
) -> Result<Json<ProjectsUsageView>, Problem> {
    let state = &caller.state;
    let (from, last) = days((query.from.as_deref(), query.until.as_deref()), now())?;
    let page = PageQuery { limit: query.limit, cursor: query.cursor };
    let rows = state.store().projects_of(caller.user(), page.page()?).await?;
    let Page { items: projects, next_cursor } =
        Page::of(rows, page.limit()?, |row| row.id.to_string(), |row| (row.id, row.name));
    let mut items = Vec::new();
    for (id, name) in projects {
        let (scope, user) = match caller.enter(id, rules::GET_USAGE).await {
            Ok(who) => scope(&who),
            // Who has left it a moment ago sees the others all the same.
            Err(problem) if problem.code() == ProblemCode::NotFound => continue,
            Err(problem) => return Err(problem),
        };
        let until = last.plus_seconds(DAY_SECONDS);
        let filter = UsageFilter { project: id, user, from, until };
        let sums = state.store().usage(&filter, &[]).await?.total.into();
        let currency = currency(&policy_of(state, id).await?, state.governor().models().prices());
        items.push(ProjectUsageView { project: id.uuid(), name, scope, currency, sums });
    }
    let (from, until) = (from.utc_day(), last.utc_day());
    Ok(Json(ProjectsUsageView { from, until, items, next_cursor }))
}

/// The windows that are open now: the project's day and month, and the caller's own.
#[utoipa::path(get, path = "/projects/{id}/budgets", tag = "usage",
    params(("id" = Uuid, Path)), responses(
    (status = 200, body = BudgetsView),
))]
pub(crate) async fn get_budgets(
    caller: Caller,
    IdPath(project): IdPath<ProjectId>,
) -> Result<Json<BudgetsView>, Problem> {
    let state = &caller.state;
    caller.enter(project, rules::GET_BUDGETS).await?;
    let policy = policy_of(state, project).await?;
    let (day, month) = (BudgetWindow::day(project, now()), BudgetWindow::month(project, now()));
    let own = [day.clone(), month.clone()].map(|window| window.of_user(caller.user()));
    let windows: Vec<BudgetWindow> = [day, month].into_iter().chain(own).collect();
    let standings = state.store().budget_standing(&windows).await?;
    let items = standings.iter().filter_map(|standing| BudgetWindowView::of(&policy, standing));
    Ok(Json(BudgetsView {
        currency: currency(&policy, state.governor().models().prices()),
        alert_percent: ALERT_PERCENT,
        per_run: RunCapsView {
            tokens: policy.token_budget.per_run,
            micros: policy.cost_limit.per_run_micros,
        },
        items: items.collect(),
    }))
}

/// The beginnings of the first and the last day.
fn days(
    asked: (Option<&str>, Option<&str>),
    now: Timestamp,
) -> Result<(Timestamp, Timestamp), Problem> {
    span(asked, now, (USAGE_DAYS_DEFAULT, USAGE_DAYS_MAX))
}

fn grouping(text: &str) -> Result<Vec<UsageBy>, Problem> {
    let odd = || odd("by", NO_GROUPS);
    let mut by = Vec::new();
    for word in text.split(',') {
        let one = [UsageBy::Day, UsageBy::Model, UsageBy::User];
        let one = one.into_iter().find(|one| name(*one) == word).ok_or_else(odd)?;
        if by.contains(&one) {
            return Err(odd());
        }
        by.push(one);
    }
    Ok(by)
}

const fn name(by: UsageBy) -> &'static str {
    match by {
        UsageBy::Day => "day",
        UsageBy::Model => "model",
        UsageBy::User => "user",
    }
}

/// What caps of money are meant in.
fn currency(policy: &ProjectPolicy, prices: &PriceTable) -> Currency {
    policy.currency(&policy.prices(prices)).unwrap_or_default()
}
