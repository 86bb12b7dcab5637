//! Log-in and log-out.

use crate::{
    access::{attempts::Who, caller::Caller, credential::set_cookie},
    dto::auth::{LogIn, LoggedIn, Me},
    limits::LOGIN_SECONDS,
    problem::{Problem, ProblemCode},
    request::payload::Payload,
    state::{AppState, now},
};
use axum::{
    Extension, Json,
    extract::{ConnectInfo, State},
    http::{HeaderMap, StatusCode},
    response::{AppendHeaders, IntoResponse, Response},
};
use secrecy::{ExposeSecret as _, SecretString};
use std::net::SocketAddr;
use wiiiv_domain::{ProjectId, Timestamp, UserId};
use wiiiv_store::{AccountRefused, AuthError, Carried, DeviceId, IssuedToken, Login};

/// A log-in's token and its end.
pub(crate) struct Issued {
    token: IssuedToken,
    user: UserId,
    expires_at: Timestamp,
}

/// Where nobody gave a password: the first account's, and the demo's.
pub(crate) async fn issue(
    state: &AppState,
    user: UserId,
    carried: Carried,
) -> Result<Issued, Problem> {
    let expires_at = now().plus_seconds(LOGIN_SECONDS);
    let token = state.store().issue_first_login(user, expires_at, carried).await?;
    Ok(Issued { token, user, expires_at })
}

/// Where the password was changed, or the account closed, since it fitted, it was wrong.
async fn issue_for(state: &AppState, login: &Login, carried: Carried) -> Result<Issued, Problem> {
    let expires_at = now().plus_seconds(LOGIN_SECONDS);
    match state.store().issue_login(login, expires_at, carried).await {
        Ok(token) => Ok(Issued { token, user: login.user, expires_at }),
        Err(AccountRefused::WrongPassword) => Err(ProblemCode::WrongCredentials.into()),
        Err(error) => Err(error.into()),
    }
}

impl Issued {
    /// A browser's token goes into an `HttpOnly` cookie, a program's stands in the body.
    pub(crate) fn response(&self, answer: LoggedIn, asked: &HeaderMap, secure: bool) -> Response {
        let cookie = self.token.page_key.is_some();
        let asked = (asked, secure);
        let set = cookie.then(|| set_cookie(Some(&self.token.text), LOGIN_SECONDS, asked));
        (AppendHeaders(set.flatten()), Json(answer)).into_response()
    }

    pub(crate) fn answer(
        &self,
        name: &str,
        admin: bool,
        personal_project: Option<ProjectId>,
    ) -> LoggedIn {
        let page_key = self.token.page_key.as_ref().map(|key| key.expose_secret().to_owned());
        let token = page_key.is_none().then(|| self.token.text.expose_secret().to_owned());
        LoggedIn {
            user: self.user.uuid(),
            name: name.to_owned(),
            admin,
            personal_project: personal_project.map(|project| project.uuid()),
            token_id: self.token.id.uuid(),
            token,
            page_key,
            device: None,
            expires_at: self.expires_at.to_string(),
        }
    }
}

/// Answers a bearer token, or sets a browser's cookie. A wrong name and a wrong password are
/// answered alike.
#[utoipa::path(post, path = "/auth/login", tag = "auth", security(()), request_body = LogIn, responses(
    (status = 200, body = LoggedIn),
))]
pub(crate) async fn log_in(
    State(state): State<AppState>,
    peer: Option<Extension<ConnectInfo<SocketAddr>>>,
    headers: HeaderMap,
    payload: Payload<LogIn>,
) -> Result<Response, Problem> {
    let LogIn { name, password, cookie, device } = payload.read()?;
    let known = device.and_then(|text| state.store().known_device(&name, &text, now()));
    let peer = peer.map(|Extension(ConnectInfo(peer))| peer);
    let login = check(&state, known, (&name, peer), password.0).await?;
    let personal = state.store().personal_project(login.user).await?;
    let carried = if cookie { Carried::Cookie } else { Carried::Bearer };
    let issued = issue_for(&state, &login, carried).await?;
    let device = state.store().device_token(&login.name, known, now())?;
    let device = Some(device.expose_secret().to_owned());
    let answer = LoggedIn { device, ..issued.answer(&login.name, login.admin, personal) };
    Ok(issued.response(answer, &headers, state.config().secure_cookies))
}

/// In one of the places where passwords are checked.
async fn check(
    state: &AppState,
    known: Option<DeviceId>,
    (name, peer): (&str, Option<SocketAddr>),
    password: SecretString,
) -> Result<Login, Problem> {
    let who = known.map_or(Who::Stranger { name, peer }, Who::Known);
    let attempt = state.attempts().begin(who)?;
    match state.store().authenticate_password(name, password).await {
        Ok(login) => {
            attempt.succeeded();
            Ok(login)
        }
        Err(error @ (AuthError::Busy | AuthError::Store(_))) => {
            attempt.unchecked();
            Err(error.into())
        }
        // Dropped as it is, the attempt has failed.
        Err(error) => Err(error.into()),
    }
}

/// Revokes the token that the request carries.
#[utoipa::path(post, path = "/auth/logout", tag = "auth",
    responses(
    (status = 204),
))]
pub(crate) async fn log_out(caller: Caller, headers: HeaderMap) -> Result<Response, Problem> {
    let text = caller.credential.token.expose_secret();
    caller.state.store().revoke_token_text(caller.user(), text).await?;
    let cleared = set_cookie(None, 0, (&headers, caller.state.config().secure_cookies));
    let cleared = cleared.filter(|_| caller.credential.is_from_cookie());
    Ok((StatusCode::NO_CONTENT, AppendHeaders(cleared)).into_response())
}

/// Who is asking.
#[utoipa::path(get, path = "/auth/me", tag = "auth", responses(
    (status = 200, body = Me),
))]
pub(crate) async fn me(caller: Caller) -> Result<Json<Me>, Problem> {
    let personal = caller.state.store().personal_project(caller.user()).await?;
    Ok(Json(Me {
        user: caller.user().uuid(),
        name: caller.account.label().to_owned(),
        admin: caller.account.rights().admin,
        personal_project: personal.map(|project| project.uuid()),
    }))
}
