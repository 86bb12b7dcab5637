//! The router: routes and their middleware.

use crate::{
    limits::{BODY_BYTES_MAX, REQUEST_TIME_MAX, TURN_TIME_MAX, UPLOAD_TIME_MAX},
    listen::{headers::guarded, trace::traced},
    openapi::{Document, published},
    problem::{ProblemCode, problems},
    request::idempotency::{idempotent, idempotent_file},
    routes::{
        approvals, audit, auth, blueprints, delegations, demo, documents, erasures, events,
        executions, ghost, grants, halts, ingests, keys, memory, messages, models, overrides,
        passwords, policy, profile, projects, receipts, risk, rollout, rotation, runner_keys,
        sessions, setup, suggestions, system, systems, tokens, usage, users, webhooks, why,
    },
    state::AppState,
    ui::serve::serve_ui,
};
use axum::{
    Router,
    http::StatusCode,
    middleware::{from_fn, from_fn_with_state},
    routing::get,
};
use std::time::Duration;
use tower_http::{
    catch_panic::CatchPanicLayer, limit::RequestBodyLimitLayer, timeout::TimeoutLayer,
};
use utoipa::OpenApi as _;
use utoipa_axum::{router::OpenApiRouter, routes};

/// Nobody signs in for these, and an `Idempotency-Key` means nothing to them.
fn open() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(system::health))
        .routes(routes!(system::ready))
        .routes(routes!(system::info))
        .routes(routes!(system::openapi))
        .routes(routes!(system::metrics))
        .routes(routes!(setup::set_up))
        .routes(routes!(auth::log_in))
        .routes(routes!(demo::log_in_demo))
        .routes(routes!(demo::create_demo_link))
        .routes(routes!(auth::log_out))
        .routes(routes!(passwords::change_password))
}

/// What waits for a person, and who else is told of it.
fn inbox() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(approvals::list_approvals))
        .routes(routes!(approvals::approval_events))
        .routes(routes!(approvals::get_approval))
        .routes(routes!(
            delegations::list_approval_delegations,
            delegations::give_approval_delegation
        ))
        .routes(routes!(delegations::end_approval_delegation))
        .routes(routes!(grants::list_grants, grants::give_grant))
        .routes(routes!(grants::revoke_grant))
        .routes(routes!(webhooks::get_webhook, webhooks::put_webhook, webhooks::delete_webhook))
}

/// What a person and a project keep in mind, and what a person told of themselves.
fn remembered() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(memory::get_user_memory, memory::put_user_memory))
        .routes(routes!(memory::list_user_memory_versions))
        .routes(routes!(memory::export_user_memory))
        .routes(routes!(memory::get_project_memory, memory::put_project_memory))
        .routes(routes!(memory::list_project_memory_versions))
        .routes(routes!(memory::export_project_memory))
        .routes(routes!(profile::get_profile, profile::put_profile, profile::erase_profile))
        .routes(routes!(profile::clear_profile_slot))
        .routes(routes!(profile::accept_profile_change))
        .routes(routes!(profile::drop_profile_change))
        .routes(routes!(profile::undo_profile))
        .routes(routes!(profile::list_profile_versions))
        .routes(routes!(profile::export_profile))
        .routes(routes!(profile::get_profile_schema))
}

/// Documents, and how their ingests stand.
fn of_documents() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(ingests::list_ingests))
        .routes(routes!(ingests::get_ingest, ingests::cancel_ingest))
        .routes(routes!(documents::list_documents))
        .routes(routes!(
            documents::get_document,
            documents::patch_document,
            documents::delete_document
        ))
        .routes(routes!(documents::list_passages))
        .routes(routes!(documents::get_passage))
        .routes(routes!(documents::reembed))
        .routes(routes!(documents::reembed_project))
}

/// Files come as bodies, which are larger than elsewhere.
fn uploads() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(ingests::ingest_global))
        .routes(routes!(ingests::ingest_project))
        .routes(routes!(ingests::ingest_user))
}

