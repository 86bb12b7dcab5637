//! Logging in and out.

use crate::{
    caller::Caller,
    credential::{csrf_of, set_cookie},
    dto::{
        auth::{LogIn, LoggedIn, Me},
        problem::ProblemBody,
    },
    limits::LOGIN_SECONDS,
    loopback::is_own_page,
    payload::Payload,
    problem::{Problem, ProblemCode},
    state::{AppState, now},
};
use axum::{
    Extension, Json,
    extract::{ConnectInfo, State},
    http::{HeaderMap, StatusCode},
    response::{AppendHeaders, IntoResponse, Response},
};
use secrecy::ExposeSecret as _;
use std::net::SocketAddr;
use wiiiv_domain::{ProjectId, Timestamp, UserId};
use wiiiv_store::{AccountRefused, AuthError, IssuedToken, Login};

/// A log-in's token and its end.
pub(crate) struct Issued {
    token: IssuedToken,
    user: UserId,
    expires_at: Timestamp,
}

/// Where nobody gave a password: the first account's, and the demo's.
pub(crate) async fn issue(state: &AppState, user: UserId) -> Result<Issued, Problem> {
    let expires_at = now().plus_seconds(LOGIN_SECONDS);
    let token = state.store().issue_first_login(user, expires_at).await?;
    Ok(Issued { token, user, expires_at })
}

/// Where the password was changed, or the account closed, since it fitted, it was wrong.
async fn issue_for(state: &AppState, login: &Login) -> Result<Issued, Problem> {
    let expires_at = now().plus_seconds(LOGIN_SECONDS);
    match state.store().issue_login(login, expires_at).await {
        Ok(token) => Ok(Issued { token, user: login.user, expires_at }),
        Err(AccountRefused::WrongPassword) => Err(ProblemCode::WrongCredentials.into()),
        Err(error) => Err(error.into()),
    }
}

impl Issued {
    /// With the token in an `HttpOnly` cookie, and what proves our own pages in the body.
    fn in_cookie(&self, answer: LoggedIn, secure: bool) -> Response {
        let csrf = Some(csrf_of(&self.token.text));
        let answer = LoggedIn { token: None, csrf, ..answer };
        let set = set_cookie(Some(&self.token.text), LOGIN_SECONDS, secure);
        (AppendHeaders(set), Json(answer)).into_response()
    }
    /// With the token in the body.
    pub(crate) fn answer(
        &self,
        name: &str,
        admin: bool,
        personal_project: Option<ProjectId>,
    ) -> LoggedIn {
        LoggedIn {
            user: self.user.uuid(),
            name: name.to_owned(),
            admin,
            personal_project: personal_project.map(|project| project.uuid()),
            token_id: self.token.id.uuid(),
            token: Some(self.token.text.expose_secret().to_owned()),
            csrf: None,
            expires_at: self.expires_at.to_string(),
        }
    }
}

/// Answers a bearer token, or sets a browser's cookie. A wrong name and a wrong password are
/// answered alike.
#[utoipa::path(post, path = "/auth/login", tag = "auth", security(()), request_body = LogIn, responses(
    (status = 200, body = LoggedIn),
    (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn log_in(
    State(state): State<AppState>,
    peer: Option<Extension<ConnectInfo<SocketAddr>>>,
    payload: Payload<LogIn>,
) -> Result<Response, Problem> {
    let LogIn { name, password, cookie } = payload.read()?;
    let peer = peer.map(|Extension(ConnectInfo(peer))| peer);
    let attempt = state.attempts().begin(&name, peer)?;
    let login = match state.store().authenticate_password(&name, password.0).await {
        Ok(login) => {
            attempt.succeeded();
            login
        }
        Err(error @ (AuthError::Busy | AuthError::Store(_))) => {
            attempt.unchecked();
            return Err(error.into());
        }
        Err(error) => return Err(error.into()),
    };
    let personal = state.store().personal_project(login.user).await?;
    let issued = issue_for(&state, &login).await?;
    let answer = issued.answer(&login.name, login.admin, personal);
    if cookie {
        Ok(issued.in_cookie(answer, state.config().secure_cookies))
    } else {
        Ok(Json(answer).into_response())
    }
}

/// Signs the demo's one user in, as a log-in with `cookie` does. There is no such thing but in the
/// demo, and there only for a browser of the same machine that shows the demo's own pages.
#[utoipa::path(post, path = "/auth/demo", tag = "auth", security(()), responses(
    (status = 200, body = LoggedIn),
    (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn log_in_demo(
    State(state): State<AppState>,
    peer: Option<Extension<ConnectInfo<SocketAddr>>>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let near = peer.is_some_and(|Extension(ConnectInfo(peer))| is_own_page(peer, &headers));
    let demo = state.config().demo.as_ref().filter(|_| near).ok_or(ProblemCode::NotFound)?;
    let user = state.store().user(demo.user).await?.ok_or(ProblemCode::NotFound)?;
    let personal = state.store().personal_project(user.id).await?;
    let issued = issue(&state, user.id).await?;
    let answer = issued.answer(&user.name, user.admin, personal);
    Ok(issued.in_cookie(answer, state.config().secure_cookies))
}

/// Revokes the token that the request carries.
#[utoipa::path(post, path = "/auth/logout", tag = "auth",
    responses(
    (status = 204),
    (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn log_out(
    State(state): State<AppState>,
    caller: Caller,
) -> Result<Response, Problem> {
    let text = caller.credential.token.expose_secret();
    state.store().revoke_token_text(caller.user(), text).await?;
    let cleared = set_cookie(None, 0, state.config().secure_cookies);
    let cleared = cleared.filter(|_| caller.credential.from_cookie);
    Ok((StatusCode::NO_CONTENT, AppendHeaders(cleared)).into_response())
}

/// Who is asking.
#[utoipa::path(get, path = "/auth/me", tag = "auth", responses(
    (status = 200, body = Me),
    (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn me(State(state): State<AppState>, caller: Caller) -> Result<Json<Me>, Problem> {
    let personal = state.store().personal_project(caller.user()).await?;
    let credential = &caller.credential;
    Ok(Json(Me {
        user: caller.user().uuid(),
        name: caller.account.label().to_owned(),
        admin: caller.account.rights().admin,
        personal_project: personal.map(|project| project.uuid()),
        csrf: credential.from_cookie.then(|| csrf_of(&credential.token)),
    }))
}
