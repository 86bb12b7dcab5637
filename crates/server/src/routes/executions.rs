//! Runs of plans: read, cancel, and resolve a step in doubt.

use crate::{
    access::{authorization as rules, caller::Caller},
    dto::{
        event::EventView,
        execution::{
            AttemptView, CancelledRun, ExecutionDetail, ExecutionView, ExecutionsQuery, Resolve,
        },
    },
    problem::{Problem, ProblemCode},
    request::{
        address::{IdPath, PairPath, PlanStep},
        days::between,
        etag::etag,
        page::{Page, PageQuery},
        payload::Payload,
        query::{Params, searched},
    },
    routes::events::journal_page,
    state::AppState,
    view::runs::views,
};
use axum::{
    Json,
    extract::OriginalUri,
    http::{HeaderName, StatusCode, header},
    response::{IntoResponse, Response},
};
use wiiiv_domain::{ExecutionId, ProjectId};
use wiiiv_gate::Principal;
use wiiiv_store::{ExecutionFilter, ExecutionRow, ExecutionState, Touch};

/// Runs that one search looks at, and how many at a time.
const SEARCHED_MAX: u64 = 1_000;
const SEARCHED_PAGE: u64 = 100;

const MEDIA_TYPE_HEADER: HeaderName = HeaderName::from_static("x-media-type");

/// Newest first.
#[utoipa::path(get, path = "/projects/{id}/executions", tag = "executions",
    params(("id" = Uuid, Path), ExecutionsQuery), responses(
    (status = 200, body = Page<ExecutionView>),
))]
pub(crate) async fn list_executions(
    caller: Caller,
    IdPath(id): IdPath<ProjectId>,
    OriginalUri(uri): OriginalUri,
    Params(query): Params<ExecutionsQuery>,
) -> Result<Response, Problem> {
    let state = &caller.state;
    let who = caller.enter(id, rules::LIST_EXECUTIONS).await?;
    let page = PageQuery { limit: query.limit, cursor: query.cursor.clone() };
    let filter = wanted(state, id, &query, page.page()?).await?;
    let Found { seen, rest } = match searched(query.q.as_deref())? {
        Some(text) => search(state, &who, filter, (&text, page.rows()?)).await?,
        None => {
            let rows = state.store().executions(&filter).await?;
            Found { seen: views(state, &who, rows).await?, rest: None }
        }
    };
    let cursor = |(row, _): &(ExecutionRow, _)| row.id.to_string();
    let page = Page::of(seen, page.limit()?, cursor, |(_, view)| view);
    Ok(page.going_on_at(rest).answer(&uri))
}

async fn wanted(
    state: &AppState,
    project: ProjectId,
    query: &ExecutionsQuery,
    page: wiiiv_store::Page,
) -> Result<ExecutionFilter, Problem> {
    let (from, until) = between(query.from.as_deref(), query.until.as_deref())?;
    let touch = Touch { system: query.system.clone(), path: None };
    let plans = match touch.is_empty() {
        true => None,
        false => Some(state.store().plans_touching(project, &touch).await?),
    };
    Ok(ExecutionFilter {
        project: Some(project),
        session: None,
        state: query.state.map(Into::into),
        plans,
        requester: query.requester.map(Into::into),
        from,
        until,
        page,
    })
}

struct Found {
    seen: Vec<(ExecutionRow, ExecutionView)>,
    /// Where a search that looked at enough for once goes on.
    rest: Option<String>,
}

/// Titles are no column: rows are read page by page until enough of them match.
async fn search(
    state: &AppState,
    who: &Principal,
    mut filter: ExecutionFilter,
    (text, rows_max): (&str, u64),
) -> Result<Found, Problem> {
    let wanted = text.to_lowercase();
    let (mut seen, mut looked) = (Vec::new(), 0);
    filter.page.limit = Some(SEARCHED_PAGE);
    loop {
        let rows = state.store().executions(&filter).await?;
        let (count, last) = (rows.len() as u64, rows.last().map(|row| row.id));
        for (row, view) in views(state, who, rows).await? {
            let told = [&view.title.ko, &view.title.en].map(|title| title.to_lowercase());
            let is_it = row.id.to_string().contains(&wanted);
            if is_it || told.iter().any(|title| title.contains(&wanted)) {
                seen.push((row, view));
            }
            if seen.len() as u64 >= rows_max {
                return Ok(Found { seen, rest: None });
            }
        }
        looked += count;
        let Some(last) = last.filter(|_| count == SEARCHED_PAGE) else {
            return Ok(Found { seen, rest: None });
        };
        if looked >= SEARCHED_MAX {
            return Ok(Found { seen, rest: Some(last.to_string()) });
        }
        filter.page.before = Some(last.uuid());
    }
}

/// As the audit tells, or refused.
async fn seen(
    caller: &Caller,
    id: ExecutionId,
    rule: &rules::Rule,
) -> Result<(ExecutionRow, Principal), Problem> {
    let entered = entered(caller, id, rule).await?;
    caller.state.store().examine_execution(id).await?;
    Ok(entered)
}