/// Whoever asks is signed in. Nothing is changed: no answer is kept under an `Idempotency-Key`, as it would outlive what
/// it is of.
fn searches() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(documents::search_documents))
}

/// Why something was decided, and what the audit tells.
fn audited() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(why::find_decision))
        .routes(routes!(why::graph_blueprint))
        .routes(routes!(why::why_blueprint))
        .routes(routes!(why::why_turn))
        .routes(routes!(receipts::get_receipt))
        .routes(routes!(audit::search_audit))
        .routes(routes!(audit::export_audit))
        .routes(routes!(audit::feed_audit))
        .routes(routes!(audit::audit_keys))
        .routes(routes!(erasures::list_erasures))
}

fn signed_in() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .merge(audited())
        .routes(routes!(setup::list_providers))
        .routes(routes!(auth::me))
        .routes(routes!(tokens::list_tokens, tokens::create_token, tokens::end_other_tokens))
        .routes(routes!(tokens::revoke_token))
        .routes(routes!(users::list_users, users::create_user))
        .routes(routes!(users::close_user))
        .routes(routes!(users::open_user))
        .routes(routes!(passwords::reset_password))
        .routes(routes!(projects::list_projects, projects::create_project))
        .routes(routes!(projects::get_project))
        .routes(routes!(projects::list_members))
        .routes(routes!(projects::put_member))
        .routes(routes!(policy::get_policy, policy::put_policy))
        .routes(routes!(policy::list_policy_versions))
        .routes(routes!(policy::get_policy_text))
        .routes(routes!(policy::check_policy))
        .routes(routes!(policy::impact_policy))
        .routes(routes!(policy::diff_policy))
        .routes(routes!(overrides::list_overrides, overrides::propose_override))
        .routes(routes!(overrides::approve_override))
        .routes(routes!(overrides::end_override))
        .routes(routes!(rollout::get_rollout))
        .routes(routes!(rollout::get_rollout_figures))
        .routes(routes!(rollout::list_divergences))
        .routes(routes!(rollout::review_divergence))
        .routes(routes!(rollout::ask_waiver))
        .routes(routes!(rollout::join_waiver))
        .routes(routes!(rollout::promote))
        .routes(routes!(rollout::demote))
        .routes(routes!(sessions::list_sessions, sessions::create_session))
        .routes(routes!(sessions::get_session, sessions::patch_session))
        .routes(routes!(sessions::session_state))
        .routes(routes!(events::session_events))
        .routes(routes!(events::session_history))
        .merge(inbox())
        .merge(remembered())
        .merge(of_documents())
        .routes(routes!(blueprints::list_blueprints))
        .routes(routes!(blueprints::get_blueprint))
        .routes(routes!(blueprints::explain_blueprint))
        .routes(routes!(executions::list_executions))
        .routes(routes!(executions::get_execution))
        .routes(routes!(executions::execution_events))
        .routes(routes!(executions::step_output))
        .routes(routes!(suggestions::list_suggestions))
        .routes(routes!(systems::list_systems))
        .routes(routes!(systems::get_system, systems::put_system, systems::delete_system))
        .routes(routes!(systems::put_system_credential, systems::delete_system_credential))
        .routes(routes!(models::list_models))
        .routes(routes!(models::effective_model))
        .routes(routes!(usage::list_usage))
        .routes(routes!(usage::get_usage))
        .routes(routes!(usage::get_budgets))
        .routes(routes!(keys::list_own_keys))
        .routes(routes!(keys::put_own_key, keys::delete_own_key))
        .routes(routes!(keys::list_project_keys))
        .routes(routes!(keys::resolve_key))
        .routes(routes!(keys::put_project_key, keys::delete_project_key))
        .routes(routes!(keys::list_server_keys))
        .routes(routes!(keys::put_server_key, keys::delete_server_key))
        .routes(routes!(rotation::rotate_master_key))
        .routes(routes!(rotation::master_key_rotation))
        .merge(of_ghost())
        .routes(routes!(halts::list_halts))
        .routes(routes!(risk::list_holds))
        .routes(routes!(risk::get_session_risk))
}

