//! Changes of passwords.

use crate::{
    access::{attempts::Who, authorization as rules, caller::Caller},
    dto::user::{ChangePassword, EndedView, ResetPassword},
    problem::{Problem, ProblemCode},
    request::{address::IdPath, payload::Payload},
};
use axum::Json;
use secrecy::ExposeSecret as _;
use wiiiv_domain::UserId;
use wiiiv_store::{AccountError, AccountRefused, PasswordChange};

/// Changes the caller's own password. Wrong old ones have to wait as failed log-ins do. All other
/// log-ins and tokens of the person end, unless they are to be kept.
#[utoipa::path(post, path = "/auth/password", tag = "auth", request_body = ChangePassword, responses(
    (status = 200, body = EndedView),
))]
pub(crate) async fn change_password(
    caller: Caller,
    payload: Payload<ChangePassword>,
) -> Result<Json<EndedView>, Problem> {
    caller.change_account().await?;
    let ChangePassword { old, new, keep_others } = payload.read()?;
    let attempt = caller.state.attempts().begin(Who::SignedIn(caller.user()))?;
    let change = PasswordChange { old: old.0, new: new.0, keeps_others: keep_others };
    let token = caller.credential.token.expose_secret();
    match caller.state.store().change_password(caller.user(), token, change).await {
        Ok(tokens_ended) => {
            attempt.succeeded();
            Ok(Json(EndedView { tokens_ended }))
        }
        // Dropped as it is, the attempt has failed.
        Err(error @ AccountRefused::WrongPassword) => Err(error.into()),
        Err(error) => {
            attempt.unchecked();
            Err(in_field(error, "new"))
        }
    }
}

/// Gives somebody else a new password. All of that person's log-ins and tokens end.
#[utoipa::path(put, path = "/users/{id}/password", tag = "users", params(("id" = Uuid, Path)),
    request_body = ResetPassword, responses(
    (status = 200, body = EndedView),
))]
pub(crate) async fn reset_password(
    caller: Caller,
    IdPath(id): IdPath<UserId>,
    payload: Payload<ResetPassword>,
) -> Result<Json<EndedView>, Problem> {
    let who = caller.administer(rules::RESET_PASSWORD).await?;
    // One's own needs the old one: a log-in that was left open is no password.
    if id == caller.user() {
        return Err(ProblemCode::OwnAccount.into());
    }
    let ResetPassword { password } = payload.read()?;
    let ended = caller.state.store().reset_password(id, password.0, &who).await;
    let tokens_ended = ended.map_err(|error| in_field(error, "password"))?;
    Ok(Json(EndedView { tokens_ended }))
}

/// By the name that the password has in this body.
fn in_field(error: AccountRefused, field: &str) -> Problem {
    match error {
        AccountRefused::Account(AccountError::Password) => Problem::field(field, error.to_string()),
        error => error.into(),
    }
}