pub(crate) async fn entered(
    caller: &Caller,
    id: ExecutionId,
    rule: &rules::Rule,
) -> Result<(ExecutionRow, Principal), Problem> {
    let row = caller.state.store().execution(id).await?.ok_or(ProblemCode::NotFound)?;
    let who = caller.enter(row.project, rule).await?;
    Ok((row, who))
}

/// One run with its attempts.
#[utoipa::path(get, path = "/executions/{id}", tag = "executions", params(("id" = Uuid, Path)),
    responses(
    (status = 200, body = ExecutionDetail),
))]
pub(crate) async fn get_execution(
    caller: Caller,
    IdPath(id): IdPath<ExecutionId>,
) -> Result<Json<ExecutionDetail>, Problem> {
    let (row, who) = seen(&caller, id, rules::GET_EXECUTION).await?;
    let waits = row.state == ExecutionState::Indeterminate;
    let attempts = caller.state.store().attempts(id).await?;
    let attempts = attempts.into_iter().map(|row| AttemptView::of(row, waits)).collect();
    let mut seen = views(&caller.state, &who, vec![row]).await?;
    let (_, execution) = seen.pop().ok_or(ProblemCode::Internal)?;
    Ok(Json(ExecutionDetail { execution, attempts }))
}

/// Its steps and its end as they were journalled, oldest first. A page may hold fewer rows than its
/// limit: it covers that many events of the session.
#[utoipa::path(get, path = "/executions/{id}/events", tag = "executions",
    params(("id" = Uuid, Path), PageQuery), responses(
    (status = 200, body = Page<EventView>),
))]
pub(crate) async fn execution_events(
    caller: Caller,
    IdPath(id): IdPath<ExecutionId>,
    OriginalUri(uri): OriginalUri,
    Params(query): Params<PageQuery>,
) -> Result<Response, Problem> {
    let (row, _) = entered(&caller, id, rules::EXECUTION_EVENTS).await?;
    let of_run = |view: &EventView| view.is_of_run(id.uuid());
    let founders = caller.state.store().founders(&[row.session]).await?;
    let founder = *founders.get(&row.session).ok_or(ProblemCode::Internal)?;
    journal_page(&caller.state, (row.session, founder), &uri, &query, of_run).await
}

/// What a step handed on, as a download: it may come from anywhere. `X-Media-Type` says what it is.
#[utoipa::path(get, path = "/executions/{id}/output/{step}", tag = "executions",
    params(("id" = Uuid, Path), ("step" = String, Path)), responses(
    (status = 200, body = [u8], content_type = "application/octet-stream"),
))]
pub(crate) async fn step_output(
    caller: Caller,
    PairPath(id, PlanStep(step)): PairPath<ExecutionId, PlanStep>,
) -> Result<Response, Problem> {
    entered(&caller, id, rules::STEP_OUTPUT).await?;
    let (output, bytes) =
        caller.state.store().output(id, &step).await?.ok_or(ProblemCode::NotFound)?;
    let headers = [
        (header::CONTENT_TYPE, "application/octet-stream".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{step}\"")),
        (MEDIA_TYPE_HEADER, output.media_type),
    ];
    Ok((etag(output.digest), headers, bytes).into_response())
}

/// Stops it; a step in flight is cancelled with it.
#[utoipa::path(post, path = "/executions/{id}/cancel", tag = "executions",
    params(("id" = Uuid, Path)), responses(
    (status = 202, body = CancelledRun),
))]
pub(crate) async fn cancel_execution(
    caller: Caller,
    IdPath(id): IdPath<ExecutionId>,
) -> Result<(StatusCode, Json<CancelledRun>), Problem> {
    let (row, who) = entered(&caller, id, rules::CANCEL_EXECUTION).await?;
    match row.state {
        ExecutionState::Running | ExecutionState::Indeterminate => {}
        ExecutionState::Succeeded | ExecutionState::Failed | ExecutionState::Cancelled => {
            let problem = Problem::new(ProblemCode::ExecutionOver);
            return Err(problem.with("state", row.state.as_str()));
        }
    }
    let turn = caller.state.governor().executions().cancel(&who, id).await?;
    Ok((StatusCode::ACCEPTED, Json(CancelledRun { turn: turn.uuid() })))
}

/// Says what became of a step whose effect is in doubt; the run goes on from there.
#[utoipa::path(post, path = "/executions/{id}/steps/{step}/resolve", tag = "executions",
    params(("id" = Uuid, Path), ("step" = String, Path)), request_body = Resolve, responses(
    (status = 204),
))]
pub(crate) async fn resolve_step(
    caller: Caller,
    PairPath(id, PlanStep(step)): PairPath<ExecutionId, PlanStep>,
    payload: Payload<Resolve>,
) -> Result<StatusCode, Problem> {
    let (_, who) = seen(&caller, id, rules::RESOLVE_STEP).await?;
    let Resolve { r#as: word } = payload.read()?;
    caller.state.governor().executions().resolve(&who, id, step, word.into()).await?;
    Ok(StatusCode::NO_CONTENT)
}
