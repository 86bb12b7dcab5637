//! Health, readiness, and facts about this server.

use crate::{
    access::{authorization as rules, caller::Caller},
    dto::{
        problem::ProblemBody,
        system::{DemoView, DocumentFactsView, Health, Info, StoreFigures},
    },
    openapi::text,
    problem::{Problem, ProblemCode},
    state::{AppState, now},
};
use axum::{
    Extension, Json,
    extract::{ConnectInfo, State},
    http::{HeaderMap, header},
    response::IntoResponse,
};
use std::net::SocketAddr;

/// The process answers.
#[utoipa::path(get, path = "/health", tag = "system", security(()), responses((status = 200, body = Health)))]
pub(crate) async fn health() -> Json<Health> {
    Json(Health { status: "ok" })
}

/// The database takes a write, and the server is not stopping.
#[utoipa::path(get, path = "/ready", tag = "system", security(()), responses(
    (status = 200, body = Health),
    (status = 503, body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn ready(State(state): State<AppState>) -> Result<Json<Health>, Problem> {
    if state.stop().is_cancelled() {
        return Err(ProblemCode::Unavailable.into());
    }
    state.readiness().check(state.store()).await?;
    Ok(Json(Health { status: "ready" }))
}

/// Version and build; no secret and nothing about what is kept.
#[utoipa::path(get, path = "/info", tag = "system", security(()), responses((status = 200, body = Info)))]
pub(crate) async fn info(State(state): State<AppState>) -> Result<Json<Info>, Problem> {
    let counters = state.store().counters();
    let documents = state.governor().documents();
    Ok(Json(Info {
        name: "wiiiv",
        version: env!("CARGO_PKG_VERSION"),
        build: state.config().build.clone(),
        api: "v2",
        demo: state.config().demo.as_ref().map(|demo| DemoView { project: demo.project.uuid() }),
        set_up: state.store().is_set_up().await?,
        degraded: state.governor().models().left_alone() > 0,
        halted: !state.store().halts(None, None).await?.is_empty(),
        documents: DocumentFactsView {
            embedder: documents.embedder(),
            file_bytes_max: documents.file_bytes_max(),
        },
        started_at: state.started().to_string(),
        now: now().to_string(),
        store: StoreFigures {
            commits: counters.commits,
            boundaries: counters.boundaries,
            reads: counters.reads,
            writes: counters.writes,
        },
    }))
}

/// This description.
#[utoipa::path(get, path = "/openapi.json", tag = "system", security(()),
    responses((status = 200, description = "OpenAPI 3.1", body = Object)))]
pub(crate) async fn openapi() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], text())
}

/// Prometheus' text format.
const FIGURES_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// Counts, durations and states in Prometheus' text format, for administrators; with
/// `telemetry.metrics_open` also for programs on the server's own machine. `/metrics` of the
/// server's root answers alike.
#[utoipa::path(get, path = "/metrics", tag = "system", responses(
    (status = 200, description = "Metrics", body = String, content_type = "text/plain"),
))]
pub(crate) async fn metrics(
    State(state): State<AppState>,
    peer: Option<Extension<ConnectInfo<SocketAddr>>>,
    headers: HeaderMap,
    caller: Result<Caller, Problem>,
) -> Result<impl IntoResponse, Problem> {
    let peer = peer.map(|Extension(ConnectInfo(peer))| peer);
    let figures = &state.config().figures;
    if !figures.is_open_to(peer, &headers) {
        administrator(&state, &caller?).await?;
    }
    state.governor().observe().await;
    Ok(([(header::CONTENT_TYPE, FIGURES_TYPE)], figures.text()))
}

/// To look at figures, an administrator's token that may only look is enough.
async fn administrator(state: &AppState, caller: &Caller) -> Result<(), Problem> {
    let account = state.store().user(caller.user()).await?;
    if account.is_some_and(|account| account.admin) {
        return Ok(());
    }
    caller.administer(rules::METRICS).await.map(drop)
}
