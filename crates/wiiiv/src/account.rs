//! First account of a server, log-in, and the stored token of a log-in.

use crate::connection::{self, Connection, path, required, text};
use crate::context::Context;
use crate::credentials::Credentials;
use crate::failure::Failure;
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::{Value, json};
use wiiiv_net::{ApiCall, ApiClient, ApiError};

pub struct Entry<'a> {
    pub name: &'a str,
    pub password: &'a SecretString,
    /// What commands mean where no project is named; the person's own where none is given.
    pub project: Option<&'a str>,
}

/// The first account of a server, an administrator's.
pub async fn set_up(
    client: &ApiClient,
    entry: &Entry<'_>,
    token: &SecretString,
) -> Result<(), Failure> {
    let first = json!({
        "token": token.expose_secret(),
        "name": entry.name,
        "password": entry.password.expose_secret(),
    });
    client.send(ApiCall::post(path("/setup")).json(first)).await?;
    Ok(())
}

/// What the server says of the account.
pub async fn log_in(
    context: &Context,
    client: &ApiClient,
    entry: &Entry<'_>,
) -> Result<Value, Failure> {
    let origin = connection::origin(&connection::address(context)?)?;
    // So that nobody's wrong guesses elsewhere hold this log-in back.
    let credentials = Credentials::open()?;
    let device = credentials.device(&origin, entry.name);
    let password = entry.password.expose_secret();
    let who = json!({ "name": entry.name, "password": password, "device": device });
    let answer = client.send(ApiCall::post(path("/auth/login")).json(who)).await?.body;
    let token = SecretString::from(required(&answer, "token")?);
    if let Err(failure) = keep(context, client, entry, (&answer, &token), &origin).await {
        // Nobody would know of it any more. What went wrong first is what is told.
        let _still_alive = log_out(&client.with_token(token)).await;
        return Err(failure);
    }
    Ok(answer)
}

async fn keep(
    context: &Context,
    client: &ApiClient,
    entry: &Entry<'_>,
    (answer, token): (&Value, &SecretString),
    origin: &str,
) -> Result<(), Failure> {
    let project = match entry.project {
        Some(named) => Some(Connection::with(context, client, token).project(Some(named)).await?),
        None => text(answer, "personal_project").parse().ok(),
    };
    let token_id = text(answer, "token_id").parse().ok();
    let mut credentials = Credentials::open()?;
    match text(answer, "device") {
        "" => {}
        device => credentials.know_device(origin, entry.name, device),
    }
    Ok(credentials.keep(origin, entry.name, (token, token_id), project)?)
}

/// At the server.
pub async fn log_out(client: &ApiClient) -> Result<(), ApiError> {
    client.send(ApiCall::post(path("/auth/logout")).json(json!({}))).await.map(drop)
}
