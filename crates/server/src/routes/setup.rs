//! Setup at the first start.

use crate::{
    access::{authorization as rules, caller::Caller},
    dto::{
        auth::{LoggedIn, SetUp},
        setup::ProviderList,
    },
    models::providers::providers,
    problem::Problem,
    request::payload::Payload,
    routes::auth::issue,
    state::AppState,
};
use axum::{Json, extract::State, http::StatusCode};
use secrecy::ExposeSecret as _;
use wiiiv_store::Carried;

/// Makes the administrator, with the one-time token that the server printed.
#[utoipa::path(post, path = "/setup", tag = "auth", security(()), request_body = SetUp, responses(
    (status = 201, body = LoggedIn),
))]
pub(crate) async fn set_up(
    State(state): State<AppState>,
    payload: Payload<SetUp>,
) -> Result<(StatusCode, Json<LoggedIn>), Problem> {
    let SetUp { token, name, password } = payload.read()?;
    let policy = state.config().new_project_policy.clone();
    let token = token.0.expose_secret();
    let created = state.store().setup(token, name.clone(), password.0, policy).await?;
    let issued = issue(&state, created.user, Carried::Bearer).await?;
    let answer = issued.answer(&name, true, Some(created.project));
    Ok((StatusCode::CREATED, Json(answer)))
}

/// The models that there are to choose from. What is on this machine is asked for its models; keys
/// are looked for by the name of their variable, and never read.
#[utoipa::path(get, path = "/setup/providers", tag = "auth", responses(
    (status = 200, body = ProviderList),
))]
pub(crate) async fn list_providers(caller: Caller) -> Result<Json<ProviderList>, Problem> {
    caller.administer(rules::LIST_PROVIDERS).await?;
    let items = providers(&caller.state.config().models, caller.state.governor().messages()).await;
    Ok(Json(ProviderList { items }))
}
