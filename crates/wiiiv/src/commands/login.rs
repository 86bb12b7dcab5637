//! `login` and `logout`: a scoped token, bound to the server's origin.

use crate::args::LoginArgs;
use crate::connection::{self, Connection, path, required, text};
use crate::context::Context;
use crate::credentials::Credentials;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::secret;
use crate::texts::fill;
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::{Value, json};
use std::path::Path;
use wiiiv_net::{ApiCall, ApiClient, ApiError};

pub async fn login(context: &Context, args: &LoginArgs) -> Result<Exit, Failure> {
    let texts = &context.texts.login;
    let address = connection::address(context)?;
    let origin = connection::origin(&address)?;
    let client = ApiClient::new(&address, None)?;
    let setup = args.setup_token_file.as_deref();
    let setup = setup.map(|file| given(Some(file), &texts.ask_setup_token)).transpose()?;
    let password = given(args.password_file.as_deref(), &texts.ask_password)?;
    if let Some(token) = setup {
        set_up(&client, &args.name, &password, &token).await?;
    }
    let who = json!({ "name": args.name, "password": password.expose_secret() });
    let answer = send(&client, ApiCall::post(path("/auth/login")).json(who)).await?;
    let token = SecretString::from(required(&answer, "token")?);
    let kept = keep(context, &client, args, (&answer, &token)).await;
    if let Err(failure) = kept {
        // Nobody would know of it any more. What went wrong first is what is told.
        let _still_alive = end(&client.with_token(token)).await;
        return Err(failure);
    }
    context.output.document(&json!({ "origin": origin, "name": args.name }))?;
    context.output.line(&fill(&texts.done, &[("origin", &origin), ("name", &args.name)]))?;
    Ok(Exit::Done)
}

/// The token, and the project that commands mean where none is named.
async fn keep(
    context: &Context,
    client: &ApiClient,
    args: &LoginArgs,
    (answer, token): (&Value, &SecretString),
) -> Result<(), Failure> {
    let origin = connection::origin(&connection::address(context)?)?;
    let project = match &args.project.project {
        Some(named) => Some(Connection::with(context, client, token).project(Some(named)).await?),
        None => text(answer, "personal_project").parse().ok(),
    };
    let token_id = text(answer, "token_id").parse().ok();
    Ok(Credentials::open()?.keep(&origin, &args.name, (token, token_id), project)?)
}

/// At the server.
async fn end(client: &ApiClient) -> Result<(), ApiError> {
    client.send(ApiCall::post(path("/auth/logout")).json(json!({}))).await.map(drop)
}

/// A file's text; `-` and no file mean standard input.
fn given(file: Option<&Path>, question: &str) -> Result<SecretString, Failure> {
    match file.filter(|file| file.as_os_str() != "-") {
        Some(file) => Ok(secret::from_file(file)?),
        None => Ok(secret::from_input(question)?),
    }
}

/// The first account of a server, an administrator's.
async fn set_up(
    client: &ApiClient,
    name: &str,
    password: &SecretString,
    token: &SecretString,
) -> Result<(), Failure> {
    let first = json!({
        "token": token.expose_secret(),
        "name": name,
        "password": password.expose_secret(),
    });
    send(client, ApiCall::post(path("/setup")).json(first)).await.map(drop)
}

async fn send(client: &ApiClient, call: ApiCall) -> Result<Value, Failure> {
    Ok(client.send(call).await?.body)
}

/// The token ends at the server too; one that it no longer knows is forgotten all the same.
pub async fn logout(context: &Context) -> Result<Exit, Failure> {
    let address = connection::address(context)?;
    let origin = connection::origin(&address)?;
    let mut credentials = Credentials::open()?;
    if let Some(login) = credentials.of(&origin) {
        let token = SecretString::from(login.token.as_str());
        let client = ApiClient::new(&address, Some(token))?;
        match end(&client).await {
            Ok(()) => {}
            Err(ApiError::Problem(problem)) if problem.status == 401 => {}
            Err(error) => return Err(error.into()),
        }
    }
    let known = credentials.forget(&origin)?;
    context.output.document(&json!({ "origin": origin, "logged_out": known }))?;
    let texts = &context.texts.login;
    let said = if known { &texts.out } else { &texts.was_not };
    context.output.line(&fill(said, &[("origin", &origin)]))?;
    Ok(Exit::Done)
}
