//! `login` and `logout`: a token with a scope, bound to the server's origin.

use crate::account::{self, Entry};
use crate::args::LoginArgs;
use crate::connection::{self, text};
use crate::context::Context;
use crate::credentials::Credentials;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::secret::given;
use secrecy::SecretString;
use serde_json::json;
use wiiiv_net::{ApiClient, ApiError};

pub async fn login(context: &Context, args: &LoginArgs) -> Result<Exit, Failure> {
    let texts = &context.texts.login;
    let address = connection::address(context)?;
    let origin = connection::origin(&address)?;
    let client = ApiClient::new(&address, None)?.in_language(context.language.as_str());
    let setup = args.setup_token_file.as_deref();
    let setup = setup.map(|file| given(Some(file), &texts.ask_setup_token)).transpose()?;
    let password = given(args.password_file.as_deref(), &texts.ask_password)?;
    let project = args.project.project.as_deref();
    let entry = Entry { name: &args.name, password: &password, project };
    if let Some(token) = setup {
        account::set_up(&client, &entry, &token).await?;
    }
    let answer = account::log_in(context, &client, &entry).await?;
    let user = text(&answer, "user");
    let values = [("origin", origin.as_str()), ("name", &args.name), ("user", user)];
    let entered = json!({ "origin": origin, "name": args.name, "user": user });
    context.done(&entered, &texts.done, &values)
}

/// The token ends at the server too; one that it no longer knows is forgotten all the same.
pub async fn logout(context: &Context) -> Result<Exit, Failure> {
    let address = connection::address(context)?;
    let origin = connection::origin(&address)?;
    let mut credentials = Credentials::open()?;
    if let Some(login) = credentials.of(&origin) {
        let token = SecretString::from(login.token.as_str());
        let client = ApiClient::new(&address, Some(token))?;
        match account::log_out(&client).await {
            Ok(()) => {}
            Err(ApiError::Problem(problem)) if problem.status == 401 => {}
            Err(error) => return Err(error.into()),
        }
    }
    let known = credentials.forget(&origin)?;
    let texts = &context.texts.login;
    let said = if known { &texts.out } else { &texts.was_not };
    let answer = json!({ "origin": origin, "logged_out": known });
    context.done(&answer, said, &[("origin", &origin)])
}