/// Results of GHOST runs, and the keys that sign them.
fn of_ghost() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(ghost::list_ghost_results, ghost::create_ghost_result))
        .routes(routes!(runner_keys::list_runner_keys, runner_keys::add_runner_key))
        .routes(routes!(runner_keys::revoke_runner_key))
}

/// These may have to wait for a turn in progress, for another service, or for a long chain.
fn turns() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(messages::post_message))
        .routes(routes!(sessions::control_session))
        .routes(routes!(sessions::delete_session))
        .routes(routes!(approvals::approve))
        .routes(routes!(approvals::edit_approval))
        .routes(routes!(approvals::reject))
        .routes(routes!(approvals::revoke_approval))
        .routes(routes!(executions::cancel_execution))
        .routes(routes!(executions::resolve_step))
        .routes(routes!(erasures::erase_texts))
        .routes(routes!(halts::halt_session))
        .routes(routes!(halts::resume_session))
        .routes(routes!(halts::halt_project))
        .routes(routes!(halts::resume_project))
        .routes(routes!(halts::halt_server))
        .routes(routes!(halts::resume_server))
        .routes(routes!(risk::clear_session_risk))
        .routes(routes!(systems::test_system))
        .routes(routes!(models::available_models))
        .routes(routes!(models::try_model))
        .routes(routes!(keys::verify_own_key))
        .routes(routes!(keys::verify_project_key))
        .routes(routes!(keys::verify_server_key))
        .routes(routes!(audit::verify_audit))
}

/// The routes alone, with their description.
fn described() -> (Router<AppState>, utoipa::openapi::OpenApi) {
    let routes = OpenApiRouter::new().merge(open()).merge(signed_in()).merge(turns());
    let routes = routes.merge(searches()).merge(uploads());
    OpenApiRouter::with_openapi(Document::openapi()).merge(routes).split_for_parts()
}

/// OpenAPI 3.1, pretty-printed, as it is committed in `docs/openapi.json`.
#[must_use]
pub fn openapi_json() -> &'static str {
    published(|| described().1)
}

/// The whole service: the API below `/api/v2`, the interface everywhere else.
pub fn router(state: AppState) -> Router {
    // What `/openapi.json` answers.
    let _text = openapi_json();
    let once = || from_fn_with_state(state.clone(), idempotent);
    // The key's own layer lies inside the time limit: work that has begun comes to its answer.
    let quick = signed_in().layer(once()).merge(open()).merge(searches());
    let quick = quick.layer(limit(REQUEST_TIME_MAX));
    let slow = turns().layer(once()).layer(limit(TURN_TIME_MAX));
    let bounded = quick.merge(slow).layer(RequestBodyLimitLayer::new(BODY_BYTES_MAX));
    // These read no more of a body than a file may have, and say so by a problem of their own.
    let files = uploads().layer(from_fn_with_state(state.clone(), idempotent_file));
    let files = files.layer(limit(UPLOAD_TIME_MAX));
    let (api, _) = bounded.merge(files).split_for_parts();
    let api = api.fallback(nothing_here).method_not_allowed_fallback(no_such_method);
    Router::new()
        .nest("/api/v2", api.with_state(state.clone()))
        // Where scrapers look for it.
        .route("/metrics", get(system::metrics).layer(limit(REQUEST_TIME_MAX)))
        .fallback(serve_ui)
        .with_state(state.clone())
        .layer(CatchPanicLayer::new())
        .layer(from_fn_with_state(state, problems))
        .layer(from_fn(guarded))
        .layer(from_fn(traced))
}

fn limit(time: Duration) -> TimeoutLayer {
    TimeoutLayer::with_status_code(StatusCode::REQUEST_TIMEOUT, time)
}

async fn nothing_here() -> crate::problem::Problem {
    ProblemCode::NotFound.into()
}

async fn no_such_method() -> crate::problem::Problem {
    ProblemCode::MethodNotAllowed.into()
}
