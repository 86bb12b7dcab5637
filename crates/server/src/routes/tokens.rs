//! A person's own API tokens.

use crate::{
    access::caller::Caller,
    dto::{
        auth::{CreatedToken, NewToken, TokenView},
        user::EndedView,
    },
    limits::{TOKEN_DAYS_DEFAULT, TOKEN_DAYS_MAX},
    problem::Problem,
    request::{
        address::IdPath,
        days::DAY_SECONDS,
        idempotency::KeptAnswer,
        page::{Page, PageQuery},
        payload::Payload,
        query::Params,
    },
    state::now,
};
use axum::{
    Extension, Json,
    extract::OriginalUri,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use secrecy::ExposeSecret as _;
use wiiiv_domain::TokenId;
use wiiiv_store::TokenRow;

/// The caller's tokens, newest first.
#[utoipa::path(get, path = "/auth/tokens", tag = "auth", params(PageQuery), responses(
    (status = 200, body = Page<TokenView>),
))]
pub(crate) async fn list_tokens(
    caller: Caller,
    OriginalUri(uri): OriginalUri,
    Params(query): Params<PageQuery>,
) -> Result<Response, Problem> {
    let rows = caller.state.store().tokens(caller.user(), query.page()?).await?;
    let own = caller.state.store().token_id(caller.credential.token.expose_secret()).await?;
    let view = |row: TokenRow| TokenView { current: own == Some(row.id), ..row.into() };
    Ok(Page::of(rows, query.limit()?, |row| row.id.to_string(), view).answer(&uri))
}

/// Makes a token; its text is shown this once.
#[utoipa::path(post, path = "/auth/tokens", tag = "auth", request_body = NewToken, responses(
    (status = 201, body = CreatedToken),
))]
pub(crate) async fn create_token(
    caller: Caller,
    payload: Payload<NewToken>,
) -> Result<Response, Problem> {
    caller.change_account().await?;
    let NewToken { scope, days } = payload.read()?;
    let days = days.unwrap_or(TOKEN_DAYS_DEFAULT);
    if !(1..=TOKEN_DAYS_MAX).contains(&days) {
        return Err(Problem::field("days", format!("1 to `{TOKEN_DAYS_MAX}`")));
    }
    let expires_at = now().plus_seconds(i64::from(days) * DAY_SECONDS);
    let own = caller.credential.token.expose_secret();
    let what = (scope.into(), expires_at);
    let issued = caller.state.store().issue_token_by(caller.user(), own, what).await?;
    let created = CreatedToken {
        id: issued.id.uuid(),
        scope,
        token: None,
        expires_at: expires_at.to_string(),
    };
    // The text must not lie in the database until the key is forgotten.
    let body = serde_json::to_value(&created).unwrap_or_default();
    let kept = KeptAnswer { status: StatusCode::CREATED, body };
    let token = Some(issued.text.expose_secret().to_owned());
    let answer = Json(CreatedToken { token, ..created });
    Ok((StatusCode::CREATED, Extension(kept), answer).into_response())
}

/// Logs the caller out everywhere else: all log-ins and tokens end but the one that asks.
#[utoipa::path(delete, path = "/auth/tokens", tag = "auth", responses(
    (status = 200, body = EndedView),
))]
pub(crate) async fn end_other_tokens(caller: Caller) -> Result<Json<EndedView>, Problem> {
    caller.change_account().await?;
    let own = caller.credential.token.expose_secret();
    let tokens_ended = caller.state.store().end_other_tokens(caller.user(), own).await?;
    Ok(Json(EndedView { tokens_ended }))
}

/// Ends one of the caller's tokens.
#[utoipa::path(delete, path = "/auth/tokens/{id}", tag = "auth",
    params(("id" = Uuid, Path)), responses(
    (status = 204),
))]
pub(crate) async fn revoke_token(
    caller: Caller,
    IdPath(id): IdPath<TokenId>,
) -> Result<StatusCode, Problem> {
    caller.change_account().await?;
    caller.state.store().revoke_token(caller.user(), id).await?;
    Ok(StatusCode::NO_CONTENT)
}
