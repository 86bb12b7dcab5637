//! Log-in to the demo by a one-time link, and new links.

use crate::{
    access::{caller::Caller, loopback::is_own_page},
    dto::auth::{DemoLinkView, EnterDemo, LoggedIn},
    problem::{Problem, ProblemCode, refusal::internal},
    request::payload::Payload,
    routes::auth::issue,
    state::{AppState, Demo},
};
use axum::{
    Extension, Json,
    extract::{ConnectInfo, State},
    http::HeaderMap,
    response::Response,
};
use secrecy::ExposeSecret as _;
use std::net::SocketAddr;
use wiiiv_store::Carried;

/// Signs the demo's one user in, as a log-in with `cookie` does, for the secret of a link that was not
/// used yet. There is no such thing but in the demo, and there only for a browser of the same machine
/// that shows the demo's own pages.
#[utoipa::path(post, path = "/auth/demo", tag = "auth", security(()), request_body = EnterDemo, responses(
    (status = 200, body = LoggedIn),
))]
pub(crate) async fn log_in_demo(
    State(state): State<AppState>,
    peer: Option<Extension<ConnectInfo<SocketAddr>>>,
    headers: HeaderMap,
    payload: Payload<EnterDemo>,
) -> Result<Response, Problem> {
    let near = peer.is_some_and(|Extension(ConnectInfo(peer))| is_own_page(peer, &headers));
    let demo = state.config().demo.as_ref().filter(|_| near).ok_or(ProblemCode::NotFound)?;
    let EnterDemo { link } = payload.read()?;
    if !demo.links.take(link.0.expose_secret()) {
        return Err(ProblemCode::DemoLinkVoid.into());
    }
    let user = state.store().user(demo.user).await?.ok_or(ProblemCode::NotFound)?;
    let personal = state.store().personal_project(user.id).await?;
    let issued = issue(&state, user.id, Carried::Cookie).await?;
    let answer = issued.answer(&user.name, user.admin, personal);
    Ok(issued.response(answer, &headers, state.config().secure_cookies))
}

/// A fresh link into the demo, for its own user. The one before is void.
#[utoipa::path(post, path = "/auth/demo/link", tag = "auth", responses(
    (status = 200, body = DemoLinkView),
))]
pub(crate) async fn create_demo_link(caller: Caller) -> Result<Json<DemoLinkView>, Problem> {
    let mine = |demo: &&Demo| demo.user == caller.user();
    let demo = caller.state.config().demo.as_ref().filter(mine).ok_or(ProblemCode::NotFound)?;
    caller.change_account().await?;
    let link = demo.links.renew().map_err(|error| internal(&error))?;
    Ok(Json(DemoLinkView { link: link.expose_secret().to_owned() }))
}
